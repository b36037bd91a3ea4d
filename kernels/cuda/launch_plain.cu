// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cuda/instantiate.cuh"

namespace shadow::cuda {

SHADOW_PLAIN_LAUNCH_OPS(SHADOW_INSTANTIATE_LAUNCH)
SHADOW_PLAIN_REDUCE_OPS(SHADOW_INSTANTIATE_REDUCE)

} // namespace shadow::cuda
