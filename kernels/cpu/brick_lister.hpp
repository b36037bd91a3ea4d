// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cpu/tile_pack.hpp"
#include "kernels/cpu/tile_views.hpp"

namespace shadow::SHADOW_ISA {

/// Lists block and tiles of one brick after the other.
template <int Dim>
class BrickLister {
  public:
    BrickLister(const TileGeometry<Dim>& geometry, const BlockRoom<Dim>& room)
        : g_(geometry), room_(room),
          reach2_(static_cast<float>(g_.reach * g_.reach * (1.0 + reach_margin))) {}

    /// False if there was not room enough; then nothing counts.
    bool list(std::int32_t brick, TileOutput& out) {
        brick_ = brick;
        out_ = &out;
        fours_ = 0;
        const std::int32_t own = g_.first_four[brick + 1] - g_.first_four[brick];
        const std::int32_t segments = out.segments, tiles = out.tiles;
        if (!(add_brick(brick, 0, false) && add_others() && add_tiles(own))) return false;
        drop_unmet(own, segments, tiles);
        out.fours += fours_;
        return true;
    }

  private:
    using P = pack<float, lanes<float>>;
    /// Covers the rounding of coordinates in float, of a few reaches at most.
    static constexpr double reach_margin = 1e-5;

    /// The bricks in the runs of this one's cluster, and the others of the cluster.
    bool add_others() {
        const std::int32_t cluster = g_.cluster[brick_];
        for (std::int32_t b = brick_ + 1; b < g_.first_brick[cluster + 1]; ++b)
            if (!add_brick(b, 0, true)) return false;
        const Run* runs = g_.list.runs + cluster * g_.list.stride;
        for (std::int32_t r = 0; r < g_.list.run_count[cluster]; ++r) {
            const std::int32_t shift = runs[r].shift;
            const int sign = direction(runs[r]);
            if (runs[r].begin >= runs[r].end || sign < 0) continue;
            if (sign == 0 && runs[r].end <= g_.list.cluster_begin[cluster]) continue;
            for (std::int32_t c = cluster_of(runs[r].begin);
                 c < g_.clusters && g_.list.cluster_begin[c] < runs[r].end; ++c)
                for (std::int32_t b = g_.first_brick[c]; b < g_.first_brick[c + 1]; ++b)
                    if ((sign > 0 || b > brick_) && !add_brick(b, shift, true)) return false;
        }
        return true;
    }

    /// Of the first direction in which the image is another one.
    static int direction(const Run& run) {
        for (int d = 0; d < Dim; ++d)
            if (run.images(d) != 0) return run.images(d);
        return 0;
    }

    [[nodiscard]] std::int32_t cluster_of(std::int32_t particle) const {
        std::int32_t low = 0, high = static_cast<std::int32_t>(g_.clusters);
        while (high - low > 1) {
            const std::int32_t middle = low + (high - low) / 2;
            (g_.list.cluster_begin[middle] <= particle ? low : high) = middle;
        }
        return low;
    }

    /// Appends the fours of a brick to the block, all or those within reach.
    bool add_brick(std::int32_t b, std::int32_t shift, bool choose) {
        float offset[Dim];
        float distance2 = 0.0F;
        const Run image{0, 0, shift};
        for (int d = 0; d < Dim; ++d) {
            offset[d] = static_cast<float>(g_.centre[d][b] + image.images(d) * g_.box.length[d] -
                                           g_.centre[d][brick_]);
            distance2 += gap2(g_.brick_low[d][b] + offset[d], g_.brick_high[d][b] + offset[d],
                              g_.brick_low[d][brick_], g_.brick_high[d][brick_]);
        }
        if (choose && !(distance2 <= reach2_)) return true;
        const std::int32_t first = g_.first_four[b], n = g_.first_four[b + 1] - first;
        if (fours_ + n > room_.capacity) {
            (fours_ + n > most_block_fours ? out_->block_is_too_large : out_->room_is_short) = true;
            return false;
        }
        if (out_->fours + fours_ + n > out_->four_capacity ||
            out_->segments == out_->segment_capacity)
            return false;
        alignas(64) float chosen[most_fours + P::size];
        const float *low[Dim], *high[Dim];
        P least[Dim], most[Dim];
        for (int d = 0; d < Dim; ++d) {
            low[d] = g_.low[d] + first;
            high[d] = g_.high[d] + first;
            least[d] = P(g_.brick_low[d][brick_] - offset[d]);
            most[d] = P(g_.brick_high[d][brick_] - offset[d]);
        }
        const std::int32_t kept = near(low, high, least, most, 0, n, chosen);
        const std::int32_t before = fours_;
        std::int32_t* four = out_->four + out_->fours;
        for (std::int32_t k = 0; k < (choose ? kept : n); ++k, ++fours_)
            four[fours_] = first + (choose ? static_cast<std::int32_t>(chosen[k]) : k);
        for (int d = 0; d < Dim; ++d)
            for (std::int32_t q = before; q < fours_; ++q) {
                room_.low[d][q] = g_.low[d][four[q]] + offset[d];
                room_.high[d][q] = g_.high[d][four[q]] + offset[d];
                store_four(room_.place[d] + 4 * q,
                           load_four(g_.place[d] + 4 * four[q]) + offset[d]);
            }
        if (fours_ > before) out_->segment[out_->segments++] = {b, shift, before};
        return true;
    }

