// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/core/backend.hpp"

#include "kernels/cuda/check.hpp"
#include "kernels/cuda/instances.hpp"
#include "kernels/cuda/ranges_warp.hpp"
#include "kernels/cuda/stage_warp.hpp"

/// Builds neighbour ranges and staged lists on GPUs: one warp per cluster, see ranges_warp.hpp and
/// stage_warp.hpp.
namespace shadow::cuda {

namespace {

constexpr int stage_warps = 4;  ///< of a block
constexpr int stage_blocks = 6; ///< of a multiprocessor: bounds the registers

template <int Dim>
__global__ void __launch_bounds__(stage_warps* warp::lanes, stage_blocks)
    stage_clusters(const __grid_constant__ StagePayload<Dim> payload, const int* gate) {
    __shared__ StageMemory<Dim> memory[stage_warps];
    if (gate && *gate == 0) return;
    const int w = static_cast<int>(threadIdx.x) / warp::lanes;
    const int lane = static_cast<int>(threadIdx.x) % warp::lanes;
    const std::int64_t cluster = std::int64_t{blockIdx.x} * stage_warps + w;
    if (cluster >= *payload.list.cluster_count) return;
    if (payload.list.cluster_begin[cluster] >= payload.list.cluster_end[cluster]) return;
    StageWarp<Dim>(payload, memory[w], cluster, lane).make();
}

template <int Dim>
__global__ void __launch_bounds__(stage_warps* warp::lanes, stage_blocks)
    find_ranges_of_clusters(const __grid_constant__ BuildRanges<Dim> op, const int* gate) {
    if (gate && *gate == 0) return;
    const int lane = static_cast<int>(threadIdx.x) % warp::lanes;
    const std::int64_t cluster = std::int64_t{blockIdx.x} * stage_warps + threadIdx.x / warp::lanes;
    if (cluster < *op.cluster_count) RangesWarp<Dim>(op, cluster, lane).make();
}

unsigned blocks_for(std::int64_t clusters) {
    return static_cast<unsigned>((clusters + stage_warps - 1) / stage_warps);
}

} // namespace

template <int Dim>
void find_ranges(const Backend& backend, const BuildRanges<Dim>& op, std::int64_t clusters,
                 const int* gate) {
    if (clusters <= 0) return;
    enqueue(stream_of(backend.stream()), find_ranges_of_clusters<Dim>, blocks_for(clusters),
            stage_warps * warp::lanes, gate, op, gate);
}

template <int Dim>
void stage(const Backend& backend, const StagePayload<Dim>& payload, std::int64_t clusters,
           const int* gate) {
    if (clusters <= 0) return;
    enqueue(stream_of(backend.stream()), stage_clusters<Dim>, blocks_for(clusters),
            stage_warps * warp::lanes, gate, payload, gate);
}

SHADOW_INSTANTIATE_STAGES

} // namespace shadow::cuda
