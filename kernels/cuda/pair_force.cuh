// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include "kernels/cuda/check.hpp"
#include "kernels/cuda/pair_warp.hpp"
#include "kernels/cuda/staged_warp.hpp"
#include "kernels/pair_force.hpp"
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

/// The shared memory of a warp, whichever way it goes.
template <int Dim, class Pair>
union ClusterMemory {
    StagedMemory<Dim, Pair> staged;
    WarpMemory<Dim, Pair> runs;
};

/// Parameters of all pairs of species, looked up for each pair of particles.
template <class Interaction, class Pair, bool OneSpecies>
class Law {
  public:
    static constexpr bool one_species = OneSpecies;
    using Row = typename Interaction::template Of<Pair>;

    template <int Dim, class State>
    SHADOW_DEVICE explicit Law(const PairForcePayload<Dim, State, Pair>& payload)
        : rows_(reinterpret_cast<const Row*>(payload.table)), count_(payload.species_count),
          ending_(payload.ending), cutoff2_(static_cast<Pair>(payload.cutoff * payload.cutoff)) {}

    SHADOW_DEVICE Pair cutoff2() const { return cutoff2_; }
    SHADOW_DEVICE bool operator()(Pair r2, std::int32_t a, std::int32_t b, Pair& f_over_r,
                                  Pair& u) const {
        const Row& row = rows_[a * count_ + b];
        const PairResult<Pair> result = row(r2, ending_);
        f_over_r = result.f_over_r;
        u = result.u;
        return r2 < row.cutoff2;
    }

  private:
    const Row* rows_;
    std::int32_t count_;
    Ending ending_;
    Pair cutoff2_;
};

/// Of a single species the parameters stay in registers.
template <class Interaction, class Pair>
class Law<Interaction, Pair, true> {
  public:
    static constexpr bool one_species = true;
    using Row = typename Interaction::template Of<Pair>;

    template <int Dim, class State>
    SHADOW_DEVICE explicit Law(const PairForcePayload<Dim, State, Pair>& payload)
        : row_(*reinterpret_cast<const Row*>(payload.table)), ending_(payload.ending) {}

    SHADOW_DEVICE Pair cutoff2() const { return row_.cutoff2; }
    SHADOW_DEVICE bool operator()(Pair r2, std::int32_t, std::int32_t, Pair& f_over_r,
                                  Pair& u) const {
        const PairResult<Pair> result = row_(r2, ending_);
        f_over_r = result.f_over_r;
        u = result.u;
        return true;
    }

  private:
    Row row_;
    Ending ending_;
};

/// Writes what a particle got. A force beyond the numbers, or of a lost particle, sets the status.
template <int Dim, class State, class Pair, bool WithEnergy>
SHADOW_DEVICE void store(const PairForcePayload<Dim, State, Pair>& payload, std::int32_t i,
                         const PairSums<Dim, double>& sums, bool lost) {
    State largest = 0;
    for (int d = 0; d < Dim; ++d) {
        State& target = payload.force.component[d][i];
        const State force = static_cast<State>(sums.force[d]);
        largest += std::fabs(force);
        target = payload.accumulate ? target + force : force;
    }
    if (lost || !(largest < infinity<State>))
        warp::keep_lowest(payload.status, 1 + static_cast<std::int32_t>(payload.particles.id[i]));
    if constexpr (WithEnergy) {
        if (payload.energy) {
            const double u = 0.5 * sums.energy;
            payload.energy[i] = payload.accumulate ? payload.energy[i] + u : u;
        }
        if (payload.virial) {
            const double w = 0.5 * sums.virial;
            payload.virial[i] = payload.accumulate ? payload.virial[i] + w : w;
        }
    }
}

/// The sums of one particle of a cluster.
template <int Dim>
struct Outcome {
    PairSums<Dim, double> sums;
    bool lost;
};

template <bool WithEnergy, int Dim, class State, class Pair, class Rule>
SHADOW_DEVICE Outcome<Dim> sum_staged(const PairForcePayload<Dim, State, Pair>& payload,
                                      const Rule& law, StagedMemory<Dim, Pair>& memory,
                                      std::int64_t cluster, int lane) {
    StagedWarp<Dim, State, Pair, Rule, WithEnergy> pairs(payload.particles, law, memory,
                                                         payload.list, cluster, lane);
    pairs.stage(payload.box);
    return {pairs.sum(), pairs.lost()};
}

template <bool WithEnergy, int Dim, class State, class Pair, class Rule>
SHADOW_DEVICE Outcome<Dim> sum_runs(const PairForcePayload<Dim, State, Pair>& payload,
                                    const Rule& law, WarpMemory<Dim, Pair>& memory,
                                    std::int64_t cluster, int lane) {
    const PairListView& list = payload.list;
    PairWarp<Dim, State, Pair, Rule, pair_cluster_size, WithEnergy> pairs(
        payload.particles, law, memory, list.cluster_begin[cluster], list.cluster_end[cluster],
        lane);
    pairs.add(payload.box, list.runs + cluster * list.stride, list.run_count[cluster]);
    return {pairs.finish(), pairs.lost()};
}

template <class Interaction, int Dim, class State, class Pair, bool OneSpecies, bool WithEnergy>
__global__ void __launch_bounds__(pair_warps<Pair>* warp::lanes, resident_blocks<Pair, WithEnergy>)
    sum_pair_forces(const __grid_constant__ PairForcePayload<Dim, State, Pair> payload) {
    using Rule = Law<Interaction, Pair, OneSpecies>;
    __shared__ ClusterMemory<Dim, Pair> memory[pair_warps<Pair>];
    const int w = static_cast<int>(threadIdx.x) / warp::lanes;
    const int lane = static_cast<int>(threadIdx.x) % warp::lanes;
    const PairListView& list = payload.list;
    const std::int64_t cluster = std::int64_t{blockIdx.x} * pair_warps<Pair> + w;
    if (cluster >= *list.cluster_count) return;
    const std::int32_t begin = list.cluster_begin[cluster], end = list.cluster_end[cluster];
    if (begin >= end) return;

    const Rule law(payload);
    const bool staged = list.staged.row_count && list.staged.row_count[cluster] >= 0;
    const Outcome<Dim> outcome =
        staged ? sum_staged<WithEnergy>(payload, law, memory[w].staged, cluster, lane)
               : sum_runs<WithEnergy>(payload, law, memory[w].runs, cluster, lane);
    const std::int32_t i = begin + lane;
    if (i < end) store<Dim, State, Pair, WithEnergy>(payload, i, outcome.sums, outcome.lost);
}

template <class Interaction, int Dim, class State, class Pair, bool WithEnergy>
void launch_pair_force(Stream& stream, const PairForcePayload<Dim, State, Pair>& payload,
                       unsigned blocks) {
    const auto kernel = payload.species_count == 1
                            ? sum_pair_forces<Interaction, Dim, State, Pair, true, WithEnergy>
                            : sum_pair_forces<Interaction, Dim, State, Pair, false, WithEnergy>;
    enqueue(stream, kernel, blocks, pair_warps<Pair> * warp::lanes, nullptr, payload);
}

/// Tries the interactions one after the other. Only the hot ones have a kernel without energies.
template <int Dim, class State, class Pair, class... I>
void choose_interaction(InteractionList<I...>, Stream& stream,
                        const PairForcePayload<Dim, State, Pair>& payload, unsigned blocks) {
    std::int32_t position = 0;
    const bool with_energy = payload.energy || payload.virial;
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
