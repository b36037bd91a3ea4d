// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/dispatch.hpp"
#include "kernels/cpu/threads.hpp"
#include "kernels/cpu/tile_list.hpp"
#include "kernels/cpu/tile_masks.hpp"
#include "kernels/cpu/tile_views.hpp"

#include <algorithm>
#include <numeric>

namespace shadow {

#define SHADOW_DECLARE(isa)                                                                        \
    namespace isa {                                                                                \
    template <int Dim>                                                                             \
    void bound_superclusters(const TileBounds<Dim>& bounds, std::int32_t first,                    \
                             std::int32_t last);                                                   \
    template <int Dim>                                                                             \
    void list_supercluster(const TileGeometry<Dim>& geometry, const BlockRoom<Dim>& room,          \
                           std::int32_t supercluster, const cpu::TileCandidate* candidate,         \
                           std::int32_t count, TileOutput& out);                                   \
    }
SHADOW_DECLARE(sse)
SHADOW_DECLARE(avx2)
SHADOW_DECLARE(avx512)

namespace cpu {

namespace {

/// Covers the rounding of coordinates in float; they are a few reaches at most.
constexpr double reach_margin = 1e-5;
constexpr std::int64_t listing_grain = 16;
constexpr std::size_t spare = 16; ///< lanes

/// Memory of one thread for one block.
template <int Dim>
class ListingRoom {
  public:
    const BlockRoom<Dim>& reserve(std::int32_t subclusters) {
        const auto n = static_cast<std::size_t>(subclusters) + spare;
        if (number_.size() >= n) return room_;
        memory_.resize(n * (6 * Dim + 1));
        number_.resize(n);
        float* next = memory_.data();
        const auto take = [&next](std::size_t count) {
            float* taken = next;
            next += count;
            return taken;
        };
        for (int d = 0; d < Dim; ++d) {
            room_.place[d] = take(4 * n);
            room_.low[d] = take(n);
            room_.high[d] = take(n);
        }
        room_.near = take(n);
        room_.number = number_.data();
        return room_;
    }

