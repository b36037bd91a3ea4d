// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/mode_sums.hpp"

namespace shadow::SHADOW_ISA {

#define SHADOW_SUM_MODES(Dim)                                                                      \
    template void sum_modes(const DensityModes<Dim>&, const WaveVector<Dim>*, int, std::int64_t,   \
                            std::int64_t, double*, double*);
SHADOW_SUM_MODES(1)
SHADOW_SUM_MODES(2)
SHADOW_SUM_MODES(3)

} // namespace shadow::SHADOW_ISA
