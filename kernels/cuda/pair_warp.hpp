// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cuda/pair_sums.hpp"
#include "kernels/views.hpp"

/// How one warp sums the forces on one cluster of C particles. Its lanes are C particles times
/// 32 / C slots. It streams the particles of the cluster's neighbour ranges 32 at a time, keeps
/// those within the cut-off of the cluster's bounding box in shared memory, and when there are
/// enough of them, slot s takes every (32 / C)-th of them for its particle. One owner, a fixed
/// order, no atomics: the bits depend on the list alone.
namespace shadow::cuda {

/// Up to 32 neighbour ranges concatenated: candidate q with stop[k - 1] <= q < stop[k] is particle
/// first[k] + q.
template <int Dim>
struct RangeWindow {
    std::int32_t stop[warp::lanes];
    std::int32_t first[warp::lanes];
    double centre[Dim][warp::lanes]; ///< of the cluster, relative to the image of the range
};

/// The shared memory of a warp.
template <int Dim, class Pair>
struct WarpMemory {
    static constexpr int capacity = sizeof(Pair) == 4 ? 128 : 64;
    Candidate<Dim, Pair> near[capacity];
    std::int32_t index[capacity]; ///< memory indices of these, if there are excluded pairs
    RangeWindow<Dim> window;
};

template <int Dim, class Pair, class Law, int C, bool WithEnergy>
class PairWarp {
  public:
    static constexpr int slots = warp::lanes / C;
    static_assert(C * slots == warp::lanes);
    using Memory = WarpMemory<Dim, Pair>;
    using Sums = PairSums<Dim, double>;

    /// Called by all lanes with the same particles, begin < end <= begin + C. `with_own`: pairs
    /// within the cluster are summed.
    SHADOW_DEVICE PairWarp(const ParticlesView<Dim>& particles, const ExclusionView& exclusions,
                           const Law& law, Memory& memory, std::int32_t begin, std::int32_t end,
                           int lane, bool with_own = true)
        : particles_(particles), box_(*particles.box), exclusions_(exclusions), law_(law),
          memory_(memory), lane_(lane) {
        cutoff2_ = bounded_cutoff2<Pair>(law);
        // Lanes after the last particle repeat it; their results are not stored.
        const int last = end - begin - 1;
        const std::int32_t i = begin + (lane % C < last ? lane % C : last);
        double x[Dim], sum = 0.0;
        for (int d = 0; d < Dim; ++d) {
            x[d] = particles.position.component[d][i];
            sum += x[d];
        }
        // The centre is the first finite particle: a lost one must not spoil the others.
        lost_ = !(std::fabs(sum) < largest_double);
        const std::uint32_t sound = warp::ballot(!lost_);
        const int reference = sound ? warp::lowest(sound) : 0;
        for (int d = 0; d < Dim; ++d) centre_box(d, x[d], warp::shuffle(x[d], reference));
        mine_.species = Law::one_species ? 0 : particles.species[i];
        particle_ = i;
        if (!with_own) return;
        if (lane <= last) wait(lane, mine_, i);
        drain<true>(last + 1);
    }

    /// Adds the particles of `count` ranges.
    SHADOW_DEVICE void add(const NeighbourRange* ranges, std::int32_t count) {
        int waiting = 0;
        for (std::int32_t w = 0; w < count; w += warp::lanes) {
            const std::int32_t total = open_window(ranges + w, count - w);
            int k = 0;
            for (std::int32_t base = 0; base < total; base += warp::lanes) {
                waiting = filter(base + lane_, total, k, waiting);
                if (waiting > Memory::capacity - warp::lanes) {
                    drain<false>(waiting);
                    waiting = 0;
                }
            }
        }
        drain<false>(waiting);
    }

    /// The sums of particle lane % C, identical in all its slots.
    SHADOW_DEVICE Sums finish() {
        for (int mask = C; mask < warp::lanes; mask *= 2) {
            for (int d = 0; d < Dim; ++d) sums_.force[d] += warp::shuffle_xor(sums_.force[d], mask);
            if constexpr (WithEnergy) {
                sums_.energy += warp::shuffle_xor(sums_.energy, mask);
                for (double& v : sums_.virial) v += warp::shuffle_xor(v, mask);
            }
        }
        return sums_;
    }

    /// Whether the position of particle lane % C is not finite. Its force is then meaningless.
    SHADOW_DEVICE bool lost() const { return lost_; }

