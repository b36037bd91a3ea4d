// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/tensor.hpp"

#include <cstdint>

/// The elements of a TileList, without containers, so that code of one instruction set can use
/// them.
namespace shadow::cpu {

/// The quantities computed from pairs and summed by particle, each component a channel: forces;
/// forces and energy; or virial and energy (kernels/ops/shares.hpp).
enum class TileWork { forces, energies, shares };

template <int Dim>
constexpr int tile_channels(TileWork work) {
    if (work == TileWork::shares) return tensor_size<Dim> + 1;
    return work == TileWork::energies ? Dim + 1 : Dim;
}

/// The coordinate, in all directions, of a slot without a particle, relative to the centre of its
/// supercluster: beyond the reach of all particles and of the other empty slots of its
/// supercluster.
SHADOW_INLINE double padding_place(double far, std::int64_t slot) {
    return far * (1.0 + static_cast<double>(slot % 61));
}

/// The number of candidates after which rows end, because rows are summed in the precision of the
/// pairs.
inline constexpr std::int32_t candidate_group = 32;

/// A supercluster that may come within reach of another, through one image. The sums of its
/// subcluster q are at q + sum among those of the chunk.
struct TileCandidate {
    std::int32_t supercluster, shift, sum;
};

/// Subclusters [begin, begin of the next segment) of a block belong to one candidate.
struct TileSegment {
    std::int32_t supercluster, shift, sum, begin;
};

/// Tiles [begin, end) of one subcluster of a supercluster, and those with masks.
struct TileRow {
    std::int32_t subcluster, begin, end, masked_begin, masked_end;
};

/// A tile of which only some pairs count: bit 4 r + c is the pair of particle r of the own
/// subcluster and particle c of the other. The tile of a subcluster with itself is the first of its
/// row and counts each pair once.
struct MaskedTile {
    std::uint16_t tile, pairs;
};

/// Each pair within a subcluster once.
inline constexpr std::uint16_t own_pairs = 0x08CE;

/// A supercluster whose sums are collected with a batch: contributions from `begin` up to those of
/// the next target. `first`: none were collected before; `last`: none will be collected later.
struct ReductionTarget {
    std::int32_t supercluster, begin;
    bool first, last;
};

/// The sums of a chunk for one supercluster begin at `sums`, in subclusters.
struct Contribution {
    std::int32_t supercluster, sums;
};

} // namespace shadow::cpu
