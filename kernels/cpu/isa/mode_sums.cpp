// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/mode_sums.hpp"

namespace shadow::SHADOW_ISA {

#define SHADOW_SUM_MODES(Dim, Real)                                                                \
    template void sum_modes(const DensityModes<Dim, Real>&, const WaveVector<Dim>*, int,           \
                            std::int64_t, std::int64_t, double*, double*);
SHADOW_SUM_MODES(1, double)
SHADOW_SUM_MODES(2, double)
SHADOW_SUM_MODES(3, double)

} // namespace shadow::SHADOW_ISA
