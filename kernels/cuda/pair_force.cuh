// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include "kernels/cuda/check.hpp"
#include "kernels/cuda/run_small.cuh"
#include "kernels/potentials/list.hpp"

/// The pair force on GPUs: one warp per cluster, by its staged list (staged_warp.hpp) or, where it
/// has none, by its runs (pair_warp.hpp). It is launched over the bound of the number of clusters;
/// warps beyond the true number, which only the device knows, return.
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

template <class Interaction, int Dim, class State, class Pair, bool OneSpecies, bool WithEnergy>
void enqueue_pair_force(Stream& stream, const PairForcePayload<Dim, State, Pair>& payload,
                        unsigned blocks) {
    const SmallKernel* small =
        payload.energy ? nullptr : small_kernel<Interaction, Dim, State, Pair, OneSpecies>();
    enqueue(stream, sum_pair_forces<Interaction, Dim, State, Pair, OneSpecies, WithEnergy>, nullptr,
            small, blocks, pair_warps<Pair> * warp::lanes, nullptr, payload);
}

template <class Interaction, int Dim, class State, class Pair, bool WithEnergy>
void launch_pair_force(Stream& stream, const PairForcePayload<Dim, State, Pair>& payload,
                       unsigned blocks) {
    if (payload.species_count == 1)
        enqueue_pair_force<Interaction, Dim, State, Pair, true, WithEnergy>(stream, payload,
                                                                            blocks);
    else
        enqueue_pair_force<Interaction, Dim, State, Pair, false, WithEnergy>(stream, payload,
                                                                             blocks);
}

/// Tries the interactions one after the other. Only the hot ones have a kernel without energies.
template <int Dim, class State, class Pair, class... I>
void choose_interaction(InteractionList<I...>, Stream& stream,
                        const PairForcePayload<Dim, State, Pair>& payload, unsigned blocks) {
    std::int32_t position = 0;
    const bool with_energy = payload.energy != nullptr;
    const auto attempt = [&]<class This>(InteractionList<This>) {
        if (position++ != payload.interaction) return;
        if (This::always_shifted && !with_energy)
            launch_pair_force<This, Dim, State, Pair, !This::always_shifted>(stream, payload,
                                                                             blocks);
        else
            launch_pair_force<This, Dim, State, Pair, true>(stream, payload, blocks);
    };
    (attempt(InteractionList<I>{}), ...);
}

template <int Dim, class State, class Pair>
void pair_force(const Backend& backend, const PairForcePayload<Dim, State, Pair>& payload,
                std::int64_t clusters) {
    if (clusters <= 0) return;
    constexpr int warps = pair_warps<Pair>;
    const auto blocks = static_cast<unsigned>((clusters + warps - 1) / warps);
    choose_interaction(Interactions{}, stream_of(backend.stream()), payload, blocks);
}

} // namespace shadow::cuda
