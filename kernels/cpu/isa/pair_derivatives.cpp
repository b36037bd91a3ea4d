// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/derivative_sums.hpp"

namespace shadow::SHADOW_ISA {

#define SHADOW_SUM_DERIVATIVES(Dim)                                                                \
    template PairDerivatives sum_pair_derivatives(const SumPairDerivatives<Dim>&, std::int64_t,    \
                                                  std::int64_t);
SHADOW_SUM_DERIVATIVES(1)
SHADOW_SUM_DERIVATIVES(2)
SHADOW_SUM_DERIVATIVES(3)

} // namespace shadow::SHADOW_ISA
