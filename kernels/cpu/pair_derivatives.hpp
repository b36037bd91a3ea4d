// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include "kernels/ops/pair_derivatives.hpp"

namespace shadow::cpu {

/// What `reduce` of the op gives, by the kernels of the instruction set. Sums do not depend on the
/// number of threads if particles of a cell are in a fixed order.
template <int Dim>
[[nodiscard]] PairDerivatives sum_pair_derivatives(const Backend& backend,
                                                   const SumPairDerivatives<Dim>& op);

} // namespace shadow::cpu
