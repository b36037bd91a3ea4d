// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/atomic.hpp"
#include "kernels/cuda/pair_warp.hpp"
#include "kernels/cuda/staged_warp.hpp"
#include "kernels/pair_force.hpp"

/// The pair forces on one cluster of particles, by one warp.
namespace shadow::cuda {

/// The shared memory of a warp, whichever way it goes.
template <int Dim, class Pair>
union ClusterMemory {
    StagedMemory<Dim, Pair> staged;
    WarpMemory<Dim, Pair> ranges;
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
        const PairResult<Pair> result =
            evaluate(row, r2, ending_, reinterpret_cast<const Pair*>(rows_));
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
        : row_(*reinterpret_cast<const Row*>(payload.table)), table_(payload.table),
          ending_(payload.ending) {}

    SHADOW_DEVICE Pair cutoff2() const { return row_.cutoff2; }
    SHADOW_DEVICE bool operator()(Pair r2, std::int32_t, std::int32_t, Pair& f_over_r,
                                  Pair& u) const {
        const PairResult<Pair> result = evaluate(row_, r2, ending_, table_);
        f_over_r = result.f_over_r;
        u = result.u;
        return true;
    }

  private:
    Row row_;
    const Pair* table_;
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
        atomic_keep_lowest(payload.status, 1 + static_cast<std::int32_t>(payload.particles.id[i]));
    if constexpr (WithEnergy) {
        if (payload.energy) {
            const double u = 0.5 * sums.energy;
            payload.energy[i] = payload.accumulate ? payload.energy[i] + u : u;
        }
    }
}

/// Writes the virial of a cluster: what its particles got, each half of the pair.
template <int Dim>
SHADOW_DEVICE void store_virial(SymmetricTensor<Dim>& part, const double (&mine)[tensor_size<Dim>],
                                bool present, int lane) {
    for (int c = 0; c < tensor_size<Dim>; ++c) {
        double sum = present ? 0.5 * mine[c] : 0.0;
        for (int mask = 1; mask < warp::lanes; mask *= 2) sum += warp::shuffle_xor(sum, mask);
        if (lane == 0) part.component[c] = sum;
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
SHADOW_DEVICE Outcome<Dim> sum_ranges(const PairForcePayload<Dim, State, Pair>& payload,
                                      const Rule& law, WarpMemory<Dim, Pair>& memory,
                                      std::int64_t cluster, int lane) {
    const PairListView& list = payload.list;
    PairWarp<Dim, State, Pair, Rule, pair_cluster_size, WithEnergy> pairs(
        payload.particles, payload.box, list.exclusions, law, memory, list.cluster_begin[cluster],
        list.cluster_end[cluster], lane);
    pairs.add(list.ranges + cluster * list.stride, list.range_count[cluster]);
    return {pairs.finish(), pairs.lost()};
}

/// The forces on one cluster, by one warp.
template <bool WithEnergy, int Dim, class State, class Pair, class Rule>
SHADOW_DEVICE void sum_cluster(const PairForcePayload<Dim, State, Pair>& payload, const Rule& law,
                               ClusterMemory<Dim, Pair>& memory, std::int64_t cluster, int lane) {
    const PairListView& list = payload.list;
    const std::int32_t begin = list.cluster_begin[cluster], end = list.cluster_end[cluster];
    if (begin >= end) {
        if (WithEnergy && payload.energy && lane == 0) payload.parts[cluster] = {};
        return;
    }
    const bool staged = list.staged.row_count && list.staged.row_count[cluster] >= 0;
    const Outcome<Dim> outcome =
        staged ? sum_staged<WithEnergy>(payload, law, memory.staged, cluster, lane)
               : sum_ranges<WithEnergy>(payload, law, memory.ranges, cluster, lane);
    const std::int32_t i = begin + lane;
    if (i < end) store<Dim, State, Pair, WithEnergy>(payload, i, outcome.sums, outcome.lost);
    if constexpr (WithEnergy)
        if (payload.energy)
            store_virial<Dim>(payload.parts[cluster], outcome.sums.virial, i < end, lane);
}

} // namespace shadow::cuda
