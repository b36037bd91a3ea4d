// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/pair_bath.hpp"

namespace shadow::SHADOW_ISA {

#define SHADOW_INSTANTIATE(Op, Dim)                                                                \
    template void sweep_cluster(const Sweep<Dim, Op<Dim>>&, std::int64_t, double*, std::int64_t,   \
                                PairsOfCluster);
SHADOW_FIRST_SWEEPS(SHADOW_INSTANTIATE)
#undef SHADOW_INSTANTIATE
#define SHADOW_INSTANTIATE(Op, Dim)                                                                \
    template void brake_cluster(const Sweep<Dim, Op<Dim>>&, std::int64_t, PairsOfCluster);
SHADOW_SECOND_SWEEPS(SHADOW_INSTANTIATE)
#undef SHADOW_INSTANTIATE

} // namespace shadow::SHADOW_ISA
