// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include "kernels/ops/cells.hpp"

namespace shadow::cpu {

/// Adds the pairs of species a and b to `histogram`.
template <int Dim>
void count_pairs(const Backend& backend, const PairHistogram<Dim>& pairs, int a, int b,
                 std::int64_t* histogram);

} // namespace shadow::cpu
