// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include "kernels/cuda/check.hpp"
#include "kernels/cuda/pair_choice.hpp"
#include "kernels/cuda/run_persistent.cuh"

/// The pair force on GPUs: one team of warps per cluster, by its staged list (staged_warp.hpp) or,
/// if it has none, by its neighbour ranges (pair_warp.hpp). It is launched over the bound of the
/// number of clusters; teams beyond the true number, which is known only on the device, return.
namespace shadow::cuda {

/// Minimum of blocks resident on a multiprocessor, by which the compiler bounds the registers:
/// without a bound it uses fewer and spills.
template <class Pair, bool WithEnergy>
inline constexpr int resident_blocks = (sizeof(Pair) == 8 ? 8 : 6) - (WithEnergy ? 1 : 0);

template <class Interaction, int Dim, class Pair, bool OneSpecies, bool WithEnergy>
__global__ void __launch_bounds__(block_warps<Pair>* warp::lanes, resident_blocks<Pair, WithEnergy>)
    sum_pair_forces(const __grid_constant__ PairForcePayload<Dim, Pair> payload, int team) {
    __shared__ ClusterMemory<Dim, Pair, WithEnergy> memory[block_warps<Pair>];
    const int w = static_cast<int>(threadIdx.x) / warp::lanes;
    const int lane = static_cast<int>(threadIdx.x) % warp::lanes;
    static_assert(block_warps<Pair> <= 4); // sync_team supports two teams of two
    const int number = w / team;
    const std::int64_t cluster = std::int64_t{blockIdx.x} * (block_warps<Pair> / team) + number;
    if (cluster >= *payload.list.cluster_count) return;
    using Rule = Law<Interaction, Pair, OneSpecies>;
    const Rule law(payload);
    ClusterWarp<WithEnergy, Dim, Pair, Rule>(payload, law, memory + number * team, cluster,
                                             {w % team, team}, lane)
        .sum([=] { warp::sync_team(number, team); });
}

template <class Interaction, int Dim, class Pair, bool OneSpecies, bool WithEnergy>
__global__ void __launch_bounds__(all_pairs_threads, 1)
    sum_all_pairs(const __grid_constant__ PairForcePayload<Dim, Pair> payload) {
    using Rule = Law<Interaction, Pair, OneSpecies>;
    using Block = AllPairsBlock<Dim, Pair, Rule, WithEnergy>;
    __shared__ typename Block::Memory memory;
    const Rule law(payload);
    Block block(payload, law, memory, blockIdx.x, static_cast<int>(threadIdx.x));
    block.sum(
        [] { __syncthreads(); },
        [&](std::int32_t j) { return block.nearest().position(payload.particles, j, OneSpecies); });
}

template <int Dim, class Pair>
void all_pairs_force(Stream& stream, const PairForcePayload<Dim, Pair>& payload) {
    const auto blocks = static_cast<unsigned>(all_pairs_blocks(payload.particles.size));
    choose_pair_kernel(payload, [&]<class Interaction, bool OneSpecies, bool WithEnergy>() {
        const PersistentKernel* persistent =
            payload.energy ? nullptr : persistent_kernel<Interaction, Dim, Pair, OneSpecies>();
        enqueue(stream, sum_all_pairs<Interaction, Dim, Pair, OneSpecies, WithEnergy>, nullptr,
                persistent, blocks, all_pairs_threads, nullptr, payload);
    });
}

template <int Dim, class Pair>
void pair_force(const Backend& backend, const PairForcePayload<Dim, Pair>& payload,
                std::int64_t clusters) {
    if (clusters <= 0) return;
    Stream& stream = stream_of(backend.stream());
    if (payload.list.all_pairs) return all_pairs_force(stream, payload);
    constexpr int warps = block_warps<Pair>;
    const int team = team_warps<Dim, Pair>(clusters);
    const auto blocks = static_cast<unsigned>((clusters * team + warps - 1) / warps);
    choose_pair_kernel(payload, [&]<class Interaction, bool OneSpecies, bool WithEnergy>() {
        enqueue(stream, sum_pair_forces<Interaction, Dim, Pair, OneSpecies, WithEnergy>, blocks,
                warps * warp::lanes, nullptr, payload, team);
    });
}

} // namespace shadow::cuda
