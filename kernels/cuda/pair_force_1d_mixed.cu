// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cuda/instantiate.cuh"

namespace shadow::cuda {

SHADOW_INSTANTIATE_PAIR_FORCE(1, float)

} // namespace shadow::cuda
