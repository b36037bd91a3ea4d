// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/threads.hpp"
#include "kernels/cpu/tile_list.hpp"
#include "kernels/cpu/tile_views.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace shadow::cpu {

namespace {

constexpr std::int32_t min_chunk_superclusters = 8, max_chunk_superclusters = 256;

/// Superclusters per chunk: a function of their number alone, since bits depend on it. The number
/// of chunks is a multiple of 8, so that threads get equally many. With all pairs one supercluster
/// is enough work for a chunk.
std::int32_t chunk_length(std::int32_t superclusters, bool all) {
    const std::int32_t eights =
        (superclusters + 8 * max_chunk_superclusters - 1) / (8 * max_chunk_superclusters);
    const std::int32_t chunks = 8 * std::max(1, eights);
    return std::max(all ? 1 : min_chunk_superclusters, (superclusters + chunks - 1) / chunks);
}

/// The sign of the shift in the first direction in which it is not 0; orders images.
template <int Dim>
int direction(const NeighbourRange& range) {
    for (int d = 0; d < Dim; ++d)
        if (range.images(d) != 0) return range.images(d);
    return 0;
}

/// Finds the superclusters ahead of one whose boxes are within reach.
template <int Dim>
class CandidateFinder {
  public:
    CandidateFinder(const TileGeometry<Dim>& geometry, const PairListView& list,
                    const std::vector<std::int32_t>& first_supercluster,
                    const std::vector<std::int32_t>& cluster)
        : g_(geometry), list_(list), first_supercluster_(first_supercluster), cluster_(cluster) {}

    /// Appends the candidates of a supercluster, itself first; returns the number of their
    /// subclusters.
    std::int64_t find(std::int32_t supercluster, std::vector<TileCandidate>& out) {
        open(supercluster, out);
        const std::int32_t c = cluster_[static_cast<std::size_t>(supercluster)];
        for (std::int32_t b = supercluster + 1; b < first(c + 1); ++b) add(b, 0);
        const NeighbourRange* ranges = list_.ranges + c * list_.stride;
        for (std::int32_t r = 0; r < list_.range_count[c]; ++r) add_range(ranges[r], c);
        return subclusters_;
    }

    /// The same if all are within reach: of `count` superclusters on a circle the following half,
    /// so that all have equally many.
    std::int64_t find_all(std::int32_t supercluster, std::int32_t count,
                          std::vector<TileCandidate>& out) {
        open(supercluster, out);
        const std::int32_t half = (count - 1) / 2;
        const bool opposite = count % 2 == 0 && supercluster < count / 2;
        for (std::int32_t k = 1; k <= half + (opposite ? 1 : 0); ++k)
            append((supercluster + k) % count, 0);
        return subclusters_;
    }

  private:
    void open(std::int32_t supercluster, std::vector<TileCandidate>& out) {
        supercluster_ = supercluster;
        out_ = &out;
        subclusters_ = 0;
        append(supercluster, 0);
    }

    [[nodiscard]] std::int32_t first(std::int64_t cluster) const {
        return first_supercluster_[static_cast<std::size_t>(cluster)];
    }

    void add_range(const NeighbourRange& range, std::int32_t own_cluster) {
        const int sign = direction<Dim>(range);
        if (range.begin >= range.end || sign < 0) return;
        if (sign == 0 && range.end <= list_.cluster_begin[own_cluster]) return;
        const std::int64_t clusters = *list_.cluster_count;
        for (std::int64_t c = cluster_of(range.begin);
             c < clusters && list_.cluster_begin[c] < range.end; ++c)
            for (std::int32_t b = first(c); b < first(c + 1); ++b)
                if (sign > 0 || b > supercluster_) add(b, range.shift);
    }

    [[nodiscard]] std::int64_t cluster_of(std::int32_t particle) const {
        std::int64_t low = 0, high = *list_.cluster_count;
        while (high - low > 1) {
            const std::int64_t middle = low + (high - low) / 2;
            (list_.cluster_begin[middle] <= particle ? low : high) = middle;
        }
        return low;
    }

