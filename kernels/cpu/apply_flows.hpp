// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include <cstdint>

namespace shadow {

template <int Dim>
struct Advance;

namespace cpu {

/// Where kicks find the forces of array `of` on a few particles: that on particle i at i - `begin`.
template <int Dim>
struct ForcesApart {
    const double *of[Dim], *at[Dim]; ///< null: forces are where `of` says
    std::int64_t begin;
};

/// The flows of a pass over particles [first, last), by the instruction set of the backend; bits
/// are the same with all of these.
template <int Dim>
void apply_flows(const Backend& backend, const Advance<Dim>& pass, std::int64_t first,
                 std::int64_t last, const ForcesApart<Dim>& apart = {});

} // namespace cpu
} // namespace shadow
