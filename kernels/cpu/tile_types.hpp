// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/tensor.hpp"

#include <cstdint>

/// What a TileList is made of, without containers: for the objects of one instruction set too.
namespace shadow::cpu {

/// What is made of its pairs, and summed by particle in so many channels: forces; these, then
/// energy; or virial, then energy (kernels/ops/shares.hpp).
enum class TileWork { forces, energies, shares };

template <int Dim>
constexpr int tile_channels(TileWork work) {
    if (work == TileWork::shares) return tensor_size<Dim> + 1;
    return work == TileWork::energies ? Dim + 1 : Dim;
}

/// Where a slot without a particle stands in all directions, relative to the centre of its
/// supercluster: beyond the reach of all particles, and of the other such slots of its
/// supercluster.
SHADOW_INLINE double padding_place(double far, std::int64_t slot) {
    return far * (1.0 + static_cast<double>(slot % 61));
}

/// Rows end after so many candidates, since they are summed in the precision of the pairs.
inline constexpr std::int32_t candidate_group = 32;

/// A supercluster that may come within reach of another, through one image. The sums of its
/// subcluster q are those of the chunk at q + sum.
struct TileCandidate {
    std::int32_t supercluster, shift, sum;
};

/// Fours [begin, begin of the next segment) of a block are of one candidate.
struct TileSegment {
    std::int32_t supercluster, shift, sum, begin;
};

/// Tiles [begin, end) of one subcluster of a supercluster, and those with masks.
struct TileRow {
    std::int32_t subcluster, begin, end, masked_begin, masked_end;
};

/// A tile of which only some pairs count: bit 4 r + c is particle r of the own subcluster with
/// particle c of the other. That of a subcluster with itself is the first of its row, each pair
/// once.
struct MaskedTile {
    std::uint16_t tile, pairs;
};

/// Each pair of a subcluster with itself once.
inline constexpr std::uint16_t own_pairs = 0x08CE;

/// A supercluster whose sums are collected with a batch: contributions from `begin` on, up to those
/// of the next target. `first`: none have been collected before; `last`: none will be later.
struct ReductionTarget {
    std::int32_t supercluster, begin;
    bool first, last;
};

/// The sums of a chunk for one supercluster begin there, in subclusters.
struct Contribution {
    std::int32_t supercluster, sums;
};

} // namespace shadow::cpu