    void add(std::int32_t b, std::int32_t shift) {
        float distance2 = 0.0F;
        const NeighbourRange image{0, 0, shift};
        for (int d = 0; d < Dim; ++d) {
            const auto offset = static_cast<float>(g_.centre[d][b] + image.offset(g_.box, d) -
                                                   g_.centre[d][supercluster_]);
            const float below =
                g_.supercluster_low[d][supercluster_] - (g_.supercluster_high[d][b] + offset);
            const float above =
                g_.supercluster_low[d][b] + offset - g_.supercluster_high[d][supercluster_];
            const float gap = std::max(std::max(below, above), 0.0F);
            distance2 += gap * gap;
        }
        if (distance2 <= g_.reach2) append(b, shift);
    }

    void append(std::int32_t b, std::int32_t shift) {
        out_->push_back({b, shift, 0});
        subclusters_ += g_.first_subcluster[b + 1] - g_.first_subcluster[b];
    }

    const TileGeometry<Dim>& g_;
    const PairListView& list_;
    const std::vector<std::int32_t>&first_supercluster_, &cluster_;
    std::int32_t supercluster_ = 0;
    std::vector<TileCandidate>* out_ = nullptr;
    std::int64_t subclusters_ = 0;
};

} // namespace

/// Returns false if the candidates of a supercluster have too many subclusters.
template <int Dim>
bool TileList<Dim>::find_candidates(const Backend& backend, const BoxView<Dim>& box,
                                    const PairListView& list) {
    const std::int32_t length = chunk_length(superclusters(), all_);
    chunks.resize(static_cast<std::size_t>((superclusters() + length - 1) / length));
    const TileGeometry<Dim> g = geometry(box, list.reach);
    std::atomic<std::int64_t> largest = 0;
    each_chunk(backend, [&](TileChunk& chunk) {
        chunk.first = static_cast<std::int32_t>(&chunk - chunks.data()) * length;
        chunk.last = std::min(superclusters(), chunk.first + length);
        chunk.candidate.clear();
        chunk.candidate_begin.assign(1, 0);
        CandidateFinder<Dim> finder(g, list, first_supercluster_, cluster_);
        std::int64_t most = 0;
        for (std::int32_t b = chunk.first; b < chunk.last; ++b) {
            most = std::max(most, all_ ? finder.find_all(b, superclusters(), chunk.candidate)
                                       : finder.find(b, chunk.candidate));
            chunk.candidate_begin.push_back(static_cast<std::int32_t>(chunk.candidate.size()));
        }
        find_halo(chunk);
        keep_largest(largest, most);
    });
    if (largest > max_block_subclusters) return false;
    largest_candidates_ = static_cast<std::int32_t>(largest);
    return true;
}

/// Finds the halo of a chunk and the indices of the sums of its candidates.
template <int Dim>
void TileList<Dim>::find_halo(TileChunk& chunk) const {
    const auto first = [this](std::int32_t b) {
        return first_subcluster[static_cast<std::size_t>(b)];
    };
    chunk.halo.clear();
    for (const TileCandidate& c : chunk.candidate)
        if (c.supercluster < chunk.first || c.supercluster >= chunk.last)
            chunk.halo.push_back(c.supercluster);
    std::sort(chunk.halo.begin(), chunk.halo.end());
    chunk.halo.erase(std::unique(chunk.halo.begin(), chunk.halo.end()), chunk.halo.end());
    chunk.sums = first(chunk.last) - first(chunk.first);
    std::vector<std::int32_t> sum(chunk.halo.size());
    for (std::size_t k = 0; k < sum.size(); ++k) {
        sum[k] = chunk.sums - first(chunk.halo[k]);
        chunk.sums += first(chunk.halo[k] + 1) - first(chunk.halo[k]);
    }
    for (TileCandidate& c : chunk.candidate) {
        if (c.supercluster >= chunk.first && c.supercluster < chunk.last) {
            c.sum = -first(chunk.first);
            continue;
        }
        const auto found = std::lower_bound(chunk.halo.begin(), chunk.halo.end(), c.supercluster);
        c.sum = sum[static_cast<std::size_t>(found - chunk.halo.begin())];
    }
}

template class TileList<2>;
template class TileList<3>;

} // namespace shadow::cpu
