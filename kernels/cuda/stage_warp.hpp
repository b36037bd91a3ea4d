// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cuda/bank_order.hpp"
#include "kernels/cuda/pair_sums.hpp"
#include "kernels/staged.hpp"

/// How one warp builds the staged list of a cluster of up to 32 particles at a rebuild, each lane
/// that of its particle. Distances are in float, with the reach enlarged by the rounding error: a
/// pair within reach is never missed.
namespace shadow::cuda {

namespace member {

/// Number of the image of a range, whose digits to the base of 3 are 1 plus the box
/// lengths to add to positions; negative: the image has no number.
template <int Dim>
SHADOW_DEVICE int image_of(const NeighbourRange& range) {
    int image = 0;
    for (int d = Dim - 1; d >= 0; --d) {
        const int k = range.images(d);
        if (k < -1 || k > 1) return -1;
        image = 3 * image + k + 1;
    }
    return image;
}
SHADOW_DEVICE std::uint32_t pack(std::int32_t particle, int image) {
    return static_cast<std::uint32_t>(particle) | static_cast<std::uint32_t>(image)
                                                      << staged_index_bits;
}
SHADOW_DEVICE std::int32_t particle(std::uint32_t code) {
    return static_cast<std::int32_t>(code & ((std::uint32_t{1} << staged_index_bits) - 1u));
}
SHADOW_DEVICE int image(std::uint32_t code) {
    return static_cast<int>(code >> staged_index_bits);
}

} // namespace member

/// A particle that may become a member, relative to the centre of the cluster.
template <int Dim>
struct alignas(Dim == 1 ? 8 : 16) Offer {
    float x[Dim];
    float x2; ///< its square
};

/// A particle of the cluster: another particle b is within reach if b^2 - 2 a.b < c^2 - a^2.
template <int Dim>
struct alignas(Dim == 1 ? 8 : 16) Reach {
    float minus_double[Dim]; ///< -2 a
    float most;              ///< c^2 - a^2
};

/// The shared memory of a warp: the cluster, and particles on offer, which are tested together once
/// there are 32.
template <int Dim>
struct StageMemory {
    Reach<Dim> cluster[warp::lanes];
    Offer<Dim> offered[2 * warp::lanes];
    std::uint32_t code[2 * warp::lanes];
    BankOrderMemory<Dim> order;
};

template <int Dim>
class StageWarp {
  public:
    /// Called by all lanes with the same particles, begin < end <= begin + 32, and cluster.
    SHADOW_DEVICE StageWarp(const StagePayload<Dim>& payload, StageMemory<Dim>& memory,
                            std::int64_t cluster, int lane)
        : payload_(payload), memory_(memory), order_(memory.order, lane), cluster_(cluster),
          begin_(payload.list.cluster_begin[cluster]), end_(payload.list.cluster_end[cluster]),
          lane_(lane) {
        const StagedList& staged = payload.list.staged;
        member_ = staged.member + cluster * staged.max_members;
        const int last = end_ - begin_ - 1;
        const std::int32_t i = begin_ + (lane < last ? lane : last);
        double x[Dim], sum = 0.0;
        for (int d = 0; d < Dim; ++d) {
            x[d] = payload.particles.position.component[d][i];
            sum += x[d];
        }
        const bool sound = std::fabs(sum) < largest_double;
        double extent = payload.list.reach;
        float mine[Dim];
        for (int d = 0; d < Dim; ++d) {
            const double width = bound(d, x[d], sound);
            extent += width;
            half_[d] = static_cast<float>(0.5 * width);
            // A lost particle is in no list and has none: all distances to it are NaN.
            mine[d] = lane <= last && sound ? static_cast<float>(x[d] - centre_[d]) : not_a_number;
            memory.cluster[lane].minus_double[d] = -2.0f * mine[d];
        }
        // Coordinates are below the extent, and each of some ten rounding errors of their squares
        // and products is below half an epsilon.
        const double reach2 = payload.list.reach * payload.list.reach;
        const double slack = 16.0 * float_epsilon * extent * extent;
        good_ = slack > 0.0 && slack < 0.2 * reach2;
        reach2_ = static_cast<float>(reach2 + slack);
        memory.cluster[lane].most = reach2_ - square<Dim>(mine);
    }

