// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cuda/stage_warp.hpp"

#include <type_traits>

/// How a team of warps sums the forces on a cluster of up to 32 particles with a staged list: they
/// load the members into shared memory, relative to the cluster's centre, and each lane goes
/// through a part of the list of its particle. A fixed order, no atomics: the bits depend only on
/// the list.
namespace shadow::cuda {

/// Members in shared memory. Coordinates are stored in pieces of at most 16 bytes, next to those of
/// other members, so that reads by the lanes spread over all banks.
template <int Dim, class Pair>
class Members {
  public:
    SHADOW_DEVICE void put(std::int32_t m, const Candidate<Dim, Pair>& member) {
        for (int d = 0; d < front; ++d) front_[m].x[d] = member.x[d];
        if constexpr (front < Dim) last_[m] = member.x[Dim - 1];
        if constexpr (inside)
            front_[m].species = member.species;
        else
            species_[m] = static_cast<std::uint16_t>(member.species);
    }
    /// `WithSpecies`: false leaves it 0.
    template <bool WithSpecies>
    SHADOW_DEVICE Candidate<Dim, Pair> get(std::uint32_t m) const {
        Candidate<Dim, Pair> member;
        const Front piece = front_[m];
        for (int d = 0; d < front; ++d) member.x[d] = piece.x[d];
        if constexpr (front < Dim) member.x[Dim - 1] = last_[m];
        if constexpr (!WithSpecies)
            member.species = 0;
        else if constexpr (inside)
            member.species = piece.species;
        else
            member.species = species_[m];
        return member;
    }

  private:
    /// Three doubles are stored as two and one; three floats have their species as a fourth.
    static constexpr bool inside = sizeof(Pair) == 4 && Dim == 3;
    static constexpr int front = sizeof(Pair) == 8 && Dim == 3 ? 2 : Dim;
    static constexpr int size = staged_members<Dim> + 1; ///< the one after the last is padding
    struct alignas(sizeof(Pair) * (front == 3 ? 1 : front)) Coordinates {
        Pair x[front];
    };
    using Front = std::conditional_t<inside, Candidate<Dim, Pair>, Coordinates>;

    Front front_[size];
    Pair last_[front < Dim ? size : 1];
    std::uint16_t species_[inside ? 1 : size];
};

/// The shared memory of a warp. All of a team use the members of the first one.
template <int Dim, class Pair>
struct StagedMemory {
    Members<Dim, Pair> members;
    double centre[staged_images<Dim>][Dim]; ///< of the cluster, relative to members of an image
};

/// A warp of a team.
struct TeamMember {
    int warp, warps;
};

/// The data of a cluster that are needed first. Loaded together, since each memory access has a
/// long latency.
struct ClusterHead {
    std::int32_t begin, end;  ///< particles
    std::int32_t rows = -1;   ///< of its staged list; -1: it has none
    std::int32_t members = 0; ///< likewise

    SHADOW_DEVICE ClusterHead(const PairListView& list, std::int64_t cluster)
        : begin(list.cluster_begin[cluster]), end(list.cluster_end[cluster]) {
        if (!list.staged.row_count) return;
        rows = list.staged.row_count[cluster];
        members = list.staged.member_count[cluster];
    }
};

template <int Dim, class Pair, class Law, bool WithEnergy>
class StagedWarp {
  public:
    using Memory = StagedMemory<Dim, Pair>;
    using Sums = PairSums<Dim, double>;

    /// Called by all lanes with the same cluster of a staged list; `team` is the memory of the
    /// first warp.
    SHADOW_DEVICE StagedWarp(const ParticlesView<Dim>& particles, const Law& law, Memory& team,
                             Memory& own, const PairListView& list, std::int64_t cluster,
                             const ClusterHead& head, const TeamMember& member, int lane)
        : particles_(particles), law_(law), members_(team.members), memory_(own),
          staged_(list.staged), cluster_(cluster), member_(member), lane_(lane),
          count_(head.members) {
        code_ = staged_.member + cluster * staged_.max_members;
        const std::int32_t fours = head.rows / entries_in_one;
        const std::int32_t first = fours * member.warp / member.warps;
        fours_ = fours * (member.warp + 1) / member.warps - first;
        row_ = staged_.rows + (cluster * (staged_.max_rows / entries_in_one) + first) * warp::lanes;
        // The list comes from main memory, once: the latency must not be paid step by step.
        warp::prefetch(code_, count_, lane);
        warp::prefetch(row_, fours_ * warp::lanes, lane);
        row_ += lane;
        next_ = fours_ > 0 ? *row_ : 0;
        load_codes(member.warp * warp::lanes + lane);
        const int last = head.end - head.begin - 1;
        const std::int32_t i = head.begin + (lane < last ? lane : last);
        double sum = 0.0;
        for (int d = 0; d < Dim; ++d) {
            const double x = particles.position.component[d][i];
            mine_.x[d] = static_cast<Pair>(x - centre(d));
            sum += x;
        }
        mine_.species = Law::one_species ? 0 : particles.species[i];
        lost_ = !(std::fabs(sum) < largest_double);
    }

