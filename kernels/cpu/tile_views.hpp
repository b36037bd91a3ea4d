// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cpu/tile_types.hpp"
#include "kernels/views.hpp"

/// Plain views of a TileList for the objects of one instruction set.
namespace shadow {

/// Particles that a cluster may have at most where tiles are made of it, and fours of a
/// supercluster.
inline constexpr int tile_cluster_size = 64;
inline constexpr int max_fours = tile_cluster_size / 4;
/// Fours in a block, which tiles number by 16 bits.
inline constexpr std::int32_t max_block_fours = 65535;

/// What is known of superclusters and fours when tiles are listed.
template <int Dim>
struct TileGeometry {
    BoxView<Dim> box;
    float reach2;                      ///< what is less counts as within reach
    const std::int32_t* first_four;    ///< by supercluster
    const double* centre[Dim];         ///< by supercluster
    const float* place[Dim];           ///< by slot, relative to the centre
    const float *low[Dim], *high[Dim]; ///< by four
    const float *supercluster_low[Dim], *supercluster_high[Dim]; ///< by supercluster
};

/// Boxes to be found around fours and superclusters.
template <int Dim>
struct TileBounds {
    const std::int32_t* first_four;
    const std::uint8_t* size;
    const float* place[Dim];
    float *low[Dim], *high[Dim], *supercluster_low[Dim], *supercluster_high[Dim];
};

/// Room for one block while it is listed, and a pack to spare behind each array.
template <int Dim>
struct BlockRoom {
    float *place[Dim], *low[Dim], *high[Dim];
    float* near;          ///< numbers of fours
    std::int32_t* number; ///< first: is it in a tile? then: its place in the block
};

/// Where the lists of one supercluster are written to, and how much was written.
struct TileOutput {
    std::int32_t* four;
    cpu::TileSegment* segment;
    cpu::TileRow* row; ///< ends count from the supercluster's first tile
    std::uint16_t* tile;
    std::int32_t fours, segments, rows, tiles;
};

} // namespace shadow
