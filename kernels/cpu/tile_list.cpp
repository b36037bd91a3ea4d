// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/tile_list.hpp"

#include "shadow/core/error.hpp"

#include "kernels/cpu/dispatch.hpp"
#include "kernels/cpu/threads.hpp"
#include "kernels/cpu/tile_views.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <new>
#include <numeric>
#include <utility>

namespace shadow {

#define SHADOW_DECLARE(isa)                                                                        \
    namespace isa {                                                                                \
    template <int Dim>                                                                             \
    void cut_clusters(const VectorView<Dim, double>& position, const PairListView& list,           \
                      std::int64_t first, std::int64_t last, float limit, std::int32_t* order,     \
                      std::uint8_t* size, std::int32_t* superclusters);                            \
    }
SHADOW_DECLARE(sse)
SHADOW_DECLARE(avx2)
SHADOW_DECLARE(avx512)

namespace cpu {

namespace {

constexpr std::int64_t cluster_grain = 16;

double centre_of(const double* x, std::size_t n) {
    const auto [low, high] = std::minmax_element(x, x + n);
    return 0.5 * *low + 0.5 * *high;
}

/// The median, on which particles far from all others have no influence.
double median(const double* x, std::size_t n) {
    double sorted[tile_cluster_size];
    std::copy_n(x, n, sorted);
    std::nth_element(sorted, sorted + n / 2, sorted + n);
    return sorted[n / 2];
}

/// The maximum length of a supercluster in reaches: float coordinates relative to its centre are
/// then exact to 3e-7 reaches.
constexpr double longest_supercluster = 8.0;

} // namespace

template <int Dim>
std::size_t TileList<Dim>::bytes() const {
    const auto of = [](const auto&... v) { return ((v.capacity() * sizeof(v[0])) + ...); };
    std::size_t sum =
        of(first_subcluster, size, particle, order_, sizes_, first_supercluster_, cluster_,
           first_particle_, slot_, supercluster_, every_subcluster_, every_tile_);
    for (int d = 0; d < Dim; ++d)
        sum +=
            of(centre[d], place[d], low_[d], high_[d], supercluster_low_[d], supercluster_high_[d]);
    for (const TileChunk& p : chunks)
        sum += of(p.candidate_begin, p.candidate, p.halo, p.block_begin, p.block_size, p.subcluster,
                  p.segment_begin, p.segment, p.row_begin, p.row, p.tile, p.masked);
    for (const TileBatch& w : batches) sum += of(w.sum_begin, w.target, w.contribution);
    return sum;
}

/// Calls `body` for all chunks, in parallel.
template <int Dim>
void TileList<Dim>::each_chunk(const Backend& backend,
                               const std::function<void(TileChunk&)>& body) {
    std::atomic<bool> full = false; // an exception must not leave a parallel region
    parallel_ranges(backend.threads(), static_cast<std::int64_t>(chunks.size()), 1,
                    [&](std::int64_t first, std::int64_t last) {
                        try {
                            for (; first < last; ++first)
                                body(chunks[static_cast<std::size_t>(first)]);
                        } catch (const std::bad_alloc&) {
                            full = true;
                        }
                    });
    if (full)
        throw MachineError(fmt::format("cannot list the pairs of {} particles (not enough memory); "
                                       "use fewer particles, a shorter cut-off or a larger machine",
                                       std::accumulate(size.begin(), size.end(), std::int64_t{0})));
}

template <int Dim>
void TileList<Dim>::release() {
    const auto drop = [](auto&... v) { (std::decay_t<decltype(v)>().swap(v), ...); };
    if (!all_) drop(order_, sizes_);
    for (int d = 0; d < Dim; ++d) drop(low_[d], high_[d]);
    for (TileChunk& p : chunks)
        drop(p.block_begin, p.block_size, p.subcluster, p.segment_begin, p.segment, p.row_begin,
             p.row, p.tile, p.masked);
}

template <int Dim>
bool TileList<Dim>::build(const Backend& backend, const VectorView<Dim, double>& position,
                          std::int64_t particles, const BoxView<Dim>& box,
                          const PairListView& list) {
    all_ = std::isinf(list.reach);
    for (const bool periodic : box.periodic)
        if (all_ && periodic) return false; // there are infinitely many images
    far = all_ ? 0.0 : 1000.0 * list.reach;
    order_.resize(static_cast<std::size_t>(particles));
    if (all_)
        cut_all();
    else
        cut(backend, position, list);
    first_subcluster.assign(1, 0);
    for (const std::uint8_t count : size)
        first_subcluster.push_back(first_subcluster.back() + (count + 3) / 4);
    place_superclusters(backend, position, list.reach);
    if (box.sliding.any()) built_centre_ = centre[box.sliding.flow];
    if (list.exclusions.any()) find_slots();
    if (!find_candidates(backend, box, list)) return false;
    make_batches(backend);
    return true;
}

/// Superclusters are made of consecutive particles rather than from clusters, which may be only
/// partly filled where they end with the columns of other lists of finite reach.
template <int Dim>
void TileList<Dim>::cut_all() {
    std::iota(order_.begin(), order_.end(), 0);
    size.clear();
    first_particle_.clear();
    for (std::size_t first = 0; first < order_.size(); first += tile_cluster_size) {
        first_particle_.push_back(static_cast<std::int32_t>(first));
        size.push_back(static_cast<std::uint8_t>(
            std::min<std::size_t>(tile_cluster_size, order_.size() - first)));
    }
    memory_begin = first_particle_;
    divided.clear();
}

/// Makes superclusters and the order of particles in them.
template <int Dim>
void TileList<Dim>::cut(const Backend& backend, const VectorView<Dim, double>& position,
                        const PairListView& list) {
    const std::int64_t clusters = *list.cluster_count;
    sizes_.resize(order_.size());
    first_supercluster_.resize(static_cast<std::size_t>(clusters) + 1);
    parallel_ranges(backend.threads(), clusters, cluster_grain,
                    [&](std::int64_t first, std::int64_t last) {
                        SHADOW_DISPATCH(backend, cut_clusters, position, list, first, last,
                                        static_cast<float>(longest_supercluster * list.reach),
                                        order_.data(), sizes_.data(), first_supercluster_.data());
                    });
    size.clear();
    cluster_.clear();
    first_particle_.clear();
    for (std::int32_t c = 0; c < clusters; ++c) {
        const std::int32_t begin = list.cluster_begin[c];
        const std::int32_t count = std::exchange(first_supercluster_[static_cast<std::size_t>(c)],
                                                 static_cast<std::int32_t>(size.size()));
        std::int32_t first = begin;
        for (std::int32_t k = 0; k < count; first += size.back(), ++k) {
            cluster_.push_back(c);
            first_particle_.push_back(first);
            size.push_back(sizes_[static_cast<std::size_t>(begin + k)]);
        }
    }
    first_supercluster_.back() = superclusters();
    find_divided(list);
}

/// A cluster that is one supercluster keeps its memory indices.
template <int Dim>
void TileList<Dim>::find_divided(const PairListView& list) {
    memory_begin.assign(size.size(), -1);
    divided.clear();
    for (std::size_t c = 0; c + 1 < first_supercluster_.size(); ++c) {
        const std::int32_t begin = list.cluster_begin[c], end = list.cluster_end[c];
        const std::int32_t first = first_supercluster_[c], last = first_supercluster_[c + 1];
        if (last - first == 1)
            memory_begin[static_cast<std::size_t>(first)] = begin;
        else
            divided.push_back({begin, end, first, last});
    }
}

template <int Dim>
void TileList<Dim>::follow_all(const Backend& backend, const VectorView<Dim, double>& position) {
    if (all_) place_superclusters(backend, position, std::numeric_limits<double>::infinity());
}

/// Otherwise coordinates relative to the centres would become large, and badly rounded as floats.
template <int Dim>
void TileList<Dim>::follow_slide(const BoxView<Dim>& box, const BoxView<Dim>& built) {
    if (!box.sliding.any()) return;
    const std::int32_t y = box.sliding.gradient;
    const double shear = (box.sliding.slide - built.sliding.slide) / box.length[y],
                 middle = box.origin[y] + 0.5 * box.length[y];
    std::vector<double>& along = centre[box.sliding.flow];
    for (std::size_t b = 0; b < along.size(); ++b)
        along[b] =
            built_centre_[b] + std::nearbyint(shear * (centre[y][b] - middle) / grid_) * grid_;
}

/// The largest finite coordinate.
template <int Dim>
double TileList<Dim>::farthest(const VectorView<Dim, double>& position) const {
    double largest = std::numeric_limits<double>::min();
    for (int d = 0; d < Dim; ++d)
        for (std::size_t i = 0; i < order_.size(); ++i) {
            const double x = std::abs(position.component[d][i]);
            if (std::isfinite(x)) largest = std::max(largest, x);
        }
    return largest;
}

/// Assigns particles to slots, and computes centres and positions relative to them.
template <int Dim>
void TileList<Dim>::place_superclusters(const Backend& backend,
                                        const VectorView<Dim, double>& position, double reach) {
    const auto n = size.size(), subclusters = static_cast<std::size_t>(first_subcluster[n]);
    particle.resize(4 * subclusters);
    for (int d = 0; d < Dim; ++d) {
        centre[d].resize(n);
        place[d].resize(4 * subclusters);
    }
    // Differences of centres have 24 bits, so that no supercluster is displaced by rounding.
    const double longest = all_ ? farthest(position) : longest_supercluster * reach;
    const double grid = grid_ = std::exp2(std::ceil(std::log2(longest)) - 20.0);
    const auto place_supercluster = [&](std::size_t b) {
        const std::int32_t* order = order_.data() + first_particle_[b];
        const auto slot = 4 * static_cast<std::size_t>(first_subcluster[b]);
        const auto slots = 4 * static_cast<std::size_t>(first_subcluster[b + 1]) - slot;
        for (std::size_t k = 0; k < slots; ++k) particle[slot + k] = order[k < size[b] ? k : 0];
        double x[tile_cluster_size] = {};
        for (int d = 0; d < Dim; ++d) {
            for (std::size_t k = 0; k < size[b]; ++k) x[k] = position.component[d][order[k]];
            const double middle =
                std::nearbyint((all_ ? median(x, size[b]) : centre_of(x, size[b])) / grid) * grid;
            centre[d][b] = middle;
            float* to = place[d].data() + slot;
            for (std::size_t k = 0; k < size[b]; ++k) to[k] = static_cast<float>(x[k] - middle);
            for (std::size_t k = size[b]; k < slots; ++k)
                to[k] = static_cast<float>(padding_place(far, static_cast<std::int64_t>(slot + k)));
        }
    };
    parallel_ranges(backend.threads(), superclusters(), cluster_grain,
                    [&](std::int64_t first, std::int64_t last) {
                        for (; first < last; ++first)
                            place_supercluster(static_cast<std::size_t>(first));
                    });
    bound_superclusters(backend);
}

/// Finds the slot of each particle and the supercluster of each subcluster.
template <int Dim>
void TileList<Dim>::find_slots() {
    slot_.resize(order_.size());
    supercluster_.resize(particle.size() / 4);
    for (std::size_t b = 0; b < size.size(); ++b) {
        const auto first = 4 * static_cast<std::size_t>(first_subcluster[b]);
        std::fill(supercluster_.begin() + first_subcluster[b],
                  supercluster_.begin() + first_subcluster[b + 1], static_cast<std::int32_t>(b));
        for (std::size_t slot = first; slot < first + size[b]; ++slot) {
            const auto i = static_cast<std::size_t>(particle[slot]);
            slot_[i] = static_cast<std::int32_t>(slot);
        }
    }
}

template class TileList<2>;
template class TileList<3>;

} // namespace cpu
} // namespace shadow