    /// Loads its part of the members into shared memory; the team must then synchronise.
    SHADOW_DEVICE void stage() {
        static_assert(staged_images<Dim> <= warp::lanes);
        if (lane_ < staged_images<Dim>) {
            NeighbourRange image{0, 0, 0};
            for (int d = 0, rest = lane_; d < Dim; ++d, rest /= 3)
                image.shift |= NeighbourRange::pack(d, rest % 3 - 1);
            for (int d = 0; d < Dim; ++d)
                memory_.centre[lane_][d] = centre(d) - image.offset(*particles_.box, d);
        }
        warp::sync();
        const std::int32_t step = at_once * member_.warps * warp::lanes;
        for (std::int32_t first = member_.warp * warp::lanes; first < count_; first += step)
            fetch(first + lane_, first + step < count_);
        if (member_.warp == 0 && lane_ == 0) members_.put(count_, padding_candidate<Dim, Pair>());
    }

    /// The force on particle `lane` by this warp's part of its list.
    SHADOW_DEVICE Sums sum() {
        Sums sums;
        const Pair cutoff2 = bounded_cutoff2<Pair>(law_);
        while (fours_ > 0) {
            const std::int32_t stop = fours_ > joined_fours ? fours_ - joined_fours : 0;
            PairSums<Dim, Pair> part;
            SHADOW_UNROLL_TWICE
            while (fours_ > stop) {
                const std::uint64_t now = next_;
                // The next entries are loaded while these are processed.
                row_ += warp::lanes;
                if (--fours_ > 0) next_ = *row_;
                for (int k = 0; k < entries_in_one; ++k) {
                    const auto number = static_cast<std::uint32_t>(now >> k * entry_bits & 0xFFFF);
                    add_pair<false, WithEnergy>(law_, cutoff2, mine_,
                                                members_.template get<!Law::one_species>(number),
                                                false, part);
                }
            }
            join<WithEnergy>(sums, part);
        }
        return sums;
    }

    /// Whether the position of particle `lane` is not finite. Its force is then meaningless.
    SHADOW_DEVICE bool lost() const { return lost_; }

  private:
    /// Of the cluster: where images slide it moves with the flow.
    [[nodiscard]] SHADOW_DEVICE double centre(int d) const {
        const double* built = staged_.centre + cluster_ * Dim;
        const BoxView<Dim>& box = *particles_.box;
        if (!box.sliding.any() || d != box.sliding.flow) return built[d];
        const int y = box.sliding.gradient;
        const double strain = (box.sliding.slide - *staged_.slide) / box.length[y];
        return built[d] + strain * (built[y] - box.origin[y] - 0.5 * box.length[y]);
    }

    /// Entries, four each, summed in the precision of pairs before they join the sums in double.
    static constexpr std::int32_t joined_fours = 8;

    /// Members that a lane loads together, because of the latency of memory.
    static constexpr int at_once = 4;

    /// The codes of member m and those loaded with it; of the first one if there are no more.
    SHADOW_DEVICE void load_codes(std::int32_t m) {
        const std::int32_t stride = member_.warps * warp::lanes;
        for (int k = 0; k < at_once; ++k)
            which_[k] = code_[m + k * stride < count_ ? m + k * stride : 0];
    }

    /// Loads the members whose codes have been loaded, from m on. `more`: there are others after
    /// them, whose codes are loaded meanwhile.
    SHADOW_DEVICE void fetch(std::int32_t m, bool more) {
        const std::int32_t stride = member_.warps * warp::lanes;
        std::uint32_t which[at_once];
        double x[at_once][Dim];
        std::int32_t species[at_once] = {};
        for (int k = 0; k < at_once; ++k) which[k] = which_[k];
        if (more) load_codes(m + at_once * stride);
        for (int k = 0; k < at_once; ++k) {
            const std::int32_t j = member::particle(which[k]);
            for (int d = 0; d < Dim; ++d) x[k][d] = particles_.position.component[d][j];
            if (!Law::one_species) species[k] = particles_.species[j];
        }
        for (int k = 0; k < at_once; ++k) {
            const double* centre = memory_.centre[member::image(which[k])];
            Candidate<Dim, Pair> other;
            for (int d = 0; d < Dim; ++d) {
                const Pair relative = static_cast<Pair>(x[k][d] - centre[d]);
                // A particle lost since the rebuild must not make the forces on other particles
                // infinite.
                other.x[d] = std::fabs(relative) < far_away<Pair> ? relative : far_away<Pair>;
            }
            other.species = species[k];
            if (m + k * stride < count_) members_.put(m + k * stride, other);
        }
    }

    const ParticlesView<Dim>& particles_;
    const Law& law_;
    Members<Dim, Pair>& members_;
    Memory& memory_;
    const StagedList& staged_;
    std::int64_t cluster_;
    TeamMember member_;
    int lane_;
    bool lost_;
    Candidate<Dim, Pair> mine_;
    const std::uint32_t* code_;    ///< of members
    std::int32_t count_;           ///< their number
    std::uint32_t which_[at_once]; ///< codes of the next members
    std::int32_t fours_;           ///< remaining entries, four each
    const std::uint64_t* row_;     ///< the next ones, already loaded:
    std::uint64_t next_;
};

} // namespace shadow::cuda
