// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/tile_list.hpp"

#include "shadow/core/error.hpp"

#include "kernels/cpu/dispatch.hpp"
#include "kernels/cpu/threads.hpp"
#include "kernels/cpu/tile_views.hpp"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <new>

namespace shadow {

#define SHADOW_DECLARE(isa)                                                                        \
    namespace isa {                                                                                \
    template <int Dim, class Real>                                                                 \
    void cut_clusters(const VectorView<Dim, Real>& position, const PairListView& list,             \
                      std::int64_t first, std::int64_t last, float limit, std::int32_t* order,     \
                      std::uint8_t* size, std::int32_t* bricks);                                   \
    template <int Dim>                                                                             \
    std::int32_t list_bricks(const TileGeometry<Dim>& geometry, const BlockRoom<Dim>& room,        \
                             std::int32_t brick, std::int32_t last, TileOutput& out);              \
    }
SHADOW_DECLARE(sse)
SHADOW_DECLARE(avx2)
SHADOW_DECLARE(avx512)

namespace cpu {

namespace {

constexpr std::int64_t cluster_grain = 16;
constexpr std::int32_t most_page_bricks = 256, least_page_bricks = 16, pages_per_thread = 4;
/// A brick may be so many reaches long: then float coordinates relative to its centre are exact to
/// 3e-7 reaches.
constexpr double longest_brick = 8.0;

/// The room of this thread for one block.
template <int Dim>
struct ListingRoom {
    static constexpr std::size_t spare = 16; ///< lanes
    std::vector<float> memory;
    std::vector<std::int32_t> number;
    BlockRoom<Dim> room{};

