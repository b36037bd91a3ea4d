// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cuda/instantiate.cuh"

namespace shadow::cuda {
SHADOW_INSTANTIATE_OPS(2)
SHADOW_INSTANTIATE_CHARGE_OPS(2)
} // namespace shadow::cuda
