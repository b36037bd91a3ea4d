// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/tile_kernel_tables.hpp"

namespace shadow::SHADOW_ISA {
SHADOW_TILE_KERNELS(1, double)
} // namespace shadow::SHADOW_ISA