    void reserve(std::int32_t fours) {
        const auto n = static_cast<std::size_t>(fours) + spare;
        memory.resize(n * (6 * Dim + 1));
        float* next = memory.data();
        const auto take = [&next](std::size_t count) {
            float* taken = next;
            next += count;
            return taken;
        };
        room.capacity = fours;
        for (int d = 0; d < Dim; ++d) {
            room.place[d] = take(4 * n);
            room.low[d] = take(n);
            room.high[d] = take(n);
        }
        room.near = take(n);
        number.resize(n);
        room.number = number.data();
    }
};

template <class T>
void grow(std::vector<T>& v, std::size_t least) {
    if (v.size() < least) v.resize(std::max(least, v.size() + v.size() / 2));
}

} // namespace

template <int Dim>
std::size_t TileList<Dim>::bytes() const {
    const auto of = [](const auto&... v) { return ((v.capacity() * sizeof(v[0])) + ...); };
    std::size_t sum = of(first_four, size, particle, order_, sizes_, first_brick_, cluster_);
    for (int d = 0; d < Dim; ++d)
        sum += of(centre[d], place_[d], low_[d], high_[d], brick_low_[d], brick_high_[d]);
    for (const TilePage& p : pages)
        sum += of(p.block_begin, p.four, p.segment_begin, p.segment, p.tile_begin, p.tile);
    for (const TileWave& w : waves) sum += of(w.output_begin, w.taker, w.gift);
    return sum;
}

template <int Dim>
template <class Real>
bool TileList<Dim>::build(const Backend& backend, const VectorView<Dim, Real>& position,
                          std::int64_t particles, const BoxView<Dim>& box,
                          const PairListView& list) {
    far = 1000.0 * list.reach;
    cut(backend, position, particles, list);
    place(backend, position, list);
    if (!list_tiles(backend, box, list)) return false;
    largest_block = 0;
    for (const TilePage& page : pages)
        for (std::int32_t b = page.first; b < page.last; ++b) {
            const auto k = static_cast<std::size_t>(b - page.first);
            largest_block = std::max(largest_block, page.block_begin[k + 1] - page.block_begin[k]);
        }
    make_waves(backend);
    return true;
}

/// Bricks and the order of particles in them.
template <int Dim>
template <class Real>
void TileList<Dim>::cut(const Backend& backend, const VectorView<Dim, Real>& position,
                        std::int64_t particles, const PairListView& list) {
    const std::int64_t clusters = *list.cluster_count;
    order_.resize(static_cast<std::size_t>(particles));
    sizes_.resize(order_.size());
    first_brick_.resize(static_cast<std::size_t>(clusters) + 1);
    parallel_ranges(backend.threads(), clusters, cluster_grain,
                    [&](std::int64_t first, std::int64_t last) {
                        SHADOW_DISPATCH(backend, cut_clusters, position, list, first, last,
                                        static_cast<float>(longest_brick * list.reach),
                                        order_.data(), sizes_.data(), first_brick_.data());
                    });
    std::int32_t bricks = 0;
    for (std::size_t c = 0; c < first_brick_.size(); ++c) {
        const std::int32_t count = c + 1 < first_brick_.size() ? first_brick_[c] : 0;
        first_brick_[c] = bricks;
        bricks += count;
    }
    const auto n = static_cast<std::size_t>(bricks);
    size.resize(n);
    cluster_.resize(n);
    first_four.resize(n + 1);
    std::int32_t fours = 0;
    for (std::int32_t c = 0, b = 0; c < clusters; ++c)
        for (std::int32_t k = 0; b < first_brick_[static_cast<std::size_t>(c) + 1]; ++b, ++k) {
            const auto to = static_cast<std::size_t>(b);
            size[to] = sizes_[static_cast<std::size_t>(list.cluster_begin[c] + k)];
            cluster_[to] = c;
            first_four[to] = fours;
            fours += (size[to] + 3) / 4;
        }
    first_four[n] = fours;
}

/// Who is in which slot, and the boxes of fours and bricks.
template <int Dim>
template <class Real>
void TileList<Dim>::place(const Backend& backend, const VectorView<Dim, Real>& position,
                          const PairListView& list) {
    const auto n = size.size(), fours = static_cast<std::size_t>(first_four[n]);
    particle.resize(4 * fours);
    for (int d = 0; d < Dim; ++d) {
        centre[d].resize(n);
        brick_low_[d].resize(n);
        brick_high_[d].resize(n);
        place_[d].resize(4 * fours);
        low_[d].resize(fours + ListingRoom<Dim>::spare);
        high_[d].resize(fours + ListingRoom<Dim>::spare);
    }
    const auto place_brick = [&](std::size_t b, const std::int32_t* order) {
        const auto four = static_cast<std::size_t>(first_four[b]), slot = 4 * four;
        const auto slots = 4 * static_cast<std::size_t>(first_four[b + 1]) - slot;
        for (std::size_t k = 0; k < slots; ++k) particle[slot + k] = order[k < size[b] ? k : 0];
        double x[tile_cluster_size] = {};
        for (int d = 0; d < Dim; ++d) {
            for (std::size_t k = 0; k < size[b]; ++k)
                x[k] = static_cast<double>(position.component[d][order[k]]);
            double low = x[0], high = x[0];
            for (std::size_t k = 0; k < size[b]; ++k) {
                low = std::min(low, x[k]);
                high = std::max(high, x[k]);
            }
            const double middle = 0.5 * low + 0.5 * high;
            centre[d][b] = middle;
            brick_low_[d][b] = static_cast<float>(low - middle);
            brick_high_[d][b] = static_cast<float>(high - middle);
            float* to = place_[d].data() + slot;
            for (std::size_t k = 0; k < size[b]; ++k) to[k] = static_cast<float>(x[k] - middle);
            for (std::size_t q = 0; 4 * q < slots; ++q) {
                const float* in = to + 4 * q;
                const std::size_t members = std::min<std::size_t>(4, size[b] - 4 * q);
                low_[d][four + q] = *std::min_element(in, in + members);
                high_[d][four + q] = *std::max_element(in, in + members);
            }
            for (std::size_t k = size[b]; k < slots; ++k)
                to[k] = static_cast<float>(far * (1.0 + static_cast<double>((slot + k) % 61)));
        }
    };
    parallel_ranges(backend.threads(), *list.cluster_count, cluster_grain,
                    [&](std::int64_t first, std::int64_t last) {
                        auto b =
                            static_cast<std::size_t>(first_brick_[static_cast<std::size_t>(first)]);
                        const auto end =
                            static_cast<std::size_t>(first_brick_[static_cast<std::size_t>(last)]);
                        const std::int32_t* order = order_.data() + list.cluster_begin[first];
                        for (; b < end; order += size[b++]) place_brick(b, order);
                    });
}

template <int Dim>
bool TileList<Dim>::list_tiles(const Backend& backend, const BoxView<Dim>& box,
                               const PairListView& list) {
    TileGeometry<Dim> g{};
    g.list = list;
    g.box = box;
    g.reach = list.reach;
    g.clusters = *list.cluster_count;
    g.first_brick = first_brick_.data();
    g.first_four = first_four.data();
    g.cluster = cluster_.data();
    for (int d = 0; d < Dim; ++d) {
        g.centre[d] = centre[d].data();
        g.place[d] = place_[d].data();
        g.low[d] = low_[d].data();
        g.high[d] = high_[d].data();
        g.brick_low[d] = brick_low_[d].data();
        g.brick_high[d] = brick_high_[d].data();
    }
    const std::int32_t share = bricks() / (pages_per_thread * backend.threads());
    const std::int32_t length = std::clamp(share, least_page_bricks, most_page_bricks);
    pages.resize(static_cast<std::size_t>((bricks() + length - 1) / length));
    std::atomic<bool> too_large = false,
                      full = false; // an exception must not leave a parallel region
    parallel_ranges(backend.threads(), static_cast<std::int64_t>(pages.size()), 1,
                    [&](std::int64_t first, std::int64_t last) {
                        for (std::int64_t p = first; p < last; ++p) {
                            TilePage& page = pages[static_cast<std::size_t>(p)];
                            page.first = static_cast<std::int32_t>(p) * length;
                            page.last = std::min(bricks(), page.first + length);
                            try {
                                if (!list_page(backend, page, g)) too_large = true;
                            } catch (const std::bad_alloc&) {
                                full = true;
                            }
                        }
                    });
    if (full)
        throw MachineError(fmt::format("cannot list the pairs of {} particles (not enough memory); "
                                       "use fewer particles, a shorter cut-off or a larger machine",
                                       order_.size()));
    return !too_large;
}

template <int Dim>
bool TileList<Dim>::list_page(const Backend& backend, TilePage& page,
                              const TileGeometry<Dim>& geometry) const {
    static thread_local ListingRoom<Dim> room;
    const auto n = static_cast<std::size_t>(page.last - page.first);
    const auto own = static_cast<std::size_t>(first_four[static_cast<std::size_t>(page.last)] -
                                              first_four[static_cast<std::size_t>(page.first)]);
    page.block_begin.assign(n + 1, 0);
    page.segment_begin.assign(n + 1, 0);
    page.tile_begin.assign(own + 1, 0);
    if (room.room.capacity == 0) room.reserve(256);
    grow(page.four, 8 * own);
    grow(page.segment, 16 * n);
    grow(page.tile, 32 * own);
    TileOutput out{};
    out.block_end = page.block_begin.data() + 1;
    out.segment_end = page.segment_begin.data() + 1;
    out.tile_end = page.tile_begin.data() + 1;
    for (std::int32_t b = page.first;;) {
        out.four = page.four.data();
        out.four_capacity = static_cast<std::int32_t>(page.four.size());
        out.segment = page.segment.data();
        out.segment_capacity = static_cast<std::int32_t>(page.segment.size());
        out.tile = page.tile.data();
        out.tile_capacity = static_cast<std::int32_t>(page.tile.size());
        b = SHADOW_DISPATCH(backend, list_bricks, geometry, room.room, b, page.last, out);
        if (b == page.last) return true;
        if (out.block_is_too_large) return false;
        if (out.room_is_short) {
            out.room_is_short = false;
            room.reserve(std::min(2 * room.room.capacity, most_block_fours));
            continue;
        }
        grow(page.four, page.four.size() + 1);
        grow(page.segment, page.segment.size() + 1);
        grow(page.tile, page.tile.size() + 1);
    }
}

template class TileList<1>;
template class TileList<2>;
template class TileList<3>;
#define SHADOW_BUILD(Dim, Real)                                                                    \
    template bool TileList<Dim>::build(const Backend&, const VectorView<Dim, Real>&, std::int64_t, \
                                       const BoxView<Dim>&, const PairListView&);
SHADOW_BUILD(1, double)
SHADOW_BUILD(2, double)
SHADOW_BUILD(3, double)
SHADOW_BUILD(1, float)
SHADOW_BUILD(2, float)
SHADOW_BUILD(3, float)

} // namespace cpu
} // namespace shadow
