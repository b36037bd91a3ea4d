// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/pair_force_tables.hpp"

namespace shadow::SHADOW_ISA {
SHADOW_BLOCK_KERNELS(3, double)
} // namespace shadow::SHADOW_ISA
