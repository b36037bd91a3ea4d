// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/threads.hpp"
#include "kernels/cpu/tile_list.hpp"
#include "kernels/cpu/tile_views.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace shadow::cpu {

namespace {

constexpr std::int32_t least_page_bricks = 8, most_page_bricks = 256;

/// Bricks of a page: a function of their number alone, since bits depend on it. The number of pages
/// is a multiple of 8, so that threads get the same number of them.
std::int32_t page_length(std::int32_t bricks) {
    const std::int32_t eights = (bricks + 8 * most_page_bricks - 1) / (8 * most_page_bricks);
    const std::int32_t pages = 8 * std::max(1, eights);
    return std::max(least_page_bricks, (bricks + pages - 1) / pages);
}

/// Who comes before whom among images: of the first direction in which the image is another one.
template <int Dim>
int direction(const Run& run) {
    for (int d = 0; d < Dim; ++d)
        if (run.images(d) != 0) return run.images(d);
    return 0;
}

/// The bricks ahead of each other that are within reach by their boxes.
template <int Dim>
class CandidateFinder {
  public:
    CandidateFinder(const TileGeometry<Dim>& geometry, const PairListView& list,
                    const std::vector<std::int32_t>& first_brick,
                    const std::vector<std::int32_t>& cluster)
        : g_(geometry), list_(list), first_brick_(first_brick), cluster_(cluster) {}

    /// Appends those of a brick, itself first; returns how many fours they have.
    std::int64_t find(std::int32_t brick, std::vector<TileCandidate>& out) {
        brick_ = brick;
        out_ = &out;
        fours_ = 0;
        append(brick, 0);
        const std::int32_t c = cluster_[static_cast<std::size_t>(brick)];
        for (std::int32_t b = brick + 1; b < first(c + 1); ++b) add(b, 0);
        const Run* runs = list_.runs + c * list_.stride;
        for (std::int32_t r = 0; r < list_.run_count[c]; ++r) add_run(runs[r], c);
        return fours_;
    }

  private:
    [[nodiscard]] std::int32_t first(std::int64_t cluster) const {
        return first_brick_[static_cast<std::size_t>(cluster)];
    }

    void add_run(const Run& run, std::int32_t own_cluster) {
        const int sign = direction<Dim>(run);
        if (run.begin >= run.end || sign < 0) return;
        if (sign == 0 && run.end <= list_.cluster_begin[own_cluster]) return;
        const std::int64_t clusters = *list_.cluster_count;
        for (std::int64_t c = cluster_of(run.begin);
             c < clusters && list_.cluster_begin[c] < run.end; ++c)
            for (std::int32_t b = first(c); b < first(c + 1); ++b)
                if (sign > 0 || b > brick_) add(b, run.shift);
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
        const Run image{0, 0, shift};
        for (int d = 0; d < Dim; ++d) {
            const auto offset = static_cast<float>(
                g_.centre[d][b] + image.images(d) * g_.box.length[d] - g_.centre[d][brick_]);
            const float below = g_.brick_low[d][brick_] - (g_.brick_high[d][b] + offset);
            const float above = g_.brick_low[d][b] + offset - g_.brick_high[d][brick_];
            const float gap = std::max(std::max(below, above), 0.0F);
            distance2 += gap * gap;
        }
        // Even of what is nowhere, where everything is within reach.
        if (distance2 <= g_.reach2 || std::isinf(g_.reach2)) append(b, shift);
    }

    void append(std::int32_t b, std::int32_t shift) {
        out_->push_back({b, shift, 0});
        fours_ += g_.first_four[b + 1] - g_.first_four[b];
    }

    const TileGeometry<Dim>& g_;
    const PairListView& list_;
    const std::vector<std::int32_t>&first_brick_, &cluster_;
    std::int32_t brick_ = 0;
    std::vector<TileCandidate>* out_ = nullptr;
    std::int64_t fours_ = 0;
};

} // namespace

/// False if the candidates of a brick have too many fours.
template <int Dim>
bool TileList<Dim>::find_candidates(const Backend& backend, const BoxView<Dim>& box,
                                    const PairListView& list) {
    const std::int32_t length = page_length(bricks());
    pages.resize(static_cast<std::size_t>((bricks() + length - 1) / length));
    const TileGeometry<Dim> g = geometry(box, list.reach);
    std::atomic<std::int64_t> largest = 0;
    each_page(backend, [&](TilePage& page) {
        page.first = static_cast<std::int32_t>(&page - pages.data()) * length;
        page.last = std::min(bricks(), page.first + length);
        page.candidate.clear();
        page.candidate_begin.assign(1, 0);
        CandidateFinder<Dim> finder(g, list, first_brick_, cluster_);
        std::int64_t most = 0;
        for (std::int32_t b = page.first; b < page.last; ++b) {
            most = std::max(most, finder.find(b, page.candidate));
            page.candidate_begin.push_back(static_cast<std::int32_t>(page.candidate.size()));
        }
        invite_guests(page);
        keep_largest(largest, most);
    });
    if (largest > most_block_fours) return false;
    largest_candidates_ = static_cast<std::int32_t>(largest);
    return true;
}

/// Where the sums of the candidates of a page stand.
template <int Dim>
void TileList<Dim>::invite_guests(TilePage& page) const {
    const auto first = [this](std::int32_t b) { return first_four[static_cast<std::size_t>(b)]; };
    page.guest.clear();
    for (const TileCandidate& c : page.candidate)
        if (c.brick < page.first || c.brick >= page.last) page.guest.push_back(c.brick);
    std::sort(page.guest.begin(), page.guest.end());
    page.guest.erase(std::unique(page.guest.begin(), page.guest.end()), page.guest.end());
    page.sums = first(page.last) - first(page.first);
    std::vector<std::int32_t> sum(page.guest.size());
    for (std::size_t k = 0; k < sum.size(); ++k) {
        sum[k] = page.sums - first(page.guest[k]);
        page.sums += first(page.guest[k] + 1) - first(page.guest[k]);
    }
    for (TileCandidate& c : page.candidate) {
        if (c.brick >= page.first && c.brick < page.last) {
            c.sum = -first(page.first);
            continue;
        }
        const auto found = std::lower_bound(page.guest.begin(), page.guest.end(), c.brick);
        c.sum = sum[static_cast<std::size_t>(found - page.guest.begin())];
    }
}

template class TileList<2>;
template class TileList<3>;

} // namespace shadow::cpu
