// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cuda/pair_sums.hpp"
#include "kernels/staged.hpp"

/// How one warp makes the staged list of a cluster of up to 32 particles, each lane that of its
/// particle, at a rebuild. Distances are in float, with the reach widened by what that may cost: a
/// pair within reach is never missed.
namespace shadow::cuda {

namespace member {

/// Number of the image in which a range is seen; negative: there is none for it.
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
/// Box lengths to add to the positions of an image.
SHADOW_DEVICE int boxes(int image, int direction) {
    for (int d = 0; d < direction; ++d) image /= 3;
    return image % 3 - 1;
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

/// The shared memory of a warp: particles on offer, with their codes in the place of the species.
template <int Dim>
struct StageMemory {
    Candidate<Dim, float> offered[warp::lanes];
};

template <int Dim, class State>
class StageWarp {
  public:
    /// All lanes come with the same particles, begin < end <= begin + 32, and cluster.
    SHADOW_DEVICE StageWarp(const StagePayload<Dim, State>& payload, StageMemory<Dim>& memory,
                            std::int64_t cluster, int lane)
        : payload_(payload), memory_(memory), cluster_(cluster),
          begin_(payload.list.cluster_begin[cluster]), end_(payload.list.cluster_end[cluster]),
          lane_(lane) {
        const StagedList& staged = payload.list.staged;
        member_ = staged.member + cluster * staged.max_members;
        next_ = staged.rows + cluster * staged.max_rows * warp::lanes + lane;
        max_rows_ = staged.max_rows;
        const int last = end_ - begin_ - 1;
        const std::int32_t i = begin_ + (lane < last ? lane : last);
        double x[Dim], sum = 0.0;
        for (int d = 0; d < Dim; ++d) {
            x[d] = static_cast<double>(payload.particles.position.component[d][i]);
            sum += x[d];
        }
        const bool sound = std::fabs(sum) < largest_double;
        double extent = payload.list.reach;
        for (int d = 0; d < Dim; ++d) {
            bound(d, x[d], sound);
            extent += high_[d] - low_[d];
            // A lost particle is in no list and has none: no distance to it is a number.
            mine_[d] = lane <= last && sound ? static_cast<float>(x[d] - centre_[d]) : not_a_number;
        }
        // Coordinates are below the extent, and each of a few roundings is below half an epsilon.
        slack_ = 8.0 * float_epsilon * extent;
        const double reach = payload.list.reach + slack_;
        reach2_ = static_cast<float>(reach * reach);
    }

    /// Leaves the list of the cluster.
    SHADOW_DEVICE void make() {
        // Where rounding is as long as the reach, or all particles are lost, there is no list.
        const bool good = slack_ > 0.0 && slack_ < 0.1 * payload_.list.reach;
        const bool fits = good && take_all() && finish();
        const StagedList& staged = payload_.list.staged;
        if (lane_ > 0) return;
        staged.member_count[cluster_] = fits ? kept_ : 0;
        staged.row_count[cluster_] = fits ? count_ : -1;
        for (int d = 0; d < Dim; ++d) staged.centre[cluster_ * Dim + d] = centre_[d];
    }

  private:
    SHADOW_DEVICE void bound(int d, double x, bool sound) {
        double low = sound ? x : infinity<double>, high = sound ? x : -infinity<double>;
        for (int mask = 1; mask < warp::lanes; mask *= 2) {
            low = std::fmin(low, warp::shuffle_xor(low, mask));
            high = std::fmax(high, warp::shuffle_xor(high, mask));
        }
        low_[d] = low;
        high_[d] = high;
        centre_[d] = 0.5 * low + 0.5 * high;
    }

    SHADOW_DEVICE bool take_all() {
        if (!take<true>({begin_, end_, 0})) return false;
        const NeighbourRange* ranges = payload_.list.ranges + cluster_ * payload_.list.stride;
        const std::int32_t count = payload_.list.range_count[cluster_];
        for (std::int32_t k = 0; k < count; ++k)
            if (!take<false>(ranges[k])) return false;
        return true;
    }

    /// The particles of a range, 32 at a time. `Own`: it is the cluster itself.
    template <bool Own>
    SHADOW_DEVICE bool take(const NeighbourRange& range) {
        const int image = member::image_of<Dim>(range);
        if (image < 0) return false;
        for (std::int32_t base = range.begin; base < range.end; base += warp::lanes)
            if (!keep<Own>(offer(range, image, base))) return false;
        return true;
    }

    /// Puts those within reach of the bounding box into shared memory; returns how many.
    SHADOW_DEVICE int offer(const NeighbourRange& range, int image, std::int32_t base) {
        const std::int32_t j = base + lane_ < range.end ? base + lane_ : range.end - 1;
        Candidate<Dim, float> candidate;
        double outside[Dim];
        for (int d = 0; d < Dim; ++d) {
            const double y = static_cast<double>(payload_.particles.position.component[d][j]) +
                             range.images(d) * payload_.box.length[d];
            candidate.x[d] = static_cast<float>(y - centre_[d]);
            outside[d] = std::fmax(std::fmax(low_[d] - y, y - high_[d]), 0.0);
        }
        candidate.species = static_cast<std::int32_t>(member::pack(j, image));
        const double reach = payload_.list.reach;
        const bool close = base + lane_ < range.end && square<Dim>(outside) < reach * reach;
        const std::uint32_t survivors = warp::ballot(close);
        warp::sync(); // those before have been read
        if (close) memory_.offered[warp::rank(survivors, lane_)] = candidate;
        warp::sync();
        return warp::population(survivors);
    }

    /// Makes those members that are within reach of any particle; false if there is no room.
    template <bool Own>
    SHADOW_DEVICE bool keep(int offered) {
        std::uint32_t members = 0, bit = 1;
        std::int32_t number = kept_;
        SHADOW_UNROLL
        for (int s = 0; s < offered; ++s) {
            const Candidate<Dim, float> other = memory_.offered[s];
            float r[Dim];
            for (int d = 0; d < Dim; ++d) r[d] = mine_[d] - other.x[d];
            bool hit = square<Dim>(r) < reach2_;
            if constexpr (Own)
                hit = hit &&
                      member::particle(static_cast<std::uint32_t>(other.species)) != begin_ + lane_;
            if (hit && payload_.list.exclusions.any())
                hit = !excluded(static_cast<std::uint32_t>(other.species), r);
            if (hit && count_ < max_rows_) *next_ = static_cast<std::uint16_t>(number);
            next_ += hit ? warp::lanes : 0;
            count_ += hit;
            const bool near = warp::ballot(hit) != 0;
            members |= near ? bit : 0u;
            number += near;
            bit <<= 1;
        }
        if (number > payload_.list.staged.max_members) return false;
        if (members >> lane_ & 1u)
            member_[kept_ + warp::rank(members, lane_)] =
                static_cast<std::uint32_t>(memory_.offered[lane_].species);
        kept_ = number;
        return true;
    }

    SHADOW_DEVICE bool excluded(std::uint32_t code, const float (&r)[Dim]) const {
        return payload_.list.exclusions.has(begin_ + lane_, member::particle(code)) &&
               is_nearest(payload_.box, r);
    }

    /// All lanes get equally many rows; the number behind the last member means padding.
    SHADOW_DEVICE bool finish() {
        std::int32_t most = count_;
        for (int mask = 1; mask < warp::lanes; mask *= 2) {
            const std::int32_t other = warp::shuffle_xor(most, mask);
            most = other > most ? other : most;
        }
        if (most > max_rows_) return false;
        const std::int32_t padded = (most + 3) / 4 * 4;
        for (; count_ < padded; ++count_, next_ += warp::lanes)
            *next_ = static_cast<std::uint16_t>(kept_);
        return true;
    }

    static constexpr double float_epsilon = std::numeric_limits<float>::epsilon();
    static constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

    const StagePayload<Dim, State>& payload_;
    StageMemory<Dim>& memory_;
    std::int64_t cluster_;
    std::int32_t begin_, end_;
    int lane_;
    std::uint32_t* member_;
    std::uint16_t* next_; ///< place of the next entry of this lane
    std::int32_t max_rows_;
    double low_[Dim], high_[Dim], centre_[Dim]; ///< of the bounding box
    double slack_;
    float reach2_, mine_[Dim];
    std::int32_t kept_ = 0;  ///< members
    std::int32_t count_ = 0; ///< entries of this lane
};

} // namespace shadow::cuda
