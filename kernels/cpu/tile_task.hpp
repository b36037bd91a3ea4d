// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cpu/tile_views.hpp"
#include "kernels/ops/shares.hpp"
#include "kernels/ops/strain.hpp"
#include "kernels/pair_force.hpp"

/// The arguments of the passes of the CPU pair force over a TileList: plain pointers.
namespace shadow {

struct TileChunkView {
    std::int32_t first, last; ///< superclusters
    const std::int32_t *block_begin, *block_size, *subcluster, *segment_begin;
    const cpu::TileSegment* segment;
    const std::int32_t* row_begin;
    const cpu::TileRow* row;
    const std::uint16_t* tile;
    const cpu::MaskedTile* masked;
    std::int32_t sum_begin, sums; ///< in subclusters
};

struct TileBatchView {
    const cpu::ReductionTarget* target;
    const cpu::Contribution* contribution;
};

template <int Dim, class Pair>
struct TileTask {
    PairForcePayload<Dim, Pair> payload;
    const std::int32_t* first_subcluster;
    const std::uint8_t* size;
    const std::int32_t* particle;
    const double* centre[Dim];
    const float* listed[Dim];         ///< by slot: positions when tiles were listed,
    const double* listed_centre[Dim]; ///< relative to these centres
    Strain<Dim> strain;               ///< since then
    double far;
    std::int32_t largest_block; ///< in subclusters
    cpu::TileWork work;
    Share<Dim>* share; ///< by particle; for TileWork::shares
    bool accumulate;   ///< shares are added to the existing ones
    bool ahead;        ///< positions are gathered as soon as particles have moved
    Pair* place[Dim];  ///< by slot, relative to the centre of the supercluster
    Pair* species;     ///< by slot, or null: there is one
    double* sums; ///< of two batches: [subcluster][channel][4]; 0 except for waiting contributions
    SymmetricTensor<Dim>* virial; ///< by supercluster, or null

    [[nodiscard]] SHADOW_INLINE int channels() const { return cpu::tile_channels<Dim>(work); }
    /// Scratch memory of a thread: a block, then from `reaction_begin` on the reactions, which are
    /// 0 between superclusters.
    [[nodiscard]] SHADOW_INLINE std::size_t reaction_begin() const {
        return (static_cast<std::size_t>(4 * largest_block) * (Dim + 1) + 15) / 16 * 16;
    }
    [[nodiscard]] SHADOW_INLINE std::size_t scratch_size() const {
        return reaction_begin() + static_cast<std::size_t>(16 * largest_block * channels());
    }
};

} // namespace shadow
