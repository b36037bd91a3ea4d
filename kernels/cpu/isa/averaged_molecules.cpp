// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/ops/averaged_molecules.hpp"

namespace shadow::SHADOW_ISA {

template <int Dim, Averaging averaging>
void average_molecules(const AverageMolecules<Dim, averaging>& op, double* scratch,
                       std::int64_t first, std::int64_t last) {
    for (std::int64_t g = first; g < last; ++g)
        op.template lanes_of<molecules_per_pack, molecules_per_pack>(op.molecules.group[g], 0,
                                                                     scratch)
            .average(op.position);
}

template <int Dim, Averaging averaging>
void transpose_average(const TransposeAverage<Dim, averaging>& op, double* scratch,
                       std::int64_t first, std::int64_t last) {
    for (std::int64_t g = first; g < last; ++g)
        op.template lanes_of<molecules_per_pack, molecules_per_pack>(op.molecules.group[g], 0,
                                                                     scratch)
            .transpose(op.position, op.force);
}

#define SHADOW_INSTANTIATE(Dim, averaging)                                                         \
    template void average_molecules(const AverageMolecules<Dim, averaging>&, double*,              \
                                    std::int64_t, std::int64_t);                                   \
    template void transpose_average(const TransposeAverage<Dim, averaging>&, double*,              \
                                    std::int64_t, std::int64_t);
#define SHADOW_INSTANTIATE_BOTH(Dim)                                                               \
    SHADOW_INSTANTIATE(Dim, Averaging::in_time)                                                    \
    SHADOW_INSTANTIATE(Dim, Averaging::at_rest)
SHADOW_INSTANTIATE_BOTH(1)
SHADOW_INSTANTIATE_BOTH(2)
SHADOW_INSTANTIATE_BOTH(3)
#undef SHADOW_INSTANTIATE_BOTH
#undef SHADOW_INSTANTIATE

} // namespace shadow::SHADOW_ISA
