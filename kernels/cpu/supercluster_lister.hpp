// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cpu/tile_pack.hpp"
#include "kernels/cpu/tile_views.hpp"

namespace shadow::SHADOW_ISA {

/// Bounding boxes of superclusters [first, last) and of their subclusters.
template <int Dim>
void bound_superclusters(const TileBounds<Dim>& t, std::int32_t first, std::int32_t last) {
    for (std::int32_t b = first; b < last; ++b)
        for (int d = 0; d < Dim; ++d) {
            const float* x = t.place[d] + 4 * std::int64_t{t.first_subcluster[b]};
            float *low = t.low[d] + t.first_subcluster[b],
                  *high = t.high[d] + t.first_subcluster[b];
            float supercluster_low = x[0], supercluster_high = x[0];
            for (std::int32_t k = 0; k < t.size[b]; ++low, ++high) {
                *low = *high = x[k++];
                for (; k % 4 != 0 && k < t.size[b]; ++k) {
                    *low = x[k] < *low ? x[k] : *low;
                    *high = x[k] > *high ? x[k] : *high;
                }
                supercluster_low = *low < supercluster_low ? *low : supercluster_low;
                supercluster_high = *high > supercluster_high ? *high : supercluster_high;
            }
            t.supercluster_low[d][b] = supercluster_low;
            t.supercluster_high[d][b] = supercluster_high;
        }
}

/// Lists the block and the tiles of a supercluster.
template <int Dim>
class SuperclusterLister {
  public:
    SuperclusterLister(const TileGeometry<Dim>& geometry, const BlockRoom<Dim>& room,
                       std::int32_t supercluster, TileOutput& out)
        : g_(geometry), room_(room), out_(out), supercluster_(supercluster) {}

    /// The first candidate is the supercluster itself.
    void list(const cpu::TileCandidate* candidate, std::int32_t count) {
        out_.subclusters = out_.segments = out_.rows = out_.tiles = 0;
        const std::int32_t own =
            g_.first_subcluster[supercluster_ + 1] - g_.first_subcluster[supercluster_];
        std::int32_t group_end[max_groups], groups = 0;
        for (std::int32_t c = 0; c < count; ++c) {
            add_candidate(candidate[c], c == 0);
            if ((c + 1) % cpu::candidate_group == 0 || c + 1 == count)
                group_end[groups++] = out_.subclusters;
        }
        for (std::int32_t k = 0; k < out_.subclusters; ++k) room_.number[k] = k < own;
        for (std::int32_t i = 0; i < own; ++i)
            for (std::int32_t g = 0; g < groups; ++g) {
                const std::int32_t begin = out_.tiles;
                meet(i, g == 0 ? i + 1 : group_end[g - 1], group_end[g]);
                out_.row[out_.rows++] = {i, begin, out_.tiles, 0, 0};
            }
        drop_unmet(own);
    }

  private:
    using P = pack<float, lanes<float>>;
    /// A block has at most 65535 subclusters, and so at most as many candidates.
    static constexpr int max_groups = max_block_subclusters / cpu::candidate_group + 1;

    /// Appends the subclusters of a candidate to the block, all or those within reach.
    void add_candidate(const cpu::TileCandidate& candidate, bool all) {
        const std::int32_t b = candidate.supercluster;
        float offset[Dim], distance2 = 0.0F;
        const NeighbourRange image{0, 0, candidate.shift};
        for (int d = 0; d < Dim; ++d) {
            offset[d] = static_cast<float>(g_.centre[d][b] + image.offset(g_.box, d) -
                                           g_.centre[d][supercluster_]);
            distance2 +=
                gap2(g_.supercluster_low[d][b] + offset[d], g_.supercluster_high[d][b] + offset[d],
                     g_.supercluster_low[d][supercluster_], g_.supercluster_high[d][supercluster_]);
        }
        if (!all && !(distance2 <= g_.reach2)) return;
        const std::int32_t first = g_.first_subcluster[b], n = g_.first_subcluster[b + 1] - first;
        alignas(64) float chosen[max_subclusters + P::size];
        const float *low[Dim], *high[Dim];
        P least[Dim], most[Dim];
        for (int d = 0; d < Dim; ++d) {
            low[d] = g_.low[d] + first;
            high[d] = g_.high[d] + first;
            least[d] = P(g_.supercluster_low[d][supercluster_] - offset[d]);
            most[d] = P(g_.supercluster_high[d][supercluster_] - offset[d]);
        }
        const std::int32_t kept = all ? n : near(low, high, least, most, 0, n, chosen);
        const std::int32_t before = out_.subclusters, end = before + kept;
        if (kept == 0) return;
        std::int32_t* subcluster = out_.subcluster + before;
        for (std::int32_t k = 0; k < kept; ++k)
            subcluster[k] = first + (all ? k : static_cast<std::int32_t>(chosen[k]));
        for (int d = 0; d < Dim; ++d) {
            // Local pointers: for all the compiler knows, stores could change members.
            const float *from = g_.place[d], *from_low = g_.low[d], *from_high = g_.high[d];
            const float by = offset[d];
            float *to = room_.place[d] + 4 * std::int64_t{before}, *to_low = room_.low[d] + before,
                  *to_high = room_.high[d] + before;
            for (std::int32_t k = 0; k < kept; ++k) {
                const std::int64_t of = subcluster[k];
                to_low[k] = from_low[of] + by;
                to_high[k] = from_high[of] + by;
                store_four(to + 4 * k, load_four(from + 4 * of) + by);
            }
        }
        out_.segment[out_.segments++] = {b, candidate.shift, candidate.sum, before};
        out_.subclusters = end;
    }

