// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/ops/time_average.hpp"

namespace shadow::SHADOW_ISA {

template <int Dim>
using PackSweep = MoleculeSweep<Dim, molecules_per_pack, molecules_per_pack>;

template <int Dim>
void average_molecules(const AverageMolecules<Dim>& op, double* scratch, std::int64_t first,
                       std::int64_t last) {
    for (std::int64_t g = first; g < last; ++g)
        PackSweep<Dim>(op.molecules, op.average, op.molecules.group[g], 0, scratch)
            .average(op.position);
}

template <int Dim>
void transpose_average(const TransposeAverage<Dim>& op, double* scratch, std::int64_t first,
                       std::int64_t last) {
    for (std::int64_t g = first; g < last; ++g)
        PackSweep<Dim>(op.molecules, op.average, op.molecules.group[g], 0, scratch)
            .transpose(op.position, op.force);
}

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template void average_molecules(const AverageMolecules<Dim>&, double*, std::int64_t,           \
                                    std::int64_t);                                                 \
    template void transpose_average(const TransposeAverage<Dim>&, double*, std::int64_t,           \
                                    std::int64_t);
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow::SHADOW_ISA
