// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/pair_bath.hpp"

namespace shadow::SHADOW_ISA {

#define SHADOW_INSTANTIATE(Op, Dim)                                                                \
    template void sweep_cluster(const Sweep<Dim, Op<Dim>>&, std::int64_t, double*, std::int64_t);
#define SHADOW_INSTANTIATE_ALL(Dim)                                                                \
    SHADOW_INSTANTIATE(FindFirstPair, Dim)                                                         \
    SHADOW_INSTANTIATE(PredictVelocities, Dim)                                                     \
    SHADOW_INSTANTIATE(AddPairFriction, Dim)
SHADOW_INSTANTIATE_ALL(1)
SHADOW_INSTANTIATE_ALL(2)
SHADOW_INSTANTIATE_ALL(3)
#undef SHADOW_INSTANTIATE_ALL
#undef SHADOW_INSTANTIATE

} // namespace shadow::SHADOW_ISA