  private:
    std::vector<float> memory_;
    std::vector<std::int32_t> number_;
    BlockRoom<Dim> room_{};
};

/// Room for at least `more` entries after the first `used`.
template <class T>
T* behind(std::vector<T>& v, std::size_t used, std::size_t more) {
    if (v.size() < used + more) v.resize(used + more + (used + more) / 8);
    return v.data() + used;
}

} // namespace

template <int Dim>
TileGeometry<Dim> TileList<Dim>::geometry(const BoxView<Dim>& box, double reach) const {
    TileGeometry<Dim> g{};
    g.box = box;
    g.reach2 = static_cast<float>(reach * reach * (1.0 + reach_margin));
    g.first_subcluster = first_subcluster.data();
    for (int d = 0; d < Dim; ++d) {
        g.centre[d] = centre[d].data();
        g.place[d] = place[d].data();
        g.low[d] = low_[d].data();
        g.high[d] = high_[d].data();
        g.supercluster_low[d] = supercluster_low_[d].data();
        g.supercluster_high[d] = supercluster_high_[d].data();
    }
    return g;
}

template <int Dim>
void TileList<Dim>::bound_superclusters(const Backend& backend) {
    const auto n = size.size(), subclusters = static_cast<std::size_t>(first_subcluster[n]);
    TileBounds<Dim> t{first_subcluster.data(), size.data(), {}, {}, {}, {}, {}};
    for (int d = 0; d < Dim; ++d) {
        low_[d].resize(subclusters + spare);
        high_[d].resize(subclusters + spare);
        supercluster_low_[d].resize(n);
        supercluster_high_[d].resize(n);
        t.place[d] = place[d].data();
        t.low[d] = low_[d].data();
        t.high[d] = high_[d].data();
        t.supercluster_low[d] = supercluster_low_[d].data();
        t.supercluster_high[d] = supercluster_high_[d].data();
    }
    parallel_ranges(backend.threads(), superclusters(), listing_grain,
                    [&](std::int64_t first, std::int64_t last) {
                        SHADOW_DISPATCH(backend, bound_superclusters, t,
                                        static_cast<std::int32_t>(first),
                                        static_cast<std::int32_t>(last));
                    });
}

template <int Dim>
template <class Pair>
void TileList<Dim>::list(const Backend& backend, const Pair* const (&now)[Dim],
                         const BoxView<Dim>& box, double reach, const ExclusionView& exclusions) {
    parallel_ranges(backend.threads(), static_cast<std::int64_t>(particle.size()), 4096,
                    [&](std::int64_t first, std::int64_t last) {
                        for (int d = 0; d < Dim; ++d)
                            for (std::int64_t k = first; k < last; ++k)
                                place[d][static_cast<std::size_t>(k)] =
                                    static_cast<float>(now[d][k]);
                    });
    bound_superclusters(backend);
    const TileGeometry<Dim> g = geometry(box, reach);
    if (all_) count_all();
    each_chunk(backend, [&](TileChunk& chunk) {
        chunk.block_begin.clear();
        chunk.block_size.clear();
        chunk.segment_begin.assign(1, 0);
        chunk.row_begin.assign(1, 0);
        chunk.masked.clear();
        TileMasker<Dim> masker(
            g, size, {exclusions, particle.data(), slot_.data(), supercluster_.data()}, all_);
        if (all_)
            list_all(chunk, masker);
        else
            list_chunk(backend, chunk, g, masker);
    });
    largest_block = 0;
    for (const TileChunk& chunk : chunks)
        for (const std::int32_t subclusters : chunk.block_size)
            largest_block = std::max(largest_block, subclusters);
}

template <int Dim>
void TileList<Dim>::list_chunk(const Backend& backend, TileChunk& chunk,
                               const TileGeometry<Dim>& geometry, TileMasker<Dim>& masker) const {
    static thread_local ListingRoom<Dim> memory;
    const BlockRoom<Dim>& room = memory.reserve(largest_candidates_);
    std::size_t subclusters = 0, segments = 0, rows = 0, tiles = 0;
    for (std::int32_t b = chunk.first; b < chunk.last; ++b) {
        const auto k = static_cast<std::size_t>(b - chunk.first);
        const TileCandidate* candidate =
            chunk.candidate.data() + static_cast<std::size_t>(chunk.candidate_begin[k]);
        const std::int32_t count = chunk.candidate_begin[k + 1] - chunk.candidate_begin[k];
        std::size_t most = 0;
        for (std::int32_t c = 0; c < count; ++c)
            most +=
                static_cast<std::size_t>(geometry.first_subcluster[candidate[c].supercluster + 1] -
                                         geometry.first_subcluster[candidate[c].supercluster]);
        const auto own = static_cast<std::size_t>(geometry.first_subcluster[b + 1] -
                                                  geometry.first_subcluster[b]);
        const auto groups = static_cast<std::size_t>(count / candidate_group + 1);
        TileOutput out{behind(chunk.subcluster, subclusters, most),
                       behind(chunk.segment, segments, static_cast<std::size_t>(count)),
                       behind(chunk.row, rows, own * groups),
                       behind(chunk.tile, tiles, own * most),
                       0,
                       0,
                       0,
                       0};
        SHADOW_DISPATCH(backend, list_supercluster, geometry, room, b, candidate, count, out);
        masker.open(b, out);
        masker.take(out, chunk.masked);
        for (std::int32_t r = 0; r < out.rows; ++r) {
            out.row[r].begin += static_cast<std::int32_t>(tiles);
            out.row[r].end += static_cast<std::int32_t>(tiles);
        }
        chunk.block_begin.push_back(static_cast<std::int32_t>(subclusters));
        chunk.block_size.push_back(out.subclusters);
        subclusters += static_cast<std::size_t>(out.subclusters);
        chunk.segment_begin.push_back(
            static_cast<std::int32_t>(segments += static_cast<std::size_t>(out.segments)));
        chunk.row_begin.push_back(
            static_cast<std::int32_t>(rows += static_cast<std::size_t>(out.rows)));
        tiles += static_cast<std::size_t>(out.tiles);
    }
}

/// Numbers for blocks of consecutive subclusters; after the last subcluster follows the first.
template <int Dim>
void TileList<Dim>::count_all() {
    const auto subclusters = static_cast<std::size_t>(first_subcluster.back());
    every_subcluster_.resize(2 * subclusters);
    std::iota(every_subcluster_.begin(), every_subcluster_.begin() + first_subcluster.back(), 0);
    std::iota(every_subcluster_.begin() + first_subcluster.back(), every_subcluster_.end(), 0);
    every_tile_.resize(subclusters);
    std::iota(every_tile_.begin(), every_tile_.end(), std::uint16_t{0});
}

/// If everything is within reach, candidates are consecutive superclusters, and rows are the ranges
/// of numbers between tiles with masks.
template <int Dim>
void TileList<Dim>::list_all(TileChunk& chunk, TileMasker<Dim>& masker) const {
    chunk.segment.clear();
    chunk.row.clear();
    for (std::int32_t b = chunk.first; b < chunk.last; ++b) {
        const std::int32_t begin = first_subcluster[static_cast<std::size_t>(b)];
        const std::int32_t own = first_subcluster[static_cast<std::size_t>(b) + 1] - begin;
        const std::size_t segments = chunk.segment.size();
        const auto k = static_cast<std::size_t>(b - chunk.first);
        std::int32_t subclusters = 0;
        for (std::int32_t c = chunk.candidate_begin[k]; c < chunk.candidate_begin[k + 1]; ++c) {
            const TileCandidate& of = chunk.candidate[static_cast<std::size_t>(c)];
            chunk.segment.push_back({of.supercluster, of.shift, of.sum, subclusters});
            subclusters += first_subcluster[static_cast<std::size_t>(of.supercluster) + 1] -
                           first_subcluster[static_cast<std::size_t>(of.supercluster)];
        }
        chunk.block_begin.push_back(begin);
        chunk.block_size.push_back(subclusters);
        chunk.segment_begin.push_back(static_cast<std::int32_t>(chunk.segment.size()));
        TileOutput out{};
        out.subcluster = const_cast<std::int32_t*>(every_subcluster_.data()) + begin;
        out.subclusters = chunk.block_size.back();
        out.segment = chunk.segment.data() + segments;
        out.segments = static_cast<std::int32_t>(chunk.segment.size() - segments);
        masker.open(b, out);
        for (std::int32_t i = 0; i < own; ++i) add_ranges(chunk, i, masker.find(i, out), out);
        chunk.row_begin.push_back(static_cast<std::int32_t>(chunk.row.size()));
    }
}

/// The rows of own subcluster i.
template <int Dim>
void TileList<Dim>::add_ranges(TileChunk& chunk, std::int32_t i,
                               const std::vector<MaskedTile>& masked, const TileOutput& out) {
    const auto masks = static_cast<std::int32_t>(chunk.masked.size());
    chunk.masked.insert(chunk.masked.end(), masked.begin(), masked.end());
    chunk.row.push_back({i, 0, 0, masks, static_cast<std::int32_t>(chunk.masked.size())});
    std::int32_t next = i + 1;
    const auto add = [&](std::int32_t end) {
        if (end > next) chunk.row.push_back({i, next, end, 0, 0});
        next = end;
    };
    auto mask = masked.begin() + 1;
    for (std::int32_t s = 0; s < out.segments; s += candidate_group) {
        const std::int32_t after = s + candidate_group;
        const std::int32_t end = after < out.segments ? out.segment[after].begin : out.subclusters;
        for (; mask != masked.end() && mask->tile < end; ++mask) {
            add(mask->tile);
            next = mask->tile + 1;
        }
        add(end);
    }
}

template class TileList<2>;
template class TileList<3>;
#define SHADOW_LIST(Dim, Pair)                                                                     \
    template void TileList<Dim>::list(const Backend&, const Pair* const(&)[Dim],                   \
                                      const BoxView<Dim>&, double, const ExclusionView&);
SHADOW_LIST(2, float)
SHADOW_LIST(3, float)
SHADOW_LIST(2, double)
SHADOW_LIST(3, double)

} // namespace cpu
} // namespace shadow