    /// Finds the boxes [first, last) within reach of a given one and writes their numbers,
    /// compacted. Reads and writes up to a pack beyond the end.
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
            const Compress<float, P::size> keep((away2 < P(g_.reach2)) & P::Mask::first(last - k));
            keep.store(chosen + n, count + P(static_cast<float>(k)));
            n += keep.count;
        }
        return n;
    }

    /// Squared distance between two intervals.
    static SHADOW_PACK float gap2(float a, float b, float low, float high) {
        const float below = low - b, above = a - high;
        float gap = below > above ? below : above;
        gap = gap > 0.0F ? gap : 0.0F;
        return gap * gap;
    }

    /// Keeps the subclusters [first, last) with a particle within reach of a particle of own
    /// subcluster i: first by boxes, then by particles, without branches, which would be
    /// mispredicted.
    void meet(std::int32_t i, std::int32_t first, std::int32_t last) {
        P least[Dim], most[Dim], x[Dim];
        for (int d = 0; d < Dim; ++d) {
            least[d] = P(room_.low[d][i]);
            most[d] = P(room_.high[d][i]);
            x[d] = rows<float>(room_.place[d] + 4 * i);
        }
        const std::int32_t n = near(room_.low, room_.high, least, most, first, last, room_.near);
        std::uint16_t* tile = out_.tile + out_.tiles;
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
                found |= any(r2 < P(g_.reach2));
            }
            tile[kept] = static_cast<std::uint16_t>(k);
            kept += found;
            room_.number[k] |= found;
        }
        out_.tiles += kept;
    }

    /// Removes the subclusters that are in no tile from the block: about a quarter.
    void drop_unmet(std::int32_t own) {
        std::int32_t kept = 0, segments = 0;
        for (std::int32_t s = 0, k = 0; s < out_.segments; ++s) {
            const std::int32_t end =
                s + 1 < out_.segments ? out_.segment[s + 1].begin : out_.subclusters;
            cpu::TileSegment from = out_.segment[s];
            from.begin = kept;
            for (; k < end; ++k) {
                const std::int32_t met = room_.number[k];
                out_.subcluster[kept] = out_.subcluster[k];
                room_.number[k] = kept;
                kept += met;
            }
            if (kept > from.begin) out_.segment[segments++] = from;
        }
        out_.segments = segments;
        out_.subclusters = kept;
        if (kept > own)
            for (std::int32_t t = 0; t < out_.tiles; ++t)
                out_.tile[t] = static_cast<std::uint16_t>(room_.number[out_.tile[t]]);
    }

    const TileGeometry<Dim>& g_;
    const BlockRoom<Dim>& room_;
    TileOutput& out_;
    std::int32_t supercluster_;
};

template <int Dim>
void list_supercluster(const TileGeometry<Dim>& geometry, const BlockRoom<Dim>& room,
                       std::int32_t supercluster, const cpu::TileCandidate* candidate,
                       std::int32_t count, TileOutput& out) {
    SuperclusterLister<Dim>(geometry, room, supercluster, out).list(candidate, count);
}

} // namespace shadow::SHADOW_ISA
