// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/grid.hpp"

namespace shadow {

/// All other particles, for an infinite cut-off.
struct BuildAllRanges {
    const std::int32_t* cluster_count;
    const std::int32_t* cluster_begin;
    const std::int32_t* cluster_end;
    std::int32_t particles;
    std::int32_t* range_count;
    NeighbourRange* ranges; ///< 2 per cluster

    SHADOW_INLINE void operator()(std::int64_t c) const {
        if (c >= *cluster_count) return;
        std::int32_t n = 0;
        if (cluster_begin[c] > 0) ranges[2 * c + n++] = {0, cluster_begin[c], 0};
        if (cluster_end[c] < particles) ranges[2 * c + n++] = {cluster_end[c], particles, 0};
        range_count[c] = n;
    }
};

/// The neighbour ranges of one cluster: from each column in reach of its bounding box, the bins
/// that the sphere of that reach touches.
///
/// A cluster never has more than `stride` ranges: the offsets of columns whose minimum gap is
/// within reach are a subset of those at the minimum width, which the stride counts (see
/// `range_stride`).
template <int Dim>
struct BuildRanges {
    const Grid<Dim>* grid;
    const std::int32_t* start; ///< by bin
    const BoxView<Dim>* box;
    VectorView<Dim, double> position;
    const std::int32_t* cluster_count;
    const std::int32_t* cluster_begin;
    const std::int32_t* cluster_end;
    double reach;
    int max_images; ///< along a column, of one cluster
    std::int32_t* range_count;
    NeighbourRange* ranges;
    std::int64_t stride;

    /// A cluster, and where its neighbours are searched for.
    struct Search {
        std::int32_t begin, end;              ///< its own particles
        double low[Dim] = {}, high[Dim] = {}; ///< its bounding box
        std::int32_t home[Dim] = {};          ///< its column
        int steps[Dim] = {};                  ///< columns to search on each side
        int above[Dim] = {}; ///< for each direction whose images slide, the image to search
    };

    /// A column. `gap2` is the minimum squared distance of any two points of it and of the
    /// cluster's own column, `distance2` that of the column from the bounding box.
    struct Column {
        std::int32_t number = 0;
        double gap2 = 0.0, distance2 = 0.0;
        std::int32_t shift = 0;
    };

    SHADOW_INLINE void operator()(std::int64_t c) const {
        if (c >= *cluster_count) return;
        Search search{cluster_begin[c], cluster_end[c]};
        for (int d = 0; d < Dim; ++d) {
            const double* x = position.component[d];
            double low = x[search.begin], high = low;
            for (std::int32_t i = search.begin + 1; i < search.end; ++i) {
                low = x[i] < low ? x[i] : low;
                high = x[i] > high ? x[i] : high;
            }
            bound(search, d, low, high);
        }
        NeighbourRange* const out = ranges + c * stride;
        std::int32_t count = 0;
        const auto take = [&](const NeighbourRange& range) {
            NeighbourRange* const before = out + count - 1;
            if (count > 0 && before->end == range.begin && before->shift == range.shift)
                before->end = range.end;
            else
                out[count++] = range;
        };
        const int all = views();
        for (int view = 0; view < all; ++view) {
            const Search seen = seen_from(search, view);
            each_column<0>(seen, {},
                           [&](const Column& column) { along_column(seen, column, take); });
        }
        range_count[c] = count;
    }

    [[nodiscard]] SHADOW_INLINE bool slides_along(int d) const { return box->sliding.along(d); }
    [[nodiscard]] SHADOW_INLINE bool slides_across(int d) const { return box->sliding.across(d); }
    /// The number of images on each side in a direction whose images slide: they are searched one
    /// by one.
    [[nodiscard]] SHADOW_INLINE int images_above(std::int32_t d) const {
        return cells_in_reach(reach, box->length[d]) + (slides_along(d) ? 1 : 0);
    }
    /// The number of displaced images to search for a cluster.
    [[nodiscard]] SHADOW_INLINE int views() const {
        const SlidingImages& sliding = box->sliding;
        if (!sliding.any()) return 1;
        const int third = sliding.third_is_tilted() ? 2 * images_above(sliding.third()) + 1 : 1;
        return third * (2 * images_above(sliding.gradient) + 1);
    }
    /// The cluster in coordinates of such an image.
    [[nodiscard]] SHADOW_INLINE Search seen_from(Search search, int view) const {
        const SlidingImages& sliding = box->sliding;
        if (!sliding.any()) return search;
        const std::int32_t y = sliding.gradient, z = sliding.third();
        const int most = images_above(y), count = 2 * most + 1;
        const auto slide = [&](std::int32_t edge) {
            sliding.slide_back(search.low, edge, search.above[edge]);
            sliding.slide_back(search.high, edge, search.above[edge]);
        };
        int own = 0; // image along the gradient
        if (sliding.third_is_tilted()) {
            search.above[z] = view / count - images_above(z);
            slide(z);
            own = static_cast<int>(floor((search.low[y] - box->origin[y]) / box->length[y]));
        }
        search.above[y] = own + view % count - most;
        slide(y);
        for (int d = 0; d < Dim; ++d)
            if (slides_along(d))
                search.home[d] = static_cast<std::int32_t>(
                    floor((search.low[d] - grid->origin[d]) * grid->inverse_width[d]));
        return search;
    }

