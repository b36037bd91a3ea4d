// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/atomic.hpp"
#include "kernels/cuda/pair_warp.hpp"
#include "kernels/cuda/staged_warp.hpp"
#include "kernels/pair_force.hpp"
#include "kernels/potentials/tabulated.hpp"

/// The pair forces on one cluster of particles, by a team of warps.
namespace shadow::cuda {

/// The count of numbers summed for a particle.
template <int Dim, bool WithEnergy>
inline constexpr int summed_numbers = WithEnergy ? Dim + 1 + tensor_size<Dim> : Dim;

/// Calls `visit(k, number)` for each of these numbers.
template <bool WithEnergy, int Dim, class Visit>
SHADOW_DEVICE void each_number(PairSums<Dim, double>& sums, const Visit& visit) {
    for (int d = 0; d < Dim; ++d) visit(d, sums.force[d]);
    if constexpr (WithEnergy) {
        visit(Dim, sums.energy);
        for (int c = 0; c < tensor_size<Dim>; ++c) visit(Dim + 1 + c, sums.virial[c]);
    }
}

/// The shared memory of a warp, for either kind of list.
template <int Dim, class Pair, bool WithEnergy>
union ClusterMemory {
    StagedMemory<Dim, Pair> staged;
    WarpMemory<Dim, Pair> ranges;
    double sum[summed_numbers<Dim, WithEnergy>][warp::lanes]; ///< for the first warp of the team
};

/// Warps of a block: their total shared memory must stay below 48 KiB.
template <class Pair>
inline constexpr int block_warps = sizeof(Pair) == 8 ? 2 : 4;

/// Warps that share a cluster: large systems have enough clusters for all warps of a GPU; in small
/// ones several warps finish a cluster sooner. A function only of the bound of the number of
/// clusters, since bits depend on it.
template <int Dim, class Pair>
inline int team_warps(std::int64_t clusters) {
    constexpr std::int64_t enough_warps = 2560; // for some 130 multiprocessors
    constexpr int most = Dim == 3 ? block_warps<Pair> : Dim;
    int warps = 1;
    while (2 * warps <= most && 2 * warps * clusters <= enough_warps) warps *= 2;
    return warps;
}

/// Parameters of all pairs of species, looked up for each pair of particles.
template <class Interaction, class Pair, bool OneSpecies>
class Law {
  public:
    static constexpr bool one_species = OneSpecies;
    using Row = typename Interaction::template Of<Pair>;

    template <int Dim>
    SHADOW_DEVICE explicit Law(const PairForcePayload<Dim, Pair>& payload)
        : rows_(reinterpret_cast<const Row*>(payload.table)), count_(payload.species_count),
          ending_(payload.ending), energy_(payload.energy != nullptr),
          cutoff2_(static_cast<Pair>(payload.cutoff * payload.cutoff)) {}

    SHADOW_DEVICE Pair cutoff2() const { return cutoff2_; }
    SHADOW_DEVICE bool needs_energy() const { return Interaction::always_shifted || energy_; }
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
    bool energy_; ///< whether it is needed; hot interactions have kernels without it
    Pair cutoff2_;
};

/// For a single species the parameters stay in registers.
template <class Interaction, class Pair>
class Law<Interaction, Pair, true> {
  public:
    static constexpr bool one_species = true;
    using Row = typename Interaction::template Of<Pair>;

    template <int Dim>
    SHADOW_DEVICE explicit Law(const PairForcePayload<Dim, Pair>& payload)
        : row_(*reinterpret_cast<const Row*>(payload.table)), table_(payload.table),
          ending_(payload.ending), energy_(payload.energy != nullptr) {}

