// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/grid.hpp"

namespace shadow {

/// Everything else, for an infinite cut-off.
struct BuildAllRanges {
    const std::int32_t* cluster_count;
    const std::int32_t* cluster_begin;
    const std::int32_t* cluster_end;
    std::int32_t particles;
    std::int32_t* range_count;
    NeighbourRange* ranges; ///< 2 a cluster

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
/// A cluster never has more than `stride` ranges: the offsets of columns whose least gap is within
/// reach are a subset of those at the least width, which the stride counts (see `range_stride`).
template <int Dim, class Real>
struct BuildRanges {
    const Grid<Dim>* grid;
    const std::int32_t* start; ///< by bin
    BoxView<Dim> box;
    VectorView<Dim, Real> position;
    const std::int32_t* cluster_count;
    const std::int32_t* cluster_begin;
    const std::int32_t* cluster_end;
    double reach;
    int max_images; ///< along a column, of one cluster
    std::int32_t* range_count;
    NeighbourRange* ranges;
    std::int64_t stride;

    SHADOW_INLINE void operator()(std::int64_t c) const {
        if (c >= *cluster_count) return;
        Search search{*grid, cluster_begin[c], cluster_end[c], ranges + c * stride, reach * reach};
        for (int d = 0; d < Dim; ++d) {
            const Real* x = position.component[d];
            Real low = x[search.begin], high = low;
            for (std::int32_t i = search.begin + 1; i < search.end; ++i) {
                low = x[i] < low ? x[i] : low;
                high = x[i] > high ? x[i] : high;
            }
            search.low[d] = static_cast<double>(low);
            search.high[d] = static_cast<double>(high);
            search.home[d] = grid->cell(d, search.low[d]);
            search.steps[d] = cells_in_reach(reach, grid->width[d]);
        }
        columns<0>(search, 0, 0.0, 0.0, 0);
        range_count[c] = search.count;
    }

  private:
    struct Search {
        const Grid<Dim> grid;
        std::int32_t begin, end; ///< the cluster's own particles
        NeighbourRange* out;
        double reach2;
        std::int32_t count = 0;
        double low[Dim] = {}, high[Dim] = {}; ///< its bounding box
        std::int32_t home[Dim] = {};          ///< its column
        int steps[Dim] = {};                  ///< columns to look at on each side
    };

    /// All columns in reach, direction by direction. `gap2` is the least squared distance of any
    /// two points of the two columns, `distance2` that of the column from the bounding box.
    template <int D>
    SHADOW_INLINE void columns(Search& search, std::int32_t column, double gap2, double distance2,
                               std::int32_t shift) const {
        if constexpr (D == Dim - 1) {
            along_column(search, column, sqrt(search.reach2 - distance2), shift);
        } else {
            const Grid<Dim>& g = search.grid;
            const std::int32_t n = g.count[D];
            for (int offset = -search.steps[D]; offset <= search.steps[D]; ++offset) {
                const double gap = cell_gap(offset, g.width[D]);
                if (!(gap2 + gap * gap <= search.reach2)) continue;
                std::int32_t k = search.home[D] + offset;
                int image = 0;
                if (box.periodic[D]) {
                    for (; k < 0; k += n) --image;
                    for (; k >= n; k -= n) ++image;
                } else if (k < 0 || k >= n) {
                    continue;
                }
                const double low = g.origin[D] + k * g.width[D] + image * box.length[D];
                double away = 0.0;
                if (box.periodic[D] || k > 0) away = low - search.high[D];
                if (box.periodic[D] || k < n - 1) {
                    const double other = search.low[D] - (low + g.width[D]);
                    away = other > away ? other : away;
                }
                const double d2 = away > 0.0 ? distance2 + away * away : distance2;
                if (d2 <= search.reach2)
                    columns<D + 1>(search, column * n + k, gap2 + gap * gap, d2,
                                   shift | NeighbourRange::pack(D, image));
            }
        }
    }

    SHADOW_INLINE void along_column(Search& search, std::int32_t column, double half,
                                    std::int32_t shift) const {
        constexpr int last = Dim - 1;
        const Grid<Dim>& g = search.grid;
        const std::int32_t* bins = start + std::int64_t{column} * g.count[last];
        const double low = search.low[last] - half, high = search.high[last] + half;
        if (!box.periodic[last])
            return add(search, bins[g.cell(last, low)], bins[g.cell(last, high) + 1], shift);
        const double length = box.length[last];
        const double top = box.origin[last] + length;
        // The bounds only matter for positions that are not finite, with which a run fails soon.
        int first_image = 0, last_image = 0;
        while (first_image > -max_images && low - first_image * length < box.origin[last])
            --first_image;
        while (last_image < first_image + max_images - 1 && high - last_image * length >= top)
            ++last_image;
        for (int image = first_image; image <= last_image; ++image)
            add(search, bins[g.cell(last, low - image * length)],
                bins[g.cell(last, high - image * length) + 1],
                shift | NeighbourRange::pack(last, image));
    }

    /// Cuts out the cluster itself.
    SHADOW_INLINE void add(Search& search, std::int32_t begin, std::int32_t end,
                           std::int32_t shift) const {
        if (shift == 0 && begin < search.end && end > search.begin) {
            push(search, begin, search.begin, shift);
            push(search, search.end, end, shift);
        } else {
            push(search, begin, end, shift);
        }
    }
    SHADOW_INLINE void push(Search& search, std::int32_t begin, std::int32_t end,
                            std::int32_t shift) const {
        if (begin >= end) return;
        if (search.count > 0) {
            NeighbourRange& before = search.out[search.count - 1];
            if (before.end == begin && before.shift == shift) {
                before.end = end;
                return;
            }
        }
        search.out[search.count++] = {begin, end, shift};
    }
};

/// Neighbour ranges that a cluster can have at most with columns of `width` or wider (see
/// BuildRanges). The factor covers a contraction of the sums of squares by one compiler and not
/// another.
template <int Dim>
inline std::int64_t range_stride(const BoxView<Dim>& box, const double (&width)[Dim], double reach,
                                 int images_along_column) {
    std::int64_t columns = 0;
    const double reach2 = reach * reach * (1.0 + 1e-12);
    int steps[2] = {0, 0};
    for (int d = 0; d < Dim - 1; ++d) steps[d] = cells_in_reach(reach, width[d]);
    for (int a = -steps[0]; a <= steps[0]; ++a)
        for (int b = -steps[1]; b <= steps[1]; ++b) {
            double gap2 = 0.0;
            if constexpr (Dim > 1) gap2 += cell_gap(a, width[0]) * cell_gap(a, width[0]);
            if constexpr (Dim > 2) gap2 += cell_gap(b, width[1]) * cell_gap(b, width[1]);
            columns += gap2 <= reach2;
        }
    return columns * (box.periodic[Dim - 1] ? images_along_column : 1) + 1;
}

} // namespace shadow
