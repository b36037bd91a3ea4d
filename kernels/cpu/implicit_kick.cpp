// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/ops/implicit_kick.hpp"

#include "kernels/cpu/dispatch.hpp"
#include "kernels/cpu/molecule_parts.hpp"

namespace shadow {

#define SHADOW_DECLARE(isa)                                                                        \
    namespace isa {                                                                                \
    template <int Dim>                                                                             \
    void implicit_kick(const ImplicitKick<Dim>& op, double* scratch, std::int64_t first,           \
                       std::int64_t last);                                                         \
    }
SHADOW_EACH_SET(SHADOW_DECLARE)

namespace cpu {

template <int Dim>
void implicit_kick(const Backend& backend, const ImplicitKick<Dim>& op) {
    each_part(backend, op.molecules.group_count, op.max_numbers,
              [&](std::int64_t first, std::int64_t last, double* scratch) {
                  SHADOW_DISPATCH(backend, implicit_kick, op, scratch, first, last);
              });
}

template void implicit_kick(const Backend&, const ImplicitKick<1>&);
template void implicit_kick(const Backend&, const ImplicitKick<2>&);
template void implicit_kick(const Backend&, const ImplicitKick<3>&);

} // namespace cpu
} // namespace shadow