    /// Writes the list of the cluster.
    SHADOW_DEVICE void make() {
        // If rounding is as long as the reach, or all particles are lost, there is no list.
        const std::int32_t rows = good_ && take_all() ? write_rows() : -1;
        const StagedList& staged = payload_.list.staged;
        if (lane_ > 0) return;
        staged.member_count[cluster_] = rows >= 0 ? kept_ : 0;
        staged.row_count[cluster_] = rows;
        for (int d = 0; d < Dim; ++d) staged.centre[cluster_ * Dim + d] = centre_[d];
    }

  private:
    SHADOW_DEVICE double bound(int d, double x, bool sound) {
        double low = sound ? x : infinity<double>, high = sound ? x : -infinity<double>;
        for (int mask = 1; mask < warp::lanes; mask *= 2) {
            low = std::fmin(low, warp::shuffle_xor(low, mask));
            high = std::fmax(high, warp::shuffle_xor(high, mask));
        }
        centre_[d] = 0.5 * low + 0.5 * high;
        return high - low;
    }

    SHADOW_DEVICE bool take_all() {
        Seen own = seen({begin_, end_, 0}, 0);
        load(begin_ + lane_, end_, own.x);
        offer<true>(own);
        if (!keep<true>()) return false;
        const NeighbourRange* ranges = payload_.list.ranges + cluster_ * payload_.list.stride;
        const std::int32_t count = payload_.list.range_count[cluster_];
        for (std::int32_t k = 0; k < count; k += warp::lanes)
            if (!take(ranges + k, count - k < warp::lanes ? count - k : warp::lanes)) return false;
        if (offered_ > 0 && !keep<false>()) return false;
        order_.take(kept_, true);
        return true;
    }

    /// The particles of up to 32 ranges, 32 at a time; the next ones are loaded meanwhile.
    SHADOW_DEVICE bool take(const NeighbourRange* ranges, std::int32_t count) {
        NeighbourRange of_lane{0, 0, 0};
        if (lane_ < count) of_lane = ranges[lane_];
        std::int32_t k = 0;
        Seen next = seen(of_lane, k);
        load(next.base + lane_, next.end, next.x);
        while (k < count) {
            const Seen now = next;
            if (now.image < 0) return false;
            next.base += warp::lanes;
            if (next.base >= next.end && ++k < count) next = seen(of_lane, k);
            if (k < count) load(next.base + lane_, next.end, next.x);
            offer<false>(now);
            if (offered_ >= warp::lanes && !keep<false>()) return false;
        }
        return true;
    }

    /// A range, its first loaded particle, and the cluster's centre relative to its image.
    struct Seen {
        std::int32_t base, end;
        int image;
        double x[Dim], centre[Dim];
    };

    /// The range of a lane, broadcast to all.
    SHADOW_DEVICE Seen seen(const NeighbourRange& of_lane, int from) const {
        const NeighbourRange range{warp::shuffle(of_lane.begin, from),
                                   warp::shuffle(of_lane.end, from),
                                   warp::shuffle(of_lane.shift, from)};
        Seen found{range.begin, range.end, member::image_of<Dim>(range), {}, {}};
        for (int d = 0; d < Dim; ++d)
            found.centre[d] = centre_[d] - range.offset(*payload_.particles.box, d);
        return found;
    }

    SHADOW_DEVICE void load(std::int32_t j, std::int32_t end, double (&x)[Dim]) const {
        const std::int32_t at = j < end ? j : end - 1;
        for (int d = 0; d < Dim; ++d) x[d] = payload_.particles.position.component[d][at];
    }

    /// Puts those of 32 particles that are within reach of the bounding box into shared memory.
    /// `Own`: they are the cluster itself, and particle k goes into entry k.
    template <bool Own>
    SHADOW_DEVICE void offer(const Seen& now) {
        Offer<Dim> candidate;
        float outside[Dim];
        for (int d = 0; d < Dim; ++d) {
            candidate.x[d] = static_cast<float>(now.x[d] - now.centre[d]);
            outside[d] = std::fmax(std::fabs(candidate.x[d]) - half_[d], 0.0f);
        }
        candidate.x2 = square<Dim>(candidate.x);
        const std::int32_t j = now.base + lane_;
        const bool close = j < now.end && (Own || square<Dim>(outside) < reach2_);
        const std::uint32_t survivors = warp::ballot(close);
        if (close) {
            const int to = offered_ + warp::rank(survivors, lane_);
            memory_.offered[to] = candidate;
            memory_.code[to] = member::pack(j, now.image);
        }
        offered_ += warp::population(survivors);
    }

