// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cpu/tile_list.hpp"

/// Plain views of a TileList for the objects of one instruction set.
namespace shadow {

/// Particles that a cluster may have at most where tiles are made of it, and fours of a brick.
inline constexpr int tile_cluster_size = 64;
inline constexpr int most_fours = tile_cluster_size / 4;
/// Fours in a block, which tiles number by 16 bits.
inline constexpr std::int32_t most_block_fours = 65535;

/// What is known of bricks and fours when blocks and tiles are listed.
template <int Dim>
struct TileGeometry {
    PairListView list;
    BoxView<Dim> box;
    double reach;
    std::int64_t clusters;
    const std::int32_t *first_brick, *first_four;
    const std::int32_t* cluster;                   ///< by brick
    const double* centre[Dim];                     ///< by brick
    const float* place[Dim];                       ///< by slot, relative to the centre
    const float *low[Dim], *high[Dim];             ///< by four
    const float *brick_low[Dim], *brick_high[Dim]; ///< by brick
};

/// Room for one block while it is listed, and a pack to spare behind each array.
template <int Dim>
struct BlockRoom {
    std::int32_t capacity; ///< in fours
    float *place[Dim], *low[Dim], *high[Dim];
    float* near;          ///< numbers of fours
    std::int32_t* number; ///< first: is it in a tile? then: its place in the block
};

/// Where lists are written to; see TilePage. Ends are written behind each brick or own four.
struct TileOutput {
    std::int32_t *four, *block_end;
    std::int32_t fours, four_capacity;
    cpu::TileSegment* segment;
    std::int32_t* segment_end;
    std::int32_t segments, segment_capacity;
    std::uint16_t* tile;
    std::int32_t* tile_end;
    std::int32_t tiles, tile_capacity;
    bool room_is_short;      ///< the room for a block, not that for lists, was too small
    bool block_is_too_large; ///< for the numbers of tiles
};

} // namespace shadow
