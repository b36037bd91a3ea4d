// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cpu/tile_types.hpp"
#include "kernels/views.hpp"

/// Plain views of a TileList for the objects of one instruction set.
namespace shadow {

/// Particles that a cluster may have at most where tiles are made of it, and subclusters of a
/// supercluster.
inline constexpr int tile_cluster_size = 64;
inline constexpr int max_subclusters = tile_cluster_size / 4;
/// Fours in a block, which tiles number by 16 bits.
inline constexpr std::int32_t max_block_subclusters = 65535;

/// What is known of superclusters and subclusters when tiles are listed.
template <int Dim>
struct TileGeometry {
    BoxView<Dim> box;
    float reach2;                         ///< what is less counts as within reach
    const std::int32_t* first_subcluster; ///< by supercluster
    const double* centre[Dim];            ///< by supercluster
    const float* place[Dim];              ///< by slot, relative to the centre
    const float *low[Dim], *high[Dim];    ///< by subcluster
    const float *supercluster_low[Dim], *supercluster_high[Dim]; ///< by supercluster
};

/// Boxes to be found around subclusters and superclusters.
template <int Dim>
struct TileBounds {
    const std::int32_t* first_subcluster;
    const std::uint8_t* size;
    const float* place[Dim];
    float *low[Dim], *high[Dim], *supercluster_low[Dim], *supercluster_high[Dim];
};

/// Room for one block while it is listed, and a pack to spare behind each array.
template <int Dim>
struct BlockRoom {
    float *place[Dim], *low[Dim], *high[Dim];
    float* near;          ///< numbers of subclusters
    std::int32_t* number; ///< first: is it in a tile? then: its place in the block
};

/// Where the lists of one supercluster are written to, and how much was written.
struct TileOutput {
    std::int32_t* subcluster;
    cpu::TileSegment* segment;
    cpu::TileRow* row; ///< ends count from the supercluster's first tile
    std::uint16_t* tile;
    std::int32_t subclusters, segments, rows, tiles;
};

} // namespace shadow