    /// Makes those of the first 32 on offer members that are within reach of any particle; false if
    /// there is no room. `Own`: they are the cluster itself.
    template <bool Own>
    SHADOW_DEVICE bool keep() {
        warp::sync();
        const Offer<Dim> mine = memory_.offered[lane_];
        const std::uint32_t code = memory_.code[lane_];
        std::uint32_t near = 0;
        SHADOW_UNROLL_LANES
        for (int s = 0; s < warp::lanes; ++s) {
            const Reach<Dim> other = memory_.cluster[s];
            float further = mine.x2;
            for (int d = 0; d < Dim; ++d)
                further = std::fma(other.minus_double[d], mine.x[d], further);
            if (further < other.most) near |= std::uint32_t{1} << s;
        }
        if (lane_ >= offered_) near = 0;
        if (Own) near &= ~(std::uint32_t{1} << lane_);
        if (payload_.list.exclusions.any()) near = without_excluded(near, mine, code);
        const std::uint32_t members = warp::ballot(near != 0);
        const std::int32_t kept = kept_ + warp::population(members);
        if (kept > payload_.list.staged.max_members) return false;
        if (near != 0) {
            const std::int32_t m = kept_ + warp::rank(members, lane_);
            member_[m] = code;
            order_.note(m, near);
        }
        kept_ = kept;
        move_up();
        order_.take(kept_, false);
        return true;
    }

    /// `near` without the particles of the cluster that have no interaction with this one.
    SHADOW_DEVICE std::uint32_t without_excluded(std::uint32_t near, const Offer<Dim>& mine,
                                                 std::uint32_t code) const {
        std::uint32_t left = near;
        for (; near != 0; near &= near - 1) {
            const int s = warp::lowest(near);
            float r[Dim];
            for (int d = 0; d < Dim; ++d)
                r[d] = -0.5f * memory_.cluster[s].minus_double[d] - mine.x[d];
            if (payload_.list.exclusions.has(begin_ + s, member::particle(code)) &&
                is_nearest(*payload_.particles.box, r))
                left &= ~(std::uint32_t{1} << s);
        }
        return left;
    }

    /// Moves those on offer after the first 32 to the front.
    SHADOW_DEVICE void move_up() {
        offered_ = offered_ > warp::lanes ? offered_ - warp::lanes : 0;
        warp::sync();
        if (lane_ < offered_) {
            memory_.offered[lane_] = memory_.offered[warp::lanes + lane_];
            memory_.code[lane_] = memory_.code[warp::lanes + lane_];
        }
        warp::sync();
    }

    /// Writes the entries of all particles and returns the number of rows, the same for all; -1 if
    /// there is no room. The number after the last member is padding.
    SHADOW_DEVICE std::int32_t write_rows() {
        std::int32_t most = order_.size();
        for (int mask = 1; mask < warp::lanes; mask *= 2) {
            const std::int32_t other = warp::shuffle_xor(most, mask);
            most = other > most ? other : most;
        }
        const StagedList& staged = payload_.list.staged;
        if (most > staged.max_rows) return -1;
        const std::int32_t fours = (most + entries_in_one - 1) / entries_in_one;
        std::uint64_t* row =
            staged.rows + cluster_ * (staged.max_rows / entries_in_one) * warp::lanes + lane_;
        for (std::int32_t k = 0; k < fours; ++k, row += warp::lanes) {
            std::uint64_t four = 0;
            for (int e = 0; e < entries_in_one; ++e)
                four |= static_cast<std::uint64_t>(order_.next(kept_)) << e * entry_bits;
            *row = four;
        }
        return fours * entries_in_one;
    }

    static constexpr double float_epsilon = std::numeric_limits<float>::epsilon();
    static constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

    const StagePayload<Dim>& payload_;
    StageMemory<Dim>& memory_;
    BankOrder<Dim> order_;
    std::int64_t cluster_;
    std::int32_t begin_, end_;
    int lane_;
    std::uint32_t* member_;
    int offered_ = 0;
    double centre_[Dim];
    bool good_;
    float half_[Dim]; ///< of the bounding box
    float reach2_;
    std::int32_t kept_ = 0; ///< members
};

} // namespace shadow::cuda