  private:
    /// Moves the centre to the middle of the cluster's bounding box in direction d.
    SHADOW_DEVICE void centre_box(int d, double x, double reference) {
        Pair low = static_cast<Pair>(x - reference), high = low;
        for (int mask = 1; mask < C; mask *= 2) {
            low = std::fmin(low, warp::shuffle_xor(low, mask));
            high = std::fmax(high, warp::shuffle_xor(high, mask));
        }
        centre_[d] = reference + static_cast<double>(Pair(0.5) * (low + high));
        mine_.x[d] = static_cast<Pair>(x - centre_[d]);
        // Since low <= 0 <= high, rounding errors are below 4 epsilon (high - low): |mine_.x| <=
        // half_.
        half_[d] = (Pair(0.5) + 8 * epsilon) * (high - low);
    }

    /// Joins up to 32 ranges; returns their number of candidates.
    SHADOW_DEVICE std::int32_t open_window(const NeighbourRange* ranges, std::int32_t count) {
        RangeWindow<Dim>& window = memory_.window;
        NeighbourRange range{0, 0, 0};
        if (lane_ < count) range = ranges[lane_];
        const std::int32_t length = range.end - range.begin;
        const std::int32_t stop = warp::inclusive_scan(length, lane_);
        warp::sync(); // the last window has been read
        window.stop[lane_] = stop;
        window.first[lane_] = range.begin - (stop - length);
        for (int d = 0; d < Dim; ++d) window.centre[d][lane_] = centre_[d] - range.offset(box_, d);
        warp::sync();
        return warp::shuffle(stop, warp::lanes - 1);
    }

    /// Each lane tests candidate q, which is in range k or a later one; returns how many are
    /// waiting.
    SHADOW_DEVICE int filter(std::int32_t q, std::int32_t total, int& k, int waiting) {
        const RangeWindow<Dim>& window = memory_.window;
        const std::int32_t at = q < total ? q : total - 1; // all lanes stay active
        while (at >= window.stop[k]) ++k;
        const std::int32_t j = window.first[k] + at;
        Candidate<Dim, Pair> candidate;
        Pair outside[Dim];
        for (int d = 0; d < Dim; ++d) {
            const double x = particles_.position.component[d][j];
            candidate.x[d] = static_cast<Pair>(x - window.centre[d][k]);
            outside[d] = std::fmax(std::fabs(candidate.x[d]) - half_[d], Pair(0));
        }
        candidate.species = Law::one_species ? 0 : particles_.species[j];
        // Rounded like a distance, and so never above that of a pair within the cut-off.
        const bool close = (q < total) & (square<Dim>(outside) < cutoff2_);
        const std::uint32_t survivors = warp::ballot(close);
        if (close) wait(waiting + warp::rank(survivors, lane_), candidate, j);
        return waiting + warp::population(survivors);
    }

    SHADOW_DEVICE void wait(int place, const Candidate<Dim, Pair>& candidate, std::int32_t j) {
        memory_.near[place] = candidate;
        if (exclusions_.any()) memory_.index[place] = j;
    }

    /// Whether the pair of this lane's particle and waiting candidate n is excluded.
    SHADOW_DEVICE bool excluded(int n) const {
        if (!exclusions_.has(particle_, memory_.index[n])) return false;
        Pair r[Dim];
        for (int d = 0; d < Dim; ++d) r[d] = mine_.x[d] - memory_.near[n].x[d];
        return is_nearest(box_, r);
    }

    /// Every lane processes the waiting candidates of its slot. `Own`: they are the cluster itself.
    template <bool Own>
    SHADOW_DEVICE void drain(int waiting) {
        if (waiting <= 0) return; // the same for every lane
        const int padded = (waiting + slots - 1) / slots * slots;
        if (lane_ < padded - waiting)
            memory_.near[waiting + lane_] = padding_candidate<Dim, Pair>();
        warp::sync();
        PairSums<Dim, Pair> part;
        if (exclusions_.any()) {
            for (int n = lane_ / C; n < padded; n += slots)
                add_pair<Own, WithEnergy>(law_, cutoff2_, mine_, memory_.near[n],
                                          (Own && n == lane_ % C) || (n < waiting && excluded(n)),
                                          part);
        } else {
            SHADOW_UNROLL
            for (int n = lane_ / C; n < padded; n += slots)
                // A lost member of the cluster itself is NaN.
                add_pair<Own, WithEnergy>(law_, cutoff2_, mine_, memory_.near[n],
                                          Own && n == lane_ % C, part);
        }
        join<WithEnergy>(sums_, part);
        warp::sync();
    }

    static constexpr Pair epsilon = std::numeric_limits<Pair>::epsilon();

    const ParticlesView<Dim>& particles_;
    const BoxView<Dim>& box_;
    const ExclusionView& exclusions_;
    const Law& law_;
    Memory& memory_;
    Pair cutoff2_;
    int lane_;
    bool lost_;
    std::int32_t particle_ = 0; ///< of this lane
    double centre_[Dim];
    Candidate<Dim, Pair> mine_;
    Pair half_[Dim]; ///< of the bounding box
    Sums sums_;
};

} // namespace shadow::cuda
