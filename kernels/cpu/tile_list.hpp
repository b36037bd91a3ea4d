// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include "kernels/views.hpp"

#include <cstdint>
#include <vector>

namespace shadow {
template <int Dim>
struct TileGeometry;
}

/// The pair list of the CPU kernels: tiles of 4 x 4 particles, each pair of particles once.
///
/// The particles of a cluster are cut, by halves along the longest side, into fours next to each
/// other in space. Up to 16 fours make a brick. Its own fours, and those of other bricks which are
/// *ahead* of it and have someone within reach, make the block of a brick; its own come first.
/// Ahead is a brick of higher number, or any brick through an image whose shift is positive in the
/// first direction in which it is not 0: so of two bricks always one is ahead of the other. A list
/// is, for each own four, the numbers of those later fours of the block in which it meets someone
/// within reach.
///
///     block of brick 7 | own fours 0..15 | of brick 8: 16..22 | of brick 12: 23..30 | ...
///     tiles of its four 3 | 4 5 8 16 17 19 ...
///
/// The kernel writes what a brick does to each four of its block in an output of its own, and a
/// second pass collects for each brick what it gets, in the order of the bricks that gave it. So
/// bits do not depend on who computes what.
namespace shadow::cpu {

/// Fours [begin, begin of the next segment) of a block are of one brick, seen through one image.
struct TileSegment {
    std::int32_t brick, shift, begin;
};

/// The bricks [first, last) with what was listed for them, built by one thread.
struct TilePage {
    std::int32_t first = 0, last = 0;
    std::vector<std::int32_t> block_begin;   ///< by brick, and the end; into `four`
    std::vector<std::int32_t> four;          ///< members of the blocks
    std::vector<std::int32_t> segment_begin; ///< by brick, and the end
    std::vector<TileSegment> segment;        ///< the first of a block is the brick's own
    std::vector<std::int32_t> tile_begin;    ///< by own four, and the end
    std::vector<std::uint16_t> tile;         ///< numbers in the block
};

/// What one brick gives to another.
struct TileGift {
    std::int32_t four; ///< the first of `count` members of blocks, in its page
    std::int32_t count;
    std::int32_t output; ///< where the first of them stands in the output, in fours
    std::int32_t page;
};

/// A brick that gets something from the bricks of a wave: gifts from `begin` on, up to those of the
/// next taker. `first`: no earlier wave gave it anything.
struct TileTaker {
    std::int32_t brick, begin;
    bool first;
};

/// Pages that are computed together and then collected: as many as keep the output in the cache.
struct TileWave {
    std::int32_t first_page = 0, last_page = 0;
    std::vector<std::int32_t> output_begin; ///< by page, in fours
    std::vector<TileTaker> taker;           ///< ascending, and one more as the end
    std::vector<TileGift> gift;             ///< in the order of the giving bricks
};

/// Of one dimension; `build` for one set of positions, then usable while nobody has moved more than
/// half of what the reach has beyond the cut-off.
template <int Dim>
class TileList {
  public:
    std::vector<std::int32_t> first_four; ///< by brick, and the end
    std::vector<std::uint8_t> size;       ///< particles, by brick
    std::vector<std::int32_t> particle;   ///< by slot: four times the four, and 0 to 3
    std::vector<double> centre[Dim];      ///< by brick
    std::vector<TilePage> pages;
    std::vector<TileWave> waves;
    std::int32_t largest_block = 0, largest_output = 0; ///< in fours
    double far = 0.0; ///< slots without a particle stand there, relative to the centre

    [[nodiscard]] std::size_t bytes() const;
    [[nodiscard]] std::int32_t bricks() const { return static_cast<std::int32_t>(size.size()); }

    /// `position` are those the list was made from; `list.reach` is finite, clusters have up to 64
    /// particles. False if blocks were too large for
    /// the numbers of tiles (of more than 65535 fours); then the list cannot be used.
    template <class Real>
    [[nodiscard]] bool build(const Backend& backend, const VectorView<Dim, Real>& position,
                             std::int64_t particles, const BoxView<Dim>& box,
                             const PairListView& list);

  private:
    template <class Real>
    void cut(const Backend& backend, const VectorView<Dim, Real>& position, std::int64_t particles,
             const PairListView& list);
    template <class Real>
    void place(const Backend& backend, const VectorView<Dim, Real>& position,
               const PairListView& list);
    /// False if a block was too large.
    [[nodiscard]] bool list_tiles(const Backend& backend, const BoxView<Dim>& box,
                                  const PairListView& list);
    [[nodiscard]] bool list_page(const Backend& backend, TilePage& page,
                                 const TileGeometry<Dim>& geometry) const;
    void make_waves(const Backend& backend);
    void sort_gifts(TileWave& wave) const;

    // Used while building only, but kept: their memory is asked for once.
    std::vector<std::int32_t> order_; ///< memory indices, cluster by cluster
    std::vector<std::uint8_t> sizes_; ///< of the bricks of a cluster, from its first place on
    std::vector<std::int32_t> first_brick_, cluster_; ///< by cluster and the end; by brick
    std::vector<float> place_[Dim], low_[Dim], high_[Dim], brick_low_[Dim], brick_high_[Dim];
};

} // namespace shadow::cpu
