// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include "kernels/cuda/check.hpp"
#include "kernels/cuda/pair_choice.hpp"
#include "kernels/cuda/run_persistent.cuh"

/// The pair force on GPUs: one warp per cluster, by its staged list (staged_warp.hpp) or, where it
/// has none, by its neighbour ranges (pair_warp.hpp). It is launched over the bound of the number
/// of clusters; warps beyond the true number, which only the device knows, return.
namespace shadow::cuda {

/// Warps of a block: their shared memory together must stay below 48 KiB.
template <class Pair>
inline constexpr int pair_warps = sizeof(Pair) == 8 ? 2 : 4;

/// Blocks which a multiprocessor holds at once, by which the compiler bounds the registers: without
/// a bound it aims lower and spills.
template <class Pair, bool WithEnergy>
inline constexpr int resident_blocks = (sizeof(Pair) == 8 ? 8 : 6) - (WithEnergy ? 1 : 0);

template <class Interaction, int Dim, class State, class Pair, bool OneSpecies, bool WithEnergy>
__global__ void __launch_bounds__(pair_warps<Pair>* warp::lanes, resident_blocks<Pair, WithEnergy>)
    sum_pair_forces(const __grid_constant__ PairForcePayload<Dim, State, Pair> payload) {
    __shared__ ClusterMemory<Dim, Pair> memory[pair_warps<Pair>];
    const int w = static_cast<int>(threadIdx.x) / warp::lanes;
    const int lane = static_cast<int>(threadIdx.x) % warp::lanes;
    const std::int64_t cluster = std::int64_t{blockIdx.x} * pair_warps<Pair> + w;
    if (cluster >= *payload.list.cluster_count) return;
    const Law<Interaction, Pair, OneSpecies> law(payload);
    sum_cluster<WithEnergy>(payload, law, memory[w], cluster, lane);
}

template <int Dim, class State, class Pair>
void pair_force(const Backend& backend, const PairForcePayload<Dim, State, Pair>& payload,
                std::int64_t clusters) {
    if (clusters <= 0) return;
    constexpr int warps = pair_warps<Pair>;
    const auto blocks = static_cast<unsigned>((clusters + warps - 1) / warps);
    Stream& stream = stream_of(backend.stream());
    choose_pair_kernel(payload, [&]<class Interaction, bool OneSpecies, bool WithEnergy>() {
        const PersistentKernel* persistent =
            payload.energy ? nullptr
                           : persistent_kernel<Interaction, Dim, State, Pair, OneSpecies>();
        enqueue(stream, sum_pair_forces<Interaction, Dim, State, Pair, OneSpecies, WithEnergy>,
                nullptr, persistent, blocks, warps * warp::lanes, nullptr, payload);
    });
}

} // namespace shadow::cuda
