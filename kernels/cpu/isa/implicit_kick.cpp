// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/ops/implicit_kick.hpp"

namespace shadow::SHADOW_ISA {

template <int Dim>
void implicit_kick(const ImplicitKick<Dim>& op, double* scratch, std::int64_t first,
                   std::int64_t last) {
    for (std::int64_t g = first; g < last; ++g)
        MoleculeImplicitKick<Dim, molecules_per_pack, molecules_per_pack>(
            op.molecules, op.times, op.molecules.group[g], 0, scratch)
            .kick(op.position, op.momentum, op.given);
}

template void implicit_kick(const ImplicitKick<1>&, double*, std::int64_t, std::int64_t);
template void implicit_kick(const ImplicitKick<2>&, double*, std::int64_t, std::int64_t);
template void implicit_kick(const ImplicitKick<3>&, double*, std::int64_t, std::int64_t);

} // namespace shadow::SHADOW_ISA
