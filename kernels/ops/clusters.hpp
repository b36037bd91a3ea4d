// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/grid.hpp"

namespace shadow {

/// Divides a column into clusters of C particles. If the box is long enough, no cluster may be
/// longer than half of it, so that a neighbour range never needs more than two periodic images
/// along the column: a cluster that would be longer ends early, and clusters of C continue from
/// there. There is at most one in a column, since it contains the middle of the box.
template <int Dim>
struct CutColumn {
    const Grid<Dim>* grid;
    const std::int32_t* start; ///< by bin
    const double* last;        ///< last coordinate, sorted inside the column
    std::int32_t cluster_size;
    const BoxView<Dim>* box; ///< null: no such cuts

    [[nodiscard]] SHADOW_INLINE std::int32_t begin(std::int64_t column) const {
        return start[column * grid->bins()];
    }
    [[nodiscard]] SHADOW_INLINE std::int32_t end(std::int64_t column) const {
        return begin(column + 1);
    }
    /// The number of clusters of particles without such a cut.
    [[nodiscard]] SHADOW_INLINE std::int32_t clusters(std::int32_t particles) const {
        return (particles + cluster_size - 1) / cluster_size;
    }
    [[nodiscard]] SHADOW_INLINE std::int32_t full_end(std::int32_t from, std::int32_t end) const {
        return end - from < cluster_size ? end : from + cluster_size;
    }
    /// The end of the cluster that would be too long; the end of the column if there is none.
    [[nodiscard]] SHADOW_INLINE std::int32_t cut(std::int64_t column) const {
        const std::int32_t column_begin = begin(column), column_end = end(column);
        if (box == nullptr) return column_end;
        const std::int32_t* middle = start + column * grid->bins() + grid->bins() / 2;
        const std::int32_t before = (middle[0] - column_begin) / cluster_size;
        for (std::int32_t from = column_begin + before * cluster_size;
             from <= middle[1] && from < column_end; from += cluster_size) {
            std::int32_t to = full_end(from, column_end);
            if (!is_long(from, to)) continue;
            while (to - from > 1 && is_long(from, to)) --to;
            return to;
        }
        return column_end;
    }

  private:
    [[nodiscard]] SHADOW_INLINE bool is_long(std::int32_t from, std::int32_t to) const {
        return last[to - 1] - last[from] > 0.5 * box->length[Dim - 1];
    }
};

/// Counts the clusters of each column.
template <int Dim>
struct CountClusters {
    CutColumn<Dim> columns;
    std::int32_t* cut;   ///< by column
    std::int32_t* count; ///< by column

    SHADOW_INLINE void operator()(std::int64_t column) const {
        count[column] = 0;
        if (column >= columns.grid->columns()) return;
        cut[column] = columns.cut(column);
        count[column] = columns.clusters(cut[column] - columns.begin(column)) +
                        columns.clusters(columns.end(column) - cut[column]);
    }
};

/// Finds the start and the end of each cluster.
template <int Dim>
struct FillClusters {
    CutColumn<Dim> columns;
    const std::int32_t* cut;   ///< by column
    const std::int32_t* first; ///< cluster, by column, and their total number
    std::int32_t max_columns;
    std::int32_t* cluster_begin;
    std::int32_t* cluster_end;

    SHADOW_INLINE void operator()(std::int64_t cluster) const {
        if (cluster >= first[max_columns]) return;
        const std::int32_t column = column_of(cluster);
        const std::int32_t begin = columns.begin(column);
        const auto number = static_cast<std::int32_t>(cluster) - first[column];
        std::int32_t from = begin + number * columns.cluster_size;
        std::int32_t end = cut[column];
        const std::int32_t before = columns.clusters(end - begin);
        if (number >= before) {
            from = end + (number - before) * columns.cluster_size;
            end = columns.end(column);
        }
        cluster_begin[cluster] = from;
        cluster_end[cluster] = columns.full_end(from, end);
    }

  private:
    /// The last column that begins with this cluster or before.
    [[nodiscard]] SHADOW_INLINE std::int32_t column_of(std::int64_t cluster) const {
        std::int32_t low = 0, high = max_columns;
        while (high - low > 1) {
            const std::int32_t middle = low + (high - low) / 2;
            (first[middle] <= cluster ? low : high) = middle;
        }
        return low;
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
