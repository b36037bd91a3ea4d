// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cuda/instantiate.cuh"

namespace shadow::cuda {

SHADOW_DIM_LAUNCH_OPS(SHADOW_INSTANTIATE_LAUNCH, 1)
SHADOW_DIM_REDUCE_OPS(SHADOW_INSTANTIATE_REDUCE, 1)
SHADOW_LAUNCH_OPS(SHADOW_INSTANTIATE_LAUNCH, 1, double)
SHADOW_REDUCE_OPS(SHADOW_INSTANTIATE_REDUCE, 1, double)

} // namespace shadow::cuda