    SHADOW_DEVICE Pair cutoff2() const { return row_.cutoff2; }
    SHADOW_DEVICE bool needs_energy() const { return Interaction::always_shifted || energy_; }
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
    bool energy_; ///< whether it is needed; hot interactions have kernels without it
};

/// Writes the sums of a particle. An overflowing force, or one on a lost particle, sets the status.
template <int Dim, class Pair, bool WithEnergy>
SHADOW_DEVICE void store(const PairForcePayload<Dim, Pair>& payload, std::int32_t i,
                         const PairSums<Dim, double>& sums, bool lost) {
    double largest = 0;
    for (int d = 0; d < Dim; ++d) {
        double& target = payload.force.component[d][i];
        const double force = sums.force[d];
        largest += std::fabs(force);
        target = payload.accumulate ? target + force : force;
    }
    if (lost || !(largest < infinity<double>))
        atomic_keep_lowest(payload.status, 1 + static_cast<std::int32_t>(payload.particles.id[i]));
    if constexpr (WithEnergy) {
        if (payload.energy) {
            const double u = 0.5 * sums.energy;
            payload.energy[i] = payload.accumulate ? payload.energy[i] + u : u;
        }
    }
}

/// Writes the virial of a cluster: the sums of its particles, half of each pair.
template <int Dim>
SHADOW_DEVICE void store_virial(SymmetricTensor<Dim>& part, const double (&mine)[tensor_size<Dim>],
                                bool present, int lane) {
    for (int c = 0; c < tensor_size<Dim>; ++c) {
        double sum = present ? 0.5 * mine[c] : 0.0;
        for (int mask = 1; mask < warp::lanes; mask *= 2) sum += warp::shuffle_xor(sum, mask);
        if (lane == 0) part.component[c] = sum;
    }
}

/// The sums of one warp of a team for the particles of a cluster, a lane for each particle.
template <bool WithEnergy, int Dim, class Pair, class Rule>
class ClusterWarp {
  public:
    using Payload = PairForcePayload<Dim, Pair>;
    using Memory = ClusterMemory<Dim, Pair, WithEnergy>;

    /// `memory` has that of all warps of the team, one after another.
    SHADOW_DEVICE ClusterWarp(const Payload& payload, const Rule& law, Memory* memory,
                              std::int64_t cluster, const TeamMember& member, int lane)
        : payload_(payload), law_(law), memory_(memory), cluster_(cluster), member_(member),
          lane_(lane) {}

    /// The forces on the cluster. `sync` is a barrier of the team; each of its warps calls this.
    template <class Sync>
    SHADOW_DEVICE void sum(const Sync& sync) {
        const ClusterHead head(payload_.list, cluster_);
        const bool first = member_.warp == 0;
        if (head.begin >= head.end) {
            if (WithEnergy && payload_.energy && first && lane_ == 0) payload_.parts[cluster_] = {};
            return;
        }
        if (head.rows >= 0)
            by_staged_list(head, sync);
        else
            by_ranges(head.begin, head.end);
        if (member_.warps > 1) {
            if (!first) give();
            sync();
        }
        if (!first) return;
        for (int w = 1; w < member_.warps; ++w) take(w);
        const std::int32_t i = head.begin + lane_;
        if (i < head.end) store<Dim, Pair, WithEnergy>(payload_, i, sums_, lost_);
        if constexpr (WithEnergy)
            if (payload_.energy)
                store_virial<Dim>(payload_.parts[cluster_], sums_.virial, i < head.end, lane_);
    }

  private:
    template <class Sync>
    SHADOW_DEVICE void by_staged_list(const ClusterHead& head, const Sync& sync) {
        StagedWarp<Dim, Pair, Rule, WithEnergy> pairs(payload_.particles, law_, memory_[0].staged,
                                                      memory_[member_.warp].staged, payload_.list,
                                                      cluster_, head, member_, lane_);
        pairs.stage();
        sync();
        sums_ = pairs.sum();
        lost_ = pairs.lost();
    }

    /// Each warp processes some of the ranges, the first one also the pairs within the cluster.
    SHADOW_DEVICE void by_ranges(std::int32_t begin, std::int32_t end) {
        const PairListView& list = payload_.list;
        PairWarp<Dim, Pair, Rule, pair_cluster_size, WithEnergy> pairs(
            payload_.particles, list.exclusions, law_, memory_[member_.warp].ranges, begin, end,
            lane_, member_.warp == 0);
        const std::int32_t count = list.range_count[cluster_];
        const std::int32_t first = count * member_.warp / member_.warps,
                           last = count * (member_.warp + 1) / member_.warps;
        pairs.add(list.ranges + cluster_ * list.stride + first, last - first);
        sums_ = pairs.finish();
        lost_ = pairs.lost();
    }

    SHADOW_DEVICE void give() {
        each_number<WithEnergy>(
            sums_, [&](int k, double value) { memory_[member_.warp].sum[k][lane_] = value; });
    }
    SHADOW_DEVICE void take(int warp) {
        each_number<WithEnergy>(
            sums_, [&](int k, double& value) { value += memory_[warp].sum[k][lane_]; });
    }

    const Payload& payload_;
    const Rule& law_;
    Memory* memory_;
    std::int64_t cluster_;
    TeamMember member_;
    int lane_;
    PairSums<Dim, double> sums_;
    bool lost_ = false;
};

} // namespace shadow::cuda
