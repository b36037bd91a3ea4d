// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cuda/stage_warp.hpp"

#include <type_traits>

/// How one warp sums the forces on a cluster of up to 32 particles with a staged list: it brings
/// the members into shared memory, relative to the cluster's centre, and each lane goes through the
/// list of its particle. One owner, a fixed order, no atomics: the bits depend on the list alone.
namespace shadow::cuda {

/// Members in shared memory. Coordinates lie in pieces of at most 16 bytes, next to those of other
/// members, so that lanes which read anywhere spread over all banks.
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
    /// Three doubles are two and one; three floats have their species as a fourth.
    static constexpr bool inside = sizeof(Pair) == 4 && Dim == 3;
    static constexpr int front = sizeof(Pair) == 8 && Dim == 3 ? 2 : Dim;
    static constexpr int size = staged_members<Dim> + 1; ///< the one behind the last is padding
    struct alignas(sizeof(Pair) * (front == 3 ? 1 : front)) Coordinates {
        Pair x[front];
    };
    using Front = std::conditional_t<inside, Candidate<Dim, Pair>, Coordinates>;

    Front front_[size];
    Pair last_[front < Dim ? size : 1];
    std::uint16_t species_[inside ? 1 : size];
};

/// The shared memory of a warp.
template <int Dim, class Pair>
struct StagedMemory {
    Members<Dim, Pair> members;
    double centre[staged_images<Dim>][Dim]; ///< of the cluster, as seen by members of an image
};

template <int Dim, class State, class Pair, class Law, bool WithEnergy>
class StagedWarp {
  public:
    using Memory = StagedMemory<Dim, Pair>;
    using Sums = PairSums<Dim, double>;

    /// All lanes come with the same cluster of a staged list.
    SHADOW_DEVICE StagedWarp(const ParticlesView<Dim, State>& particles, const Law& law,
                             Memory& memory, const PairListView& list, std::int64_t cluster,
                             int lane)
        : particles_(particles), law_(law), memory_(memory), staged_(list.staged),
          cluster_(cluster), lane_(lane) {
        const std::int32_t begin = list.cluster_begin[cluster];
        const int last = list.cluster_end[cluster] - begin - 1;
        const std::int32_t i = begin + (lane < last ? lane : last);
        double sum = 0.0;
        for (int d = 0; d < Dim; ++d) {
            const double x = static_cast<double>(particles.position.component[d][i]);
            mine_.x[d] = static_cast<Pair>(x - staged_.centre[cluster * Dim + d]);
            sum += x;
        }
        mine_.species = Law::one_species ? 0 : particles.species[i];
        lost_ = !(std::fabs(sum) < largest_double);
    }

    /// Brings the members into shared memory.
    SHADOW_DEVICE void stage(const BoxView<Dim>& box) {
        for (int image = lane_; image < staged_images<Dim>; image += warp::lanes)
            for (int d = 0; d < Dim; ++d)
                memory_.centre[image][d] =
                    staged_.centre[cluster_ * Dim + d] - member::boxes(image, d) * box.length[d];
        warp::sync();
        const std::uint32_t* code = staged_.member + cluster_ * staged_.max_members;
        const std::int32_t count = staged_.member_count[cluster_];
        SHADOW_UNROLL
        for (std::int32_t m = lane_; m < count; m += warp::lanes)
            memory_.members.put(m, fetch(code[m]));
        if (lane_ == 0) memory_.members.put(count, padding_candidate<Dim, Pair>());
        warp::sync();
    }

    /// The sums of particle `lane`.
    SHADOW_DEVICE Sums sum() const {
        Sums sums;
        const Pair cutoff2 = bounded_cutoff2<Pair>(law_);
        const std::uint16_t* row = staged_.rows + cluster_ * staged_.max_rows * warp::lanes + lane_;
        const std::int32_t count = staged_.row_count[cluster_];
        std::uint32_t next[4] = {};
        if (count > 0) load(row, next);
        for (std::int32_t first = 0; first < count; first += joined_rows) {
            const std::int32_t end = first + joined_rows < count ? first + joined_rows : count;
            PairSums<Dim, Pair> part;
            for (std::int32_t r = first; r < end; r += 4) {
                std::uint32_t now[4];
                for (int k = 0; k < 4; ++k) now[k] = next[k];
                // The next entries are on their way while these are at work.
                row += 4 * warp::lanes;
                if (r + 4 < count) load(row, next);
                for (const std::uint32_t number : now)
                    add_pair<false, WithEnergy>(
                        law_, cutoff2, mine_,
                        memory_.members.template get<!Law::one_species>(number), false, part);
            }
            join<WithEnergy>(sums, part);
        }
        return sums;
    }

    /// Is the position of particle `lane` not finite? Its force is meaningless then.
    SHADOW_DEVICE bool lost() const { return lost_; }

  private:
    /// Rows summed in the precision of pairs before they join the sums in double.
    static constexpr std::int32_t joined_rows = 32;

    SHADOW_DEVICE Candidate<Dim, Pair> fetch(std::uint32_t code) const {
        const std::int32_t j = member::particle(code);
        const double* centre = memory_.centre[member::image(code)];
        Candidate<Dim, Pair> other;
        for (int d = 0; d < Dim; ++d) {
            const double x = static_cast<double>(particles_.position.component[d][j]);
            const Pair relative = static_cast<Pair>(x - centre[d]);
            // A particle lost since the rebuild must not make the forces on others infinite.
            other.x[d] = std::fabs(relative) < far_away<Pair> ? relative : far_away<Pair>;
        }
        other.species = Law::one_species ? 0 : particles_.species[j];
        return other;
    }

    static SHADOW_DEVICE void load(const std::uint16_t* row, std::uint32_t (&number)[4]) {
        for (int k = 0; k < 4; ++k) number[k] = row[k * warp::lanes];
    }

    const ParticlesView<Dim, State>& particles_;
    const Law& law_;
    Memory& memory_;
    const StagedList& staged_;
    std::int64_t cluster_;
    int lane_;
    bool lost_;
    Candidate<Dim, Pair> mine_;
};

} // namespace shadow::cuda
