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
/// The particles of a cluster are cut, by halves along the longest side, into *subclusters*,
/// clusters of four particles next to each other in space. Up to 16 subclusters make a
/// supercluster. Superclusters last as long as the clusters they are made of, and so do their
/// candidates: themselves, and the superclusters *ahead* of them that may come within reach
/// meanwhile. Ahead is a supercluster of higher number, or any supercluster through an image whose
/// shift is positive in the first direction in which it is not 0: so of two superclusters always
/// one is ahead of the other.
///
/// From the candidates tiles are listed, anew and anew, for a reach that is hardly longer than the
/// cut-off. Own subclusters, and those of the candidates which have a particle within reach, make
/// the block of a supercluster; its own come first. A row is, for an own subcluster, the numbers of
/// those later subclusters of the block with a particle within reach of one of its own. Tiles with
/// pairs that are excluded have masks and stand in a list of their own, as does the tile of a
/// subcluster with itself.
///
/// Where the cut-off is infinite superclusters are consecutive particles in memory, and ahead of
/// one is, on a circle of them, the half that comes next, so that all have as much to do. Rows are
/// ranges of numbers, and tiles are not listed one by one.
///
///     block of 7              | own subclusters 0..15 | of 8: 16..22 | of 12: 23..30 | ...
///     row of its subcluster 3       | 4 5 8 16 17 19 ...
///
/// Some 100 superclusters make a chunk. One thread computes it and adds up the forces and
/// energies of its superclusters, and those that they give to superclusters of other chunks, its
/// halo; a second pass adds up the contributions to each supercluster, in the order of chunks. So
/// bits do not depend on which thread computes what. Nor do they depend on when tiles were listed:
/// a tile too many adds zeros, all sums run in the order of candidates, and rows end where a group
/// of candidates ends.
namespace shadow::cpu {

template <int Dim>
class TileMasker;

/// A cluster of several superclusters, [first, last): where in memory its particles are.
struct DividedCluster {
    std::int32_t begin, end, first, last;
};

/// Superclusters [first, last) with what was listed for them.
struct TileChunk {
    std::int32_t first = 0, last = 0;
    std::vector<std::int32_t> candidate_begin; ///< by supercluster, and the end
    std::vector<TileCandidate> candidate;      ///< the first of a supercluster is itself
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

/// Chunks that are computed together: as many as keep their sums in the cache, where those of two
/// batches have room. What two batches in a row give a supercluster is collected with the second.
struct TileBatch {
    std::int32_t first_chunk = 0, last_chunk = 0;
    std::vector<std::int32_t> sum_begin;    ///< by chunk, in subclusters
    std::vector<ReductionTarget> target;    ///< ascending, and one more as the end
    std::vector<Contribution> contribution; ///< of a target in the order of chunks
};

/// Of one dimension. `build` superclusters, then `list` tiles; tiles are usable while no particle
/// has moved more than half of what their reach has beyond the cut-off, superclusters while none
/// has moved more than half of what the reach of the clusters has beyond it.
template <int Dim>
class TileList {
  public:
    std::vector<std::int32_t> first_subcluster; ///< by supercluster, and the end
    std::vector<std::uint8_t> size;             ///< particles, by supercluster
    std::vector<std::int32_t> particle;         ///< by slot: four times the subcluster, and 0 to 3
    /// By supercluster: where in memory its particles begin; -1: its cluster is divided into
    /// several.
    std::vector<std::int32_t> memory_begin;
    std::vector<DividedCluster> divided; ///< such clusters
    std::vector<double> centre[Dim];     ///< by supercluster
    std::vector<float> place[Dim];       ///< by slot: when listed, relative to the centre
    std::vector<TileChunk> chunks;
    std::vector<TileBatch> batches;
    std::int32_t largest_block = 0, room_of_sums = 0; ///< in subclusters; sums of two batches
    /// Slots without a particle stand there, relative to the centre; 0, and left out by masks,
    /// where everything is within reach.
    double far = 0.0;

    [[nodiscard]] std::size_t bytes() const;
    /// Gives back the tiles, and what only building needs.
    void release();
    /// What TileChunk has, or ranges have in its place.
    [[nodiscard]] const std::int32_t* subcluster(const TileChunk& chunk) const {
        return all_ ? every_subcluster_.data() : chunk.subcluster.data();
    }
    [[nodiscard]] const std::uint16_t* tile(const TileChunk& chunk) const {
        return all_ ? every_tile_.data() : chunk.tile.data();
    }
    /// Do superclusters stay where they are between two builds?
    [[nodiscard]] bool keeps_centres(const BoxView<Dim>& box) const {
        return !all_ && !box.sliding.any();
    }
    [[nodiscard]] std::int32_t superclusters() const {
        return static_cast<std::int32_t>(size.size());
    }

    /// `position` are those the list was made from; clusters have up to 64 particles. False if
    /// blocks may become too large for the numbers of tiles (of more than 65535 subclusters); then
    /// the list cannot be used.
    [[nodiscard]] bool build(const Backend& backend, const VectorView<Dim, double>& position,
                             std::int64_t particles, const BoxView<Dim>& box,
                             const PairListView& list);

    /// Where everything is within reach, takes the centres of superclusters from where particles
    /// are: then bits do not depend on where they were when the list was built.
    void follow_all(const Backend& backend, const VectorView<Dim, double>& position);

    /// Where images slide, centres of superclusters go along with the flow from where they were in
    /// the box of the build.
    void follow_slide(const BoxView<Dim>& box, const BoxView<Dim>& built);

    /// Tiles for particles that are now at `now`, by slot, relative to the centres. `exclusions`
    /// are those the list was built with.
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
    double grid_ = 0.0;                ///< of centres
    std::vector<double> built_centre_; ///< along the flow, where images slide
    std::vector<std::int32_t> every_subcluster_;
    std::vector<std::uint16_t> every_tile_;
    std::int32_t largest_candidates_ = 0; ///< in subclusters: no block is larger
    std::vector<float> low_[Dim], high_[Dim], supercluster_low_[Dim], supercluster_high_[Dim];
    // With excluded pairs: id and supercluster by slot and subcluster, slot by particle.
    std::vector<std::int32_t> slot_, supercluster_;
    // Used while building only, but kept: their memory is asked for once.
    std::vector<std::int32_t> order_; ///< memory indices, cluster by cluster
    std::vector<std::uint8_t>
        sizes_; ///< of the superclusters of a cluster, from its first place on
    std::vector<std::int32_t> first_supercluster_, ///< by cluster, and the end
        cluster_, first_particle_;                 ///< by supercluster; the latter in `order_`
};

} // namespace shadow::cpu
