// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/dispatch.hpp"
#include "kernels/cpu/threads.hpp"
#include "kernels/cpu/tile_list.hpp"
#include "kernels/cpu/tile_views.hpp"

#include <algorithm>

namespace shadow {

#define SHADOW_DECLARE(isa)                                                                        \
    namespace isa {                                                                                \
    template <int Dim>                                                                             \
    void bound_bricks(const TileBounds<Dim>& bounds, std::int32_t first, std::int32_t last);       \
    template <int Dim>                                                                             \
    void list_brick(const TileGeometry<Dim>& geometry, const BlockRoom<Dim>& room,                 \
                    std::int32_t brick, const cpu::TileCandidate* candidate, std::int32_t count,   \
                    TileOutput& out);                                                              \
    }
SHADOW_DECLARE(sse)
SHADOW_DECLARE(avx2)
SHADOW_DECLARE(avx512)

namespace cpu {

namespace {

/// Covers the rounding of coordinates in float, of a few reaches at most.
constexpr double reach_margin = 1e-5;
constexpr std::int64_t brick_grain = 16;
constexpr std::size_t spare = 16; ///< lanes

/// The room of this thread for one block.
template <int Dim>
class ListingRoom {
  public:
    const BlockRoom<Dim>& reserve(std::int32_t fours) {
        const auto n = static_cast<std::size_t>(fours) + spare;
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

/// Room for at least `more` entries behind the first `used`.
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
    g.first_four = first_four.data();
    for (int d = 0; d < Dim; ++d) {
        g.centre[d] = centre[d].data();
        g.place[d] = place[d].data();
        g.low[d] = low_[d].data();
        g.high[d] = high_[d].data();
        g.brick_low[d] = brick_low_[d].data();
        g.brick_high[d] = brick_high_[d].data();
    }
    return g;
}

template <int Dim>
void TileList<Dim>::bound_bricks(const Backend& backend) {
    const auto n = size.size(), fours = static_cast<std::size_t>(first_four[n]);
    TileBounds<Dim> t{first_four.data(), size.data(), {}, {}, {}, {}, {}};
    for (int d = 0; d < Dim; ++d) {
        low_[d].resize(fours + spare);
        high_[d].resize(fours + spare);
        brick_low_[d].resize(n);
        brick_high_[d].resize(n);
        t.place[d] = place[d].data();
        t.low[d] = low_[d].data();
        t.high[d] = high_[d].data();
        t.brick_low[d] = brick_low_[d].data();
        t.brick_high[d] = brick_high_[d].data();
    }
    parallel_ranges(backend.threads(), bricks(), brick_grain,
                    [&](std::int64_t first, std::int64_t last) {
                        SHADOW_DISPATCH(backend, bound_bricks, t, static_cast<std::int32_t>(first),
                                        static_cast<std::int32_t>(last));
                    });
}

template <int Dim>
template <class Pair>
void TileList<Dim>::list(const Backend& backend, const Pair* const (&now)[Dim],
                         const BoxView<Dim>& box, double reach) {
    parallel_ranges(backend.threads(), static_cast<std::int64_t>(particle.size()), 4096,
                    [&](std::int64_t first, std::int64_t last) {
                        for (int d = 0; d < Dim; ++d)
                            for (std::int64_t k = first; k < last; ++k)
                                place[d][static_cast<std::size_t>(k)] =
                                    static_cast<float>(now[d][k]);
                    });
    bound_bricks(backend);
    const TileGeometry<Dim> g = geometry(box, reach);
    each_page(backend, [&](TilePage& page) { list_page(backend, page, g); });
    largest_block = 0;
    for (const TilePage& page : pages)
        for (std::size_t k = 0; k + 1 < page.block_begin.size(); ++k)
            largest_block = std::max(largest_block, page.block_begin[k + 1] - page.block_begin[k]);
}

template <int Dim>
void TileList<Dim>::list_page(const Backend& backend, TilePage& page,
                              const TileGeometry<Dim>& geometry) const {
    static thread_local ListingRoom<Dim> memory;
    const BlockRoom<Dim>& room = memory.reserve(largest_candidates_);
    page.block_begin.assign(1, 0);
    page.segment_begin.assign(1, 0);
    page.row_begin.assign(1, 1);
    behind(page.row, 0, 1)[0] = {-1, 0};
    std::size_t fours = 0, segments = 0, rows = 1, tiles = 0;
    for (std::int32_t b = page.first; b < page.last; ++b) {
        const auto k = static_cast<std::size_t>(b - page.first);
        const TileCandidate* candidate =
            page.candidate.data() + static_cast<std::size_t>(page.candidate_begin[k]);
        const std::int32_t count = page.candidate_begin[k + 1] - page.candidate_begin[k];
        std::size_t most = 0;
        for (std::int32_t c = 0; c < count; ++c)
            most += static_cast<std::size_t>(geometry.first_four[candidate[c].brick + 1] -
                                             geometry.first_four[candidate[c].brick]);
        const auto own =
            static_cast<std::size_t>(geometry.first_four[b + 1] - geometry.first_four[b]);
        const auto groups = static_cast<std::size_t>(count / candidate_group + 1);
        TileOutput out{behind(page.four, fours, most),
                       behind(page.segment, segments, static_cast<std::size_t>(count)),
                       behind(page.row, rows, own * groups),
                       behind(page.tile, tiles, own * most),
                       0,
                       0,
                       0,
                       0};
        SHADOW_DISPATCH(backend, list_brick, geometry, room, b, candidate, count, out);
        for (std::int32_t r = 0; r < out.rows; ++r)
            out.row[r].end += static_cast<std::int32_t>(tiles);
        page.block_begin.push_back(
            static_cast<std::int32_t>(fours += static_cast<std::size_t>(out.fours)));
        page.segment_begin.push_back(
            static_cast<std::int32_t>(segments += static_cast<std::size_t>(out.segments)));
        page.row_begin.push_back(
            static_cast<std::int32_t>(rows += static_cast<std::size_t>(out.rows)));
        tiles += static_cast<std::size_t>(out.tiles);
    }
}

template class TileList<2>;
template class TileList<3>;
#define SHADOW_LIST(Dim, Pair)                                                                     \
    template void TileList<Dim>::list(const Backend&, const Pair* const(&)[Dim],                   \
                                      const BoxView<Dim>&, double);
SHADOW_LIST(2, float)
SHADOW_LIST(3, float)
SHADOW_LIST(2, double)
SHADOW_LIST(3, double)

} // namespace cpu
} // namespace shadow
