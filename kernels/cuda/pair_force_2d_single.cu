// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cuda/pair_force.cuh"

namespace shadow::cuda {

template void pair_force(const Backend&, const PairForcePayload<2, float, float>&, std::int64_t);

} // namespace shadow::cuda
