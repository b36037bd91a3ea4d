// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cuda/instantiate.cuh"

namespace shadow::cuda {

SHADOW_DIM_LAUNCH_OPS(SHADOW_INSTANTIATE_LAUNCH, 2)
SHADOW_DIM_REDUCE_OPS(SHADOW_INSTANTIATE_REDUCE, 2)
SHADOW_LAUNCH_OPS(SHADOW_INSTANTIATE_LAUNCH, 2, double)
SHADOW_REDUCE_OPS(SHADOW_INSTANTIATE_REDUCE, 2, double)

} // namespace shadow::cuda
