// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/ops/averaged_molecules.hpp"

#include "kernels/cpu/dispatch.hpp"
#include "kernels/cpu/molecule_parts.hpp"

namespace shadow {

#define SHADOW_DECLARE(isa)                                                                        \
    namespace isa {                                                                                \
    template <int Dim, Averaging averaging>                                                        \
    void average_molecules(const AverageMolecules<Dim, averaging>& op, double* scratch,            \
                           std::int64_t first, std::int64_t last);                                 \
    template <int Dim, Averaging averaging>                                                        \
    void transpose_average(const TransposeAverage<Dim, averaging>& op, double* scratch,            \
                           std::int64_t first, std::int64_t last);                                 \
    }
SHADOW_EACH_SET(SHADOW_DECLARE)

namespace cpu {

template <int Dim, Averaging averaging>
void average_molecules(const Backend& backend, const AverageMolecules<Dim, averaging>& op) {
    each_part(backend, op.molecules.group_count, op.max_numbers,
              [&](std::int64_t first, std::int64_t last, double* scratch) {
                  SHADOW_DISPATCH(backend, average_molecules, op, scratch, first, last);
              });
}

template <int Dim, Averaging averaging>
void transpose_average(const Backend& backend, const TransposeAverage<Dim, averaging>& op) {
    each_part(backend, op.molecules.group_count, op.max_numbers,
              [&](std::int64_t first, std::int64_t last, double* scratch) {
                  SHADOW_DISPATCH(backend, transpose_average, op, scratch, first, last);
              });
}

#define SHADOW_INSTANTIATE(Dim, averaging)                                                         \
    template void average_molecules(const Backend&, const AverageMolecules<Dim, averaging>&);      \
    template void transpose_average(const Backend&, const TransposeAverage<Dim, averaging>&);
SHADOW_INSTANTIATE(1, Averaging::in_time)
SHADOW_INSTANTIATE(2, Averaging::in_time)
SHADOW_INSTANTIATE(3, Averaging::in_time)
SHADOW_INSTANTIATE(1, Averaging::at_rest)
SHADOW_INSTANTIATE(2, Averaging::at_rest)
SHADOW_INSTANTIATE(3, Averaging::at_rest)
#undef SHADOW_INSTANTIATE

} // namespace cpu
} // namespace shadow
