// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/ops/light_motion.hpp"

namespace shadow::SHADOW_ISA {

template <int Dim>
void mean_light_force(const MeanLightForce<Dim>& op, double* scratch, std::int64_t first,
                      std::int64_t last) {
    for (std::int64_t g = first; g < last; ++g)
        op.template lanes_of<molecules_per_pack, molecules_per_pack>(op.molecules.group[g], 0,
                                                                     scratch)
            .average(op.position, op.momentum, op.mean);
}

template <int Dim>
void move_light(const MoveLight<Dim>& op, double* scratch, std::int64_t first, std::int64_t last) {
    for (std::int64_t g = first; g < last; ++g)
        op.template lanes_of<molecules_per_pack, molecules_per_pack>(op.molecules.group[g], 0,
                                                                     scratch)
            .move(op.position, op.momentum);
}

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template void mean_light_force(const MeanLightForce<Dim>&, double*, std::int64_t,              \
                                   std::int64_t);                                                  \
    template void move_light(const MoveLight<Dim>&, double*, std::int64_t, std::int64_t);
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow::SHADOW_ISA
