// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/grid.hpp"

namespace shadow {

/// Cuts a column into clusters of C particles. Where the box is long enough, no cluster may be
/// longer than half of it, so that a neighbour range never needs more than two periodic images
/// along the column; that takes at most one more cluster a column, since two clusters with their
/// successors cannot both be longer than half the box.
template <int Dim, class Real>
struct CutColumn {
    const Grid<Dim>* grid;
    const std::int32_t* start; ///< by bin
    const Real* last;          ///< last coordinate, sorted inside the column
    std::int32_t cluster_size;
    double longest; ///< infinite: no such cuts

    [[nodiscard]] SHADOW_INLINE std::int32_t
    end_of_cluster(std::int32_t begin, std::int32_t column_end, bool& may_cut) const {
        std::int32_t end = column_end - begin < cluster_size ? column_end : begin + cluster_size;
        const auto low = static_cast<double>(last[begin]);
        if (!may_cut || !(static_cast<double>(last[end - 1]) - low > longest)) return end;
        may_cut = false;
        while (end - begin > 1 && static_cast<double>(last[end - 1]) - low > longest) --end;
        return end;
    }
};

/// Counts the clusters of each column.
template <int Dim, class Real>
struct CountClusters {
    CutColumn<Dim, Real> cut;
    std::int32_t* count; ///< by column

    SHADOW_INLINE void operator()(std::int64_t column) const {
        std::int32_t clusters = 0;
        if (column < cut.grid->columns()) {
            const std::int64_t bins = cut.grid->bins();
            const std::int32_t end = cut.start[(column + 1) * bins];
            bool may_cut = true;
            for (std::int32_t i = cut.start[column * bins]; i < end; ++clusters)
                i = cut.end_of_cluster(i, end, may_cut);
        }
        count[column] = clusters;
    }
};

template <int Dim, class Real>
struct FillClusters {
    CutColumn<Dim, Real> cut;
    const std::int32_t* first; ///< cluster, by column
    std::int32_t* cluster_begin;
    std::int32_t* cluster_end;

    SHADOW_INLINE void operator()(std::int64_t column) const {
        if (column >= cut.grid->columns()) return;
        const std::int64_t bins = cut.grid->bins();
        const std::int32_t end = cut.start[(column + 1) * bins];
        bool may_cut = true;
        std::int32_t cluster = first[column];
        for (std::int32_t i = cut.start[column * bins]; i < end; ++cluster) {
            cluster_begin[cluster] = i;
            i = cut.end_of_cluster(i, end, may_cut);
            cluster_end[cluster] = i;
        }
    }
};

/// Clusters of consecutive particles, without columns: for lists of all pairs.
struct FillConsecutive {
    std::int32_t cluster_size, particles;
    std::int32_t* cluster_begin;
    std::int32_t* cluster_end;

    SHADOW_INLINE void operator()(std::int64_t c) const {
        const std::int64_t begin = c * cluster_size, end = begin + cluster_size;
        cluster_begin[c] = static_cast<std::int32_t>(begin);
        cluster_end[c] = end < particles ? static_cast<std::int32_t>(end) : particles;
    }
};

} // namespace shadow