    SHADOW_INLINE void bound(Search& search, int d, double low, double high) const {
        search.low[d] = low;
        search.high[d] = high;
        search.home[d] = grid->cell(d, low);
        search.steps[d] = cells_in_reach(reach, grid->width[d]) + (slides_along(d) ? 1 : 0);
    }

    /// Moves `offset` columns in direction D; false if that is out of reach.
    template <int D>
    SHADOW_INLINE bool step(const Search& search, int offset, Column& column) const {
        const Grid<Dim>& g = *grid;
        const double reach2 = reach * reach;
        const double gap =
            slides_along(D) ? slid_gap(offset, g.width[D]) : cell_gap(offset, g.width[D]);
        column.gap2 += gap * gap;
        if (!(column.gap2 <= reach2)) return false;
        const std::int32_t n = g.count[D];
        std::int32_t k = search.home[D] + offset;
        int image = 0;
        if (box->periodic[D]) {
            for (; k < 0; k += n) --image;
            for (; k >= n; k -= n) ++image;
        } else if (k < 0 || k >= n) {
            return false;
        }
        if (slides_across(D) && image != search.above[D]) return false;
        const double low = g.origin[D] + k * g.width[D] + image * box->length[D];
        double away = 0.0;
        if (box->periodic[D] || k > 0) away = low - search.high[D];
        if (box->periodic[D] || k < n - 1) {
            const double other = search.low[D] - (low + g.width[D]);
            away = other > away ? other : away;
        }
        if (away > 0.0) column.distance2 += away * away;
        column.number = column.number * n + k;
        column.shift |= NeighbourRange::pack(D, image);
        return column.distance2 <= reach2;
    }

    /// Calls `take` for the ranges of a column, none of which is empty.
    template <class Take>
    SHADOW_INLINE void along_column(const Search& search, const Column& column,
                                    const Take& take) const {
        constexpr int last = Dim - 1;
        const Grid<Dim>& g = *grid;
        const double half = sqrt(reach * reach - column.distance2);
        const std::int32_t* bins = start + std::int64_t{column.number} * g.count[last];
        const double low = search.low[last] - half, high = search.high[last] + half;
        if (!box->periodic[last])
            return cut_out(search,
                           {bins[g.cell(last, low)], bins[g.cell(last, high) + 1], column.shift},
                           take);
        const double length = box->length[last];
        const double top = box->origin[last] + length;
        // The bounds matter only for positions that are not finite, with which a run soon fails.
        const int own =
            slides_along(last)
                ? static_cast<int>(floor((search.low[last] - box->origin[last]) / length))
                : 0;
        int first_image = own, last_image = own;
        while (first_image > own - max_images && low - first_image * length < box->origin[last])
            --first_image;
        while (last_image < first_image + max_images - 1 && high - last_image * length >= top)
            ++last_image;
        if (slides_across(last)) {
            const int above = search.above[last];
            if (above < first_image || above > last_image) return;
            first_image = last_image = above;
        }
        for (int image = first_image; image <= last_image; ++image)
            cut_out(search,
                    {bins[g.cell(last, low - image * length)],
                     bins[g.cell(last, high - image * length) + 1],
                     column.shift | NeighbourRange::pack(last, image)},
                    take);
    }

  private:
    /// All columns in reach, direction by direction.
    template <int D, class Visit>
    SHADOW_INLINE void each_column(const Search& search, const Column& column,
                                   const Visit& visit) const {
        if constexpr (D == Dim - 1) {
            visit(column);
        } else {
            for (int offset = -search.steps[D]; offset <= search.steps[D]; ++offset) {
                Column there = column;
                if (step<D>(search, offset, there)) each_column<D + 1>(search, there, visit);
            }
        }
    }

    /// Excludes the cluster itself.
    template <class Take>
    SHADOW_INLINE void cut_out(const Search& search, const NeighbourRange& range,
                               const Take& take) const {
        if (range.shift == 0 && range.begin < search.end && range.end > search.begin) {
            if (range.begin < search.begin) take(NeighbourRange{range.begin, search.begin, 0});
            if (search.end < range.end) take(NeighbourRange{search.end, range.end, 0});
        } else if (range.begin < range.end) {
            take(range);
        }
    }
};

/// Maximum number of neighbour ranges of a cluster with columns of `width` or wider (see
/// BuildRanges). The factor allows for a contraction of the sums of squares by one compiler and not
/// another.
template <int Dim>
inline std::int64_t range_stride(const BoxView<Dim>& box, const double (&width)[Dim], double reach,
                                 int images_along_column) {
    std::int64_t columns = 0;
    const double reach2 = reach * reach * (1.0 + 1e-12);
    const auto slides = [&](int d) { return box.sliding.along(d); };
    int steps[2] = {0, 0};
    for (int d = 0; d < Dim - 1; ++d)
        steps[d] = cells_in_reach(reach, width[d]) + (slides(d) ? 1 : 0);
    const auto gap2 = [&](int offset, int d) {
        const double gap = slides(d) ? slid_gap(offset, width[d]) : cell_gap(offset, width[d]);
        return gap * gap;
    };
    for (int a = -steps[0]; a <= steps[0]; ++a)
        for (int b = -steps[1]; b <= steps[1]; ++b) {
            double sum = 0.0;
            if constexpr (Dim > 1) sum += gap2(a, 0);
            if constexpr (Dim > 2) sum += gap2(b, 1);
            columns += sum <= reach2;
        }
    return columns * (box.periodic[Dim - 1] ? images_along_column : 1) + 1;
}

} // namespace shadow
