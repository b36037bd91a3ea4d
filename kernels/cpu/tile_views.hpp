// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cpu/tile_types.hpp"
#include "kernels/views.hpp"

/// Plain views of a TileList for the objects of one instruction set.
namespace shadow {

/// The maximum number of particles of a cluster from which tiles are made, and of subclusters of a
/// supercluster.
inline constexpr int tile_cluster_size = 64;
inline constexpr int max_subclusters = tile_cluster_size / 4;
/// Maximum number of subclusters in a block; tiles store their numbers in 16 bits.
inline constexpr std::int32_t max_block_subclusters = 65535;

/// The superclusters and subclusters from which tiles are listed.
template <int Dim>
struct TileGeometry {
    BoxView<Dim> box;
    float reach2;                         ///< pairs closer than this are within reach
    const std::int32_t* first_subcluster; ///< by supercluster
    const double* centre[Dim];            ///< by supercluster
    const float* place[Dim];              ///< by slot, relative to the centre
    const float *low[Dim], *high[Dim];    ///< by subcluster
    const float *supercluster_low[Dim], *supercluster_high[Dim]; ///< by supercluster
};

/// Bounding boxes of subclusters and superclusters, to be computed.
template <int Dim>
struct TileBounds {
    const std::int32_t* first_subcluster;
    const std::uint8_t* size;
    const float* place[Dim];
    float *low[Dim], *high[Dim], *supercluster_low[Dim], *supercluster_high[Dim];
};

/// Memory for one block while it is listed, with a spare pack after each array.
template <int Dim>
struct BlockRoom {
    float *place[Dim], *low[Dim], *high[Dim];
    float* near;          ///< numbers of subclusters
    std::int32_t* number; ///< at first whether it is in a tile, then its index in the block
};

/// Arrays to which the lists of one supercluster are written, and the numbers of entries written.
struct TileOutput {
    std::int32_t* subcluster;
    cpu::TileSegment* segment;
    cpu::TileRow* row; ///< begin and end count from the supercluster's first tile
    std::uint16_t* tile;
    std::int32_t subclusters, segments, rows, tiles;
};

} // namespace shadow