    /// Of the boxes [first, last) those within reach of a given one: their numbers, next to each
    /// other. Reads and writes up to a pack too far.
    SHADOW_PACK std::int32_t near(const float* const (&low)[Dim], const float* const (&high)[Dim],
                                  const P (&least)[Dim], const P (&most)[Dim], std::int32_t first,
                                  std::int32_t last, float* chosen) const {
        P count;
        for (int l = 0; l < P::size; ++l) count.v[l] = static_cast<float>(l);
        std::int32_t n = 0;
        for (std::int32_t k = first; k < last; k += P::size) {
            P away2(0);
            for (int d = 0; d < Dim; ++d) {
                const P gap =
                    max(max(least[d] - P::load(high[d] + k), P::load(low[d] + k) - most[d]), P(0));
                away2 = away2 + gap * gap;
            }
            const Compress<float, P::size> keep((away2 < P(reach2_)) & P::Mask::first(last - k));
            keep.store(chosen + n, count + P(static_cast<float>(k)));
            n += keep.count;
        }
        return n;
    }

    /// Squared distance of two intervals.
    static SHADOW_PACK float gap2(float a, float b, float low, float high) {
        const float below = low - b, above = a - high;
        float gap = below > above ? below : above;
        gap = gap > 0.0F ? gap : 0.0F;
        return gap * gap;
    }

    bool add_tiles(std::int32_t own) {
        for (std::int32_t k = 0; k < fours_; ++k) room_.number[k] = k < own;
        for (std::int32_t i = 0; i < own; ++i) {
            if (out_->tiles + fours_ > out_->tile_capacity) return false;
            meet(i);
            *out_->tile_end++ = out_->tiles;
        }
        return true;
    }

    /// Keeps the fours in which someone is within reach of someone of own four i: first by boxes,
    /// then by particles, without branches, which nobody could predict.
    void meet(std::int32_t i) {
        P least[Dim], most[Dim], x[Dim];
        for (int d = 0; d < Dim; ++d) {
            least[d] = P(room_.low[d][i]);
            most[d] = P(room_.high[d][i]);
            x[d] = rows<float>(room_.place[d] + 4 * i);
        }
        const std::int32_t n = near(room_.low, room_.high, least, most, i + 1, fours_, room_.near);
        std::uint16_t* tile = out_->tile + out_->tiles;
        std::int32_t kept = 0;
        for (std::int32_t t = 0; t < n; ++t) {
            const auto k = static_cast<std::int32_t>(room_.near[t]);
            bool found = false;
            for (int part = 0; part < tile_parts<float>; ++part) {
                P r2(0);
                for (int d = 0; d < Dim; ++d) {
                    const P dx =
                        x[d] - columns<float>(room_.place[d] + 4 * k + part * across<float>);
                    r2 = r2 + dx * dx;
                }
                found |= any(r2 < P(reach2_));
            }
            tile[kept] = static_cast<std::uint16_t>(k);
            kept += found;
            room_.number[k] |= found;
        }
        out_->tiles += kept;
    }

    /// Takes the fours that are in no tile out of the block: about a quarter.
    void drop_unmet(std::int32_t own, std::int32_t first_segment, std::int32_t first_tile) {
        std::int32_t* four = out_->four + out_->fours;
        cpu::TileSegment* segment = out_->segment;
        std::int32_t kept = 0, segments = first_segment;
        for (std::int32_t s = first_segment, k = 0; s < out_->segments; ++s) {
            const std::int32_t end = s + 1 < out_->segments ? segment[s + 1].begin : fours_;
            const cpu::TileSegment from{segment[s].brick, segment[s].shift, kept};
            for (; k < end; ++k) {
                const std::int32_t met = room_.number[k];
                four[kept] = four[k];
                room_.number[k] = kept;
                kept += met;
            }
            if (kept > from.begin) segment[segments++] = from;
        }
        out_->segments = segments;
        fours_ = kept;
        if (kept > own)
            for (std::int32_t t = first_tile; t < out_->tiles; ++t)
                out_->tile[t] = static_cast<std::uint16_t>(room_.number[out_->tile[t]]);
    }

    const TileGeometry<Dim>& g_;
    const BlockRoom<Dim>& room_;
    float reach2_;
    std::int32_t brick_ = 0, fours_ = 0;
    TileOutput* out_ = nullptr;
};

/// Lists bricks from `brick` on until `last` or until the room is used up; returns the next one.
template <int Dim>
std::int32_t list_bricks(const TileGeometry<Dim>& geometry, const BlockRoom<Dim>& room,
                         std::int32_t brick, std::int32_t last, TileOutput& out) {
    BrickLister<Dim> lister(geometry, room);
    for (; brick < last; ++brick) {
        const TileOutput before = out;
        if (!lister.list(brick, out)) {
            const bool room_is_short = out.room_is_short, too_large = out.block_is_too_large;
            out = before;
            out.room_is_short = room_is_short;
            out.block_is_too_large = too_large;
            break;
        }
        *out.block_end++ = out.fours;
        *out.segment_end++ = out.segments;
    }
    return brick;
}

} // namespace shadow::SHADOW_ISA
