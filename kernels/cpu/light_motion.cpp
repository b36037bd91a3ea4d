// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/ops/light_motion.hpp"

#include "kernels/cpu/dispatch.hpp"
#include "kernels/cpu/molecule_parts.hpp"

namespace shadow {

#define SHADOW_DECLARE(isa)                                                                        \
    namespace isa {                                                                                \
    template <int Dim>                                                                             \
    void mean_light_force(const MeanLightForce<Dim>& op, double* scratch, std::int64_t first,      \
                          std::int64_t last);                                                      \
    template <int Dim>                                                                             \
    void move_light(const MoveLight<Dim>& op, double* scratch, std::int64_t first,                 \
                    std::int64_t last);                                                            \
    }
SHADOW_EACH_SET(SHADOW_DECLARE)

namespace cpu {

template <int Dim>
void mean_light_force(const Backend& backend, const MeanLightForce<Dim>& op) {
    each_part(backend, op.molecules.group_count, op.max_numbers,
              [&](std::int64_t first, std::int64_t last, double* scratch) {
                  SHADOW_DISPATCH(backend, mean_light_force, op, scratch, first, last);
              });
}

template <int Dim>
void move_light(const Backend& backend, const MoveLight<Dim>& op) {
    each_part(backend, op.molecules.group_count, op.max_numbers,
              [&](std::int64_t first, std::int64_t last, double* scratch) {
                  SHADOW_DISPATCH(backend, move_light, op, scratch, first, last);
              });
}

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template void mean_light_force(const Backend&, const MeanLightForce<Dim>&);                    \
    template void move_light(const Backend&, const MoveLight<Dim>&);
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace cpu
} // namespace shadow
