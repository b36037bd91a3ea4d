// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include <cstdint>

namespace shadow {

template <int Dim>
struct ApplyBonded;

namespace cpu {

/// Bonded forces on particles [first, last), with loops of the backend's instruction set; bits do
/// not depend on the range.
template <int Dim>
void apply_bonded(const Backend& backend, const ApplyBonded<Dim>& op, std::int64_t first,
                  std::int64_t last);

} // namespace cpu
} // namespace shadow
