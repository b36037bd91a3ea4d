// SPDX-License-Identifier: BSD-3-Clause
#include "small_steps.hpp"

#include "kernels/cuda/pair_force.cuh"

#include <cooperative_groups.h>

namespace shadow::bench {

namespace {

using Memory = cuda::StagedMemory<3, float>;
using Rule = cuda::Law<Plain<LennardJones>, float, true>;

constexpr int small_bytes = small_warps * static_cast<int>(sizeof(Memory));

/// One cluster of blocks, 16 warps each; a warp owns a cluster of particles, a lane one of them. A
/// barrier parts positions from forces, and forces from the positions after them.
__global__ void __cluster_dims__(small_blocks) __launch_bounds__(small_warps* warp::lanes, 1)
    run_steps(const __grid_constant__ SmallSteps op) {
    extern __shared__ __align__(16) unsigned char storage[];
    const auto blocks = cooperative_groups::this_cluster();
    const int w = static_cast<int>(threadIdx.x) / warp::lanes;
    const int lane = static_cast<int>(threadIdx.x) % warp::lanes;
    Memory& memory = reinterpret_cast<Memory*>(storage)[w];
    const PairListView& list = op.pair.list;
    const std::int64_t cluster = std::int64_t{blockIdx.x} * small_warps + w;
    const bool busy = cluster < *list.cluster_count;
    const std::int32_t i = busy ? list.cluster_begin[cluster] + lane : 0;
    const bool mine = busy && i < list.cluster_end[cluster];
    const Rule law(op.pair);

    int step = 0;
    for (; step < op.steps; ++step) {
        if (mine) {
            step == 0 ? op.first(i) : op.next(i);
            op.test.range(i, i + 1);
        }
        blocks.sync();
        if (*const_cast<volatile std::int32_t*>(op.test.flag) != 0) break;
        if (busy) {
            const auto outcome = cuda::sum_staged<false>(op.pair, law, memory, cluster, lane);
            if (mine) cuda::store<3, double, float, false>(op.pair, i, outcome.sums, outcome.lost);
        }
        blocks.sync();
    }
    if (mine && step == op.steps) op.last(i);
    if (blockIdx.x == 0 && threadIdx.x == 0) *op.done = step;
}

} // namespace

void run_small_steps(const Backend& backend, const SmallSteps& steps) {
    backend.synchronize();
    cuda::check(
        cudaFuncSetAttribute(run_steps, cudaFuncAttributeMaxDynamicSharedMemorySize, small_bytes),
        "asking for shared memory");
    run_steps<<<small_blocks, small_warps * warp::lanes, small_bytes,
                cuda::stream_of(backend.stream()).stream>>>(steps);
    cuda::check(cudaGetLastError(), "launching many steps at once");
}

} // namespace shadow::bench
