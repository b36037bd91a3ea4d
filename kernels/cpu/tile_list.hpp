// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include "kernels/cpu/tile_types.hpp"
#include "kernels/views.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <vector>

namespace shadow {
template <int Dim>
struct TileGeometry;
struct TileOutput;
} // namespace shadow

/// The pair list of the CPU kernels: tiles of 4 x 4 particles, each pair of particles once.
///
/// The particles of a cluster are divided, by halving along the longest side, into *subclusters*:
/// four particles next to each other in space. Up to 16 subclusters make a supercluster.
/// Superclusters are kept as long as the clusters they are made of, and so are their candidates:
/// the supercluster itself and the superclusters *ahead* of it that may come within reach in that
/// time. A supercluster is ahead of another if its number is higher, or if it is an image whose
/// shift is positive in the first direction in which the shift is not 0. Of two superclusters
/// exactly one is therefore ahead of the other.
///
/// From the candidates tiles are listed repeatedly, for a reach only slightly longer than the
/// cut-off. The block of a supercluster consists of its own subclusters, which come first, and of
/// the subclusters of its candidates that have a particle within reach. The row of an own
/// subcluster holds the numbers of the later subclusters of the block with a particle within reach
/// of one of its particles. Tiles with excluded pairs have masks and are kept in a separate list,
/// as is the tile of a subcluster with itself.
///
/// If the cut-off is infinite, superclusters are consecutive particles in memory. They are arranged
/// on a circle, and the half that follows a supercluster is ahead of it, so that all have the same
/// amount of work. Rows are then ranges of numbers, and tiles are not listed one by one.
///
///     block of 7              | own subclusters 0..15 | of 8: 16..22 | of 12: 23..30 | ...
///     row of its subcluster 3       | 4 5 8 16 17 19 ...
///
/// Some 100 superclusters make a chunk. One thread computes it and sums the forces and energies of
/// its superclusters, and those on superclusters of other chunks, its halo. A second pass sums the
/// contributions to each supercluster, in the order of chunks. The bits therefore do not depend on
/// which thread computes which chunk. Nor do they depend on when tiles were listed: an unneeded
/// tile adds zeros, all sums run in the order of candidates, and rows end where a group of
/// candidates ends.
namespace shadow::cpu {

template <int Dim>
class TileMasker;

/// A cluster of several superclusters, [first, last); its particles are [begin, end) in memory.
struct DividedCluster {
    std::int32_t begin, end, first, last;
};

/// Superclusters [first, last) with their lists.
struct TileChunk {
    std::int32_t first = 0, last = 0;
    std::vector<std::int32_t> candidate_begin; ///< by supercluster, and the end
    std::vector<TileCandidate> candidate;      ///< the first one of a supercluster is itself
    std::vector<std::int32_t> halo;            ///< ascending
    std::int32_t sums = 0;                     ///< subclusters: own, then those of the halo

    std::vector<std::int32_t> block_begin, block_size; ///< by supercluster; in `subcluster`
    std::vector<std::int32_t> subcluster;              ///< members of the blocks
    std::vector<std::int32_t> segment_begin;
    std::vector<TileSegment> segment;
    std::vector<std::int32_t> row_begin; ///< by supercluster, and the end
    std::vector<TileRow> row;
    std::vector<std::uint16_t> tile; ///< numbers in the block
    std::vector<MaskedTile> masked;
};

/// Chunks that are computed together: as many as leave room in the cache for the sums of two
/// batches. Contributions of two consecutive batches to one supercluster are collected with the
/// second.
struct TileBatch {
    std::int32_t first_chunk = 0, last_chunk = 0;
    std::vector<std::int32_t> sum_begin;    ///< by chunk, in subclusters
    std::vector<ReductionTarget> target;    ///< ascending, and one more as the end
    std::vector<Contribution> contribution; ///< of a target in the order of chunks
};

/// Call `build` to make superclusters, then `list` to make tiles. Tiles are valid while no particle
/// has moved more than half the difference of their reach and the cut-off; superclusters while none
/// has moved more than half the difference of the reach of the clusters and the cut-off.
template <int Dim>
class TileList {
  public:
    std::vector<std::int32_t> first_subcluster; ///< by supercluster, and the end
    std::vector<std::uint8_t> size;             ///< particles, by supercluster
    std::vector<std::int32_t> particle;         ///< by slot: four times the subcluster, and 0 to 3
    /// By supercluster: memory index of its first particle; -1: its cluster is divided into
    /// several.
    std::vector<std::int32_t> memory_begin;
    std::vector<DividedCluster> divided; ///< clusters of several superclusters
    std::vector<double> centre[Dim];     ///< by supercluster
    std::vector<float> place[Dim];       ///< by slot: position when listed, relative to the centre
    std::vector<TileChunk> chunks;
    std::vector<TileBatch> batches;
    std::int32_t largest_block = 0, room_of_sums = 0; ///< in subclusters; sums of two batches
    /// Coordinate of slots without a particle, relative to the centre; if everything is within
    /// reach it is 0, and masks leave such slots out.
    double far = 0.0;

