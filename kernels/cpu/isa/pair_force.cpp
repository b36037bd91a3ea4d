// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/pair_force_driver.hpp"

namespace shadow::SHADOW_ISA {

#define SHADOW_PAIR_FORCE(Dim, State, Pair)                                                        \
    template void pair_force(const PairForcePayload<Dim, State, Pair>&, std::int64_t, std::int64_t);
SHADOW_PAIR_FORCE(1, double, double)
SHADOW_PAIR_FORCE(1, double, float)
SHADOW_PAIR_FORCE(2, double, double)
SHADOW_PAIR_FORCE(2, double, float)
SHADOW_PAIR_FORCE(3, double, double)
SHADOW_PAIR_FORCE(3, double, float)

} // namespace shadow::SHADOW_ISA
