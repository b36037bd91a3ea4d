// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cpu/tile_views.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace shadow::cpu {

/// Finds the slots of the particles of excluded pairs.
struct ExcludedSlots {
    ExclusionView exclusions;
    const std::int32_t* particle;     ///< by slot
    const std::int32_t* slot;         ///< by particle
    const std::int32_t* supercluster; ///< by subcluster
};

/// Finds the tiles of a supercluster of which only some pairs count: those of subclusters with
/// themselves, those with excluded pairs and, where everything is within reach, those with slots
/// that hold no particle.
template <int Dim>
class TileMasker {
  public:
    /// `size` in particles, by supercluster; `all`: everything is within reach.
    TileMasker(const TileGeometry<Dim>& geometry, const std::vector<std::uint8_t>& size,
               const ExcludedSlots& excluded, bool all)
        : g_(geometry), size_(size.data()), excluded_(excluded),
          excludes_(excluded.exclusions.any()), all_(all) {
        if (excludes_) last_segment_.assign(size.size(), none);
    }

    /// Opens a supercluster and its block. `out` must not change while this supercluster is open.
    void open(std::int32_t supercluster, const TileOutput& out) {
        supercluster_ = supercluster;
        if (!excludes_) return;
        for (const std::size_t b : entered_) last_segment_[b] = none;
        entered_.clear();
        segment_before_.clear();
        for (std::int32_t s = 0; s < out.segments; ++s) {
            entered_.push_back(static_cast<std::size_t>(out.segment[s].supercluster));
            segment_before_.push_back(std::exchange(last_segment_[entered_.back()], s));
        }
    }

    /// The masked tiles of own subcluster i: first the one with itself, then ascending.
    const std::vector<MaskedTile>& find(std::int32_t i, const TileOutput& out) {
        found_.assign(1, {static_cast<std::uint16_t>(i), own_pairs});
        if (all_) leave_empty_slots(i, out);
        if (excludes_) leave_excluded(i, out);
        std::sort(found_.begin() + 1, found_.end(),
                  [](const MaskedTile& a, const MaskedTile& b) { return a.tile < b.tile; });
        return found_;
    }

    /// Moves the masked tiles from the rows of the supercluster to the end of `masked`.
    void take(TileOutput& out, std::vector<MaskedTile>& masked) {
        std::int32_t kept = 0;
        for (std::int32_t r = 0; r < out.rows; ++r) {
            TileRow& row = out.row[r];
            row.masked_begin = static_cast<std::int32_t>(masked.size());
            if (r == 0 || out.row[r - 1].subcluster != row.subcluster) {
                find(row.subcluster, out);
                masked.insert(masked.end(), found_.begin(), found_.end());
            }
            row.masked_end = static_cast<std::int32_t>(masked.size());
            if (!excludes_) continue;
            const std::int32_t begin = std::exchange(row.begin, kept);
            for (std::int32_t t = begin; t < row.end; ++t)
                if (!is_found(out.tile[t])) out.tile[kept++] = out.tile[t];
            row.end = kept;
        }
        if (excludes_) out.tiles = kept;
    }

  private:
    static constexpr std::int32_t none = -1;

    [[nodiscard]] bool is_found(std::uint16_t tile) const {
        for (std::size_t k = 1; k < found_.size(); ++k)
            if (found_[k].tile == tile) return true;
        return false;
    }

    /// Only these pairs of a tile of own subcluster i count.
    void keep(std::int32_t i, std::int32_t tile, unsigned pairs) {
        if (tile < i) return; // belongs to the row of the other subcluster
        for (MaskedTile& known : found_)
            if (known.tile == tile) {
                known.pairs = static_cast<std::uint16_t>(known.pairs & pairs);
                return;
            }
        found_.push_back({static_cast<std::uint16_t>(tile), static_cast<std::uint16_t>(pairs)});
    }

    [[nodiscard]] static std::int32_t end_of(std::int32_t s, const TileOutput& out) {
        return s + 1 < out.segments ? out.segment[s + 1].begin : out.subclusters;
    }

    void leave_empty_slots(std::int32_t i, const TileOutput& out) {
        for (std::int32_t s = 0; s < out.segments; ++s) {
            const unsigned particles = size_[out.segment[s].supercluster] % 4U;
            if (particles > 0) keep(i, end_of(s, out) - 1, 0x1111U * ((1U << particles) - 1U));
        }
        const unsigned own = size_[supercluster_] % 4U;
        if (own == 0 || i != size_[supercluster_] / 4) return;
        for (std::int32_t tile = i; tile < out.subclusters; ++tile)
            keep(i, tile, (1U << (4U * own)) - 1U);
    }

    void leave_excluded(std::int32_t i, const TileOutput& out) {
        const ExclusionView& all = excluded_.exclusions;
        const std::int32_t count = std::min(4, size_[supercluster_] - 4 * i);
        for (std::int32_t k = 0; k < count; ++k) {
            const std::int32_t slot = 4 * (g_.first_subcluster[supercluster_] + i) + k;
            const std::int32_t own = excluded_.particle[slot];
            for (std::int32_t p = all.begin[own]; p < all.begin[own + 1]; ++p)
                leave_pair(i, slot, excluded_.slot[all.partner[p]], out);
        }
    }

    /// Leaves out the pair of particles in two slots if it is in a tile of own subcluster i.
    void leave_pair(std::int32_t i, std::int32_t slot, std::int32_t other, const TileOutput& out) {
        const std::int32_t subcluster = other / 4;
        std::int32_t s =
            last_segment_[static_cast<std::size_t>(excluded_.supercluster[subcluster])];
        while (s != none && !nearest(slot, other, out.segment[s]))
            s = segment_before_[static_cast<std::size_t>(s)];
        if (s == none) return;
        const std::int32_t *begin = out.subcluster + out.segment[s].begin,
                           *end = out.subcluster + end_of(s, out);
        const std::int32_t* found = std::find(begin, end, subcluster);
        if (found == end) return;
        keep(i, static_cast<std::int32_t>(found - out.subcluster),
             ~(1U << (4 * (slot % 4) + other % 4)));
    }

    [[nodiscard]] bool nearest(std::int32_t slot, std::int32_t other,
                               const TileSegment& segment) const {
        const NeighbourRange image{0, 0, segment.shift};
        double dx[Dim];
        for (int d = 0; d < Dim; ++d)
            dx[d] = g_.centre[d][segment.supercluster] - g_.centre[d][supercluster_] +
                    image.offset(g_.box, d) +
                    static_cast<double>(g_.place[d][other] - g_.place[d][slot]);
        return is_nearest(g_.box, dx);
    }

    const TileGeometry<Dim>& g_;
    const std::uint8_t* size_;
    ExcludedSlots excluded_;
    bool excludes_, all_;
    std::int32_t supercluster_ = 0;
    /// By supercluster, its last segment in the block; by segment, the previous one of the same
    /// supercluster.
    std::vector<std::int32_t> last_segment_, segment_before_;
    std::vector<std::size_t> entered_; ///< superclusters with a segment
    std::vector<MaskedTile> found_;
};

} // namespace shadow::cpu
