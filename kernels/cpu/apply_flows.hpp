// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include <cstdint>

namespace shadow {

template <int Dim>
struct Advance;

namespace cpu {

/// The array `at`, from which kicks read the forces of array `of` on a few particles: the force on
/// particle i at index i - `begin`.
template <int Dim>
struct ForcesApart {
    const double *of[Dim], *at[Dim]; ///< null: forces are in their own array
    std::int64_t begin;
};

/// The flows of a pass over particles [first, last), with the backend's instruction set; bits are
/// the same for all instruction sets.
template <int Dim>
void apply_flows(const Backend& backend, const Advance<Dim>& pass, std::int64_t first,
                 std::int64_t last, const ForcesApart<Dim>& apart = {});

} // namespace cpu
} // namespace shadow
