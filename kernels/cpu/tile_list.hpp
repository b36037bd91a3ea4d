// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include "kernels/cpu/tile_types.hpp"
#include "kernels/views.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace shadow {
template <int Dim>
struct TileGeometry;
}

/// The pair list of the CPU kernels: tiles of 4 x 4 particles, each pair of particles once.
///
/// The particles of a cluster are cut, by halves along the longest side, into fours next to each
/// other in space. Up to 16 fours make a brick. Bricks last as long as the clusters they are made
/// of, and so do their candidates: themselves, and the bricks *ahead* of them that may come within
/// reach meanwhile. Ahead is a brick of higher number, or any brick through an image whose shift
/// is positive in the first direction in which it is not 0: so of two bricks always one is ahead
/// of the other.
///
/// From the candidates tiles are listed, anew and anew, for a reach that is hardly longer than the
/// cut-off. Own fours, and those of the candidates which have someone within reach, make the block
/// of a brick; its own come first. A row is, for an own four, the numbers of those later fours of
/// the block in which it meets someone within reach.
///
///     block of brick 7 | own fours 0..15 | of brick 8: 16..22 | of brick 12: 23..30 | ...
///     row of its four 3 | 4 5 8 16 17 19 ...
///
/// Some 100 bricks make a page. One thread computes it and adds up what its bricks do to each
/// other and to the bricks of other pages, its guests; a second pass collects for each brick what
/// it gets, in the order of the pages that give it. So bits do not depend on who computes what.
/// Nor do they depend on when tiles were listed: a tile too many adds zeros, all sums run in the
/// order of candidates, and rows end where a group of candidates ends.
namespace shadow::cpu {

/// Bricks [first, last) with what was listed for them.
struct TilePage {
    std::int32_t first = 0, last = 0;
    std::vector<std::int32_t> candidate_begin; ///< by brick, and the end
    std::vector<TileCandidate> candidate;      ///< the first of a brick is itself
    std::vector<std::int32_t> guest;           ///< ascending
    std::int32_t sums = 0;                     ///< fours: own, then those of the guests

    std::vector<std::int32_t> block_begin; ///< by brick, and the end; into `four`
    std::vector<std::int32_t> four;        ///< members of the blocks
    std::vector<std::int32_t> segment_begin;
    std::vector<TileSegment> segment;
    std::vector<std::int32_t> row_begin; ///< by brick, and the end; the first is 1
    std::vector<TileRow> row;            ///< behind one that ends at 0
    std::vector<std::uint16_t> tile;     ///< numbers in the block
};

/// Pages that are computed together and then collected: as many as keep their sums in the cache.
struct TileWave {
    std::int32_t first_page = 0, last_page = 0;
    std::vector<std::int32_t> sum_begin; ///< by page, in fours
    std::vector<TileTaker> taker;        ///< ascending, and one more as the end
    std::vector<TileGift> gift;          ///< of a taker in the order of pages
};

/// Of one dimension. `build` bricks, then `list` tiles; tiles are usable while nobody has moved
/// more than half of what their reach has beyond the cut-off, bricks while nobody has moved more
/// than half of what the reach of the clusters has beyond it.
template <int Dim>
class TileList {
  public:
    std::vector<std::int32_t> first_four; ///< by brick, and the end
    std::vector<std::uint8_t> size;       ///< particles, by brick
    std::vector<std::int32_t> particle;   ///< by slot: four times the four, and 0 to 3
    std::vector<double> centre[Dim];      ///< by brick
    std::vector<float> place[Dim];        ///< by slot: when listed, relative to the centre
    std::vector<TilePage> pages;
    std::vector<TileWave> waves;
    std::int32_t largest_block = 0, largest_sums = 0; ///< in fours; sums of a wave
    double far = 0.0; ///< slots without a particle stand there, relative to the centre

    [[nodiscard]] std::size_t bytes() const;
    /// Gives back the tiles, and what only building needs.
    void release();
    [[nodiscard]] std::int32_t bricks() const { return static_cast<std::int32_t>(size.size()); }

    /// `position` are those the list was made from; `list.reach` is finite, clusters have up to 64
    /// particles. False if blocks may become too large for the numbers of tiles (of more than
    /// 65535 fours); then the list cannot be used.
    template <class Real>
    [[nodiscard]] bool build(const Backend& backend, const VectorView<Dim, Real>& position,
                             std::int64_t particles, const BoxView<Dim>& box,
                             const PairListView& list);

    /// Tiles for particles that are now at `now`, by slot, relative to the centres.
    template <class Pair>
    void list(const Backend& backend, const Pair* const (&now)[Dim], const BoxView<Dim>& box,
              double reach);

  private:
    template <class Real>
    void cut(const Backend& backend, const VectorView<Dim, Real>& position, std::int64_t particles,
             const PairListView& list);
    template <class Real>
    void place_bricks(const Backend& backend, const VectorView<Dim, Real>& position,
                      const PairListView& list);
    void bound_bricks(const Backend& backend);
    [[nodiscard]] bool find_candidates(const Backend& backend, const BoxView<Dim>& box,
                                       const PairListView& list);
    void invite_guests(TilePage& page) const;
    void each_page(const Backend& backend, const std::function<void(TilePage&)>& body);
    void list_page(const Backend& backend, TilePage& page, const TileGeometry<Dim>& geometry) const;
    [[nodiscard]] TileGeometry<Dim> geometry(const BoxView<Dim>& box, double reach) const;
    void make_waves(const Backend& backend);
    void sort_gifts(TileWave& wave) const;

    std::int32_t largest_candidates_ = 0; ///< in fours: no block is larger
    std::vector<float> low_[Dim], high_[Dim], brick_low_[Dim], brick_high_[Dim];
    // Used while building only, but kept: their memory is asked for once.
    std::vector<std::int32_t> order_; ///< memory indices, cluster by cluster
    std::vector<std::uint8_t> sizes_; ///< of the bricks of a cluster, from its first place on
    std::vector<std::int32_t> first_brick_, cluster_; ///< by cluster and the end; by brick
};

} // namespace shadow::cpu