    [[nodiscard]] std::size_t bytes() const;
    /// Frees the tiles and the memory that only building needs.
    void release();
    /// The array of TileChunk, or the one that replaces it if everything is within reach.
    [[nodiscard]] const std::int32_t* subcluster(const TileChunk& chunk) const {
        return all_ ? every_subcluster_.data() : chunk.subcluster.data();
    }
    [[nodiscard]] const std::uint16_t* tile(const TileChunk& chunk) const {
        return all_ ? every_tile_.data() : chunk.tile.data();
    }
    /// Do the centres of superclusters stay fixed between two builds?
    [[nodiscard]] bool keeps_centres(const BoxView<Dim>& box) const {
        return !all_ && !box.sliding.any();
    }
    [[nodiscard]] std::int32_t superclusters() const {
        return static_cast<std::int32_t>(size.size());
    }

    /// `position`: the positions from which the list was made; clusters have up to 64 particles.
    /// Returns false if blocks may have more than 65535 subclusters, too many for the numbers of
    /// tiles; the list cannot then be used.
    [[nodiscard]] bool build(const Backend& backend, const VectorView<Dim, double>& position,
                             std::int64_t particles, const BoxView<Dim>& box,
                             const PairListView& list);

    /// If everything is within reach, recomputes the centres of superclusters from the positions,
    /// so that bits do not depend on the positions at which the list was built.
    void follow_all(const Backend& backend, const VectorView<Dim, double>& position);

    /// If images slide, moves the centres of superclusters with the flow from their positions in
    /// the box of the build.
    void follow_slide(const BoxView<Dim>& box, const BoxView<Dim>& built);

    /// Lists tiles for particles at `now`, by slot, relative to the centres. `exclusions` must be
    /// those of the build.
    template <class Pair>
    void list(const Backend& backend, const Pair* const (&now)[Dim], const BoxView<Dim>& box,
              double reach, const ExclusionView& exclusions);

  private:
    void cut(const Backend& backend, const VectorView<Dim, double>& position,
             const PairListView& list);
    void cut_all();
    void find_divided(const PairListView& list);
    void place_superclusters(const Backend& backend, const VectorView<Dim, double>& position,
                             double reach);
    [[nodiscard]] double farthest(const VectorView<Dim, double>& position) const;
    void bound_superclusters(const Backend& backend);
    [[nodiscard]] bool find_candidates(const Backend& backend, const BoxView<Dim>& box,
                                       const PairListView& list);
    void find_halo(TileChunk& chunk) const;
    void each_chunk(const Backend& backend, const std::function<void(TileChunk&)>& body);
    void list_chunk(const Backend& backend, TileChunk& chunk, const TileGeometry<Dim>& geometry,
                    TileMasker<Dim>& masker) const;
    void list_all(TileChunk& chunk, TileMasker<Dim>& masker) const;
    static void add_ranges(TileChunk& chunk, std::int32_t i, const std::vector<MaskedTile>& masked,
                           const TileOutput& out);
    void count_all();
    void find_slots();
    [[nodiscard]] TileGeometry<Dim> geometry(const BoxView<Dim>& box, double reach) const;
    void make_batches(const Backend& backend);
    [[nodiscard]] std::vector<Contribution> contributions(const TileBatch& batch) const;
    /// `given`: by batch.
    void make_targets(const std::vector<std::vector<Contribution>>& given);

    bool all_ = false;                 ///< all pairs are within reach
    double grid_ = 0.0;                ///< spacing of centres
    std::vector<double> built_centre_; ///< along the flow, where images slide
    std::vector<std::int32_t> every_subcluster_;
    std::vector<std::uint16_t> every_tile_;
    std::int32_t largest_candidates_ = 0; ///< in subclusters; bounds the size of blocks
    std::vector<float> low_[Dim], high_[Dim], supercluster_low_[Dim], supercluster_high_[Dim];
    // With excluded pairs: id and supercluster by slot and subcluster, slot by particle.
    std::vector<std::int32_t> slot_, supercluster_;
    // Used only while building, but kept so that memory is allocated once.
    std::vector<std::int32_t> order_; ///< memory indices, cluster by cluster
    std::vector<std::uint8_t>
        sizes_; ///< of the superclusters of a cluster, from its first particle on
    std::vector<std::int32_t> first_supercluster_, ///< by cluster, and the end
        cluster_, first_particle_;                 ///< by supercluster; the latter in `order_`
};

} // namespace shadow::cpu
