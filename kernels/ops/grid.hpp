// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/atomic.hpp"
#include "kernels/views.hpp"

#include <cmath>
#include <cstdint>

/// The division of space into columns and bins: index arithmetic, and the functors that choose the
/// widths on the backend from the positions. The choice is a pure function of positions and ids,
/// not of the order in memory or of the past, so that a restart makes the same one.
namespace shadow {

/// Columns along the first Dim - 1 directions, each divided into bins along the last. In an open
/// direction the first and last cell extend to infinity.
template <int Dim>
struct Grid {
    double origin[Dim];
    double width[Dim];
    double inverse_width[Dim];
    std::int32_t count[Dim];

    /// Any number, even NaN, gives a valid cell.
    [[nodiscard]] SHADOW_INLINE std::int32_t cell(int d, double x) const {
        const double t = (x - origin[d]) * inverse_width[d];
        if (!(t > 0.0)) return 0;
        return t < count[d] ? static_cast<std::int32_t>(t) : count[d] - 1;
    }
    [[nodiscard]] SHADOW_INLINE std::int32_t columns() const {
        std::int32_t product = 1;
        for (int d = 0; d < Dim - 1; ++d) product *= count[d];
        return product;
    }
    [[nodiscard]] SHADOW_INLINE std::int32_t bins() const { return count[Dim - 1]; }
    /// Bins are numbered along the columns.
    [[nodiscard]] SHADOW_INLINE std::int32_t bin(const VectorView<Dim, double>& position,
                                                 std::int64_t i) const {
        std::int32_t key = 0;
        for (int d = 0; d < Dim; ++d) key = key * count[d] + cell(d, position.component[d][i]);
        return key;
    }
};

/// The largest offset between the cells of two points within `reach`. NaN gives 0.
SHADOW_INLINE int cells_in_reach(double reach, double width) {
    const double t = reach / width;
    return t > 0.0 ? (t < 1000.0 ? static_cast<int>(t) + 1 : 1000) : 0;
}

/// Minimum distance between points of two cells `offset` apart.
SHADOW_INLINE double cell_gap(int offset, double width) {
    const int between = (offset < 0 ? -offset : offset) - 1;
    return between > 0 ? between * width : 0.0;
}

/// The same from an object as wide as a cell that begins in one, but may extend into the next.
SHADOW_INLINE double slid_gap(int offset, double width) {
    return cell_gap(offset > 0 ? offset - 1 : offset, width);
}

/// Constraints on the grid: constants of a run, so that memory is planned once.
template <int Dim>
struct GridLimits {
    double reach;     ///< of the longest finite list: cutoff + skin
    double narrowest; ///< minimum width of a column (or the box length, if that is less)
    double widest;    ///< at mean density C particles are in a cube of this edge; may be infinite
    double mean_density; ///< 0 with an open direction
    std::int32_t cluster_size;
    std::int32_t max_columns;
    std::int32_t max_bins; ///< in all columns together; at least max_columns
    std::int64_t particles;
};

/// Order statistics of a sample of the particles locate the bulk of an open system, even if a few
/// particles have escaped far.
inline constexpr int window_samples = 256;

template <int Dim>
struct Window {
    double sample[Dim][window_samples];
    double low[Dim], high[Dim]; ///< quantiles 1/16 and 15/16
};

/// Takes every stride-th particle by id.
template <int Dim>
struct SampleWindow {
    VectorView<Dim, double> position;
    const std::uint32_t* id;
    std::uint32_t stride;
    Window<Dim>* window;

    SHADOW_INLINE void operator()(std::int64_t i) const {
        if (id[i] % stride != 0) return;
        for (int d = 0; d < Dim; ++d) window->sample[d][id[i] / stride] = position.component[d][i];
    }
};

/// One thread per sample and direction: finds its rank by counting.
template <int Dim>
struct RankWindow {
    Window<Dim>* window;
    std::int32_t samples;

    SHADOW_INLINE void operator()(std::int64_t thread) const {
        const auto d = static_cast<int>(thread / samples);
        const auto k = static_cast<std::int32_t>(thread % samples);
        const double* x = window->sample[d];
        std::int32_t rank = 0;
        for (std::int32_t j = 0; j < samples; ++j) rank += x[j] < x[k] || (x[j] == x[k] && j < k);
        if (rank == samples / 16) window->low[d] = x[k];
        if (rank == samples - 1 - samples / 16) window->high[d] = x[k];
    }
};

/// Counts particles in cells of edge `reach`, hashed into a table.
template <int Dim>
struct CountHashed {
    VectorView<Dim, double> position;
    double inverse_edge;
    std::int32_t* table;
    std::uint32_t table_size;

    SHADOW_INLINE void operator()(std::int64_t i) const {
        std::uint64_t hash = 0;
        for (int d = 0; d < Dim; ++d) {
            const double t = floor(position.component[d][i] * inverse_edge);
            const auto cell = t > -1e15 && t < 1e15 ? static_cast<std::int64_t>(t) : 0;
            hash = (hash ^ static_cast<std::uint64_t>(cell)) * 0x9E3779B97F4A7C15u;
            hash ^= hash >> 32;
        }
        atomic_add(table + hash % table_size, 1);
    }
};

/// Ordered pairs in the same cell. Clears the table.
struct SumPairs {
    using Value = std::int64_t;
    std::int32_t* table;

    static SHADOW_INLINE Value identity() { return 0; }
    static SHADOW_INLINE Value combine(Value a, Value b) { return a + b; }
    SHADOW_INLINE Value operator()(std::int64_t i) const {
        const std::int64_t count = table[i];
        table[i] = 0;
        return count * (count - 1);
    }
};

/// Chooses the grid; one thread. The width of a column is that of a cube which holds C particles at
/// the local density: bounding boxes of clusters are then nearly cubes, the best shape for
/// filtering. `pairs` is null if the density is known to be the mean one.
template <int Dim>
struct PlanGrid {
    GridLimits<Dim> limits;
    const BoxView<Dim>* box;
    const Window<Dim>* window;
    const std::int64_t* pairs;
    Grid<Dim>* grid;

    [[nodiscard]] SHADOW_INLINE double density() const {
        if (!pairs) return limits.mean_density;
        // Cells that share an entry of the hash table by chance are counted as well; their
        // expectation is subtracted.
        const auto n = static_cast<double>(limits.particles);
        const double chance = n * (n - 1.0) / limits.max_bins;
        const double excess = static_cast<double>(*pairs) - chance;
        double volume = n;
        for (int d = 0; d < Dim; ++d) volume *= limits.reach;
        return excess > limits.mean_density * volume ? excess / volume : limits.mean_density;
    }

    SHADOW_INLINE void operator()(std::int64_t) const {
        double extent[Dim];
        for (int d = 0; d < Dim; ++d) {
            grid->origin[d] = box->origin[d];
            extent[d] = box->length[d];
            if (box->periodic[d]) continue;
            const double range = window->high[d] - window->low[d];
            const double margin = 0.1 * range + limits.reach;
            const bool sane = range >= 0.0 && range < 1e300;
            grid->origin[d] = sane ? window->low[d] - margin : 0.0;
            extent[d] = sane ? range + 2.0 * margin : limits.reach;
        }
        const double rho = density();
        double width = rho > 0.0 ? pow(limits.cluster_size / rho, 1.0 / Dim) : limits.widest;
        if (!(width < limits.widest)) width = limits.widest;
        if (!(width > limits.narrowest)) width = limits.narrowest;
        while (!cut_columns(extent, width)) width *= 1.1;
        cut_bins(extent[Dim - 1], rho);
    }

  private:
    SHADOW_INLINE void cut(int d, double extent, std::int32_t count) const {
        grid->count[d] = count;
        grid->width[d] = extent / count;
        grid->inverse_width[d] = count / extent;
    }
    /// False if there would be too many.
    SHADOW_INLINE bool cut_columns(const double (&extent)[Dim], double width) const {
        double columns = 1.0;
        for (int d = 0; d < Dim - 1; ++d) {
            const double fit = floor(extent[d] / width);
            columns *= fit > 1.0 ? fit : 1.0;
            if (!(columns <= limits.max_columns)) return false;
            cut(d, extent[d], fit > 1.0 ? static_cast<std::int32_t>(fit) : 1);
        }
        return true;
    }
    /// Two particles per bin: a finer division of the neighbour ranges would save less than it
    /// costs.
    SHADOW_INLINE void cut_bins(double extent, double rho) const {
        double bins = 0.5 * rho * extent;
        for (int d = 0; d < Dim - 1; ++d) bins *= grid->width[d];
        const std::int32_t most = limits.max_bins / grid->columns();
        cut(Dim - 1, extent,
            bins < most ? (bins > 1.0 ? static_cast<std::int32_t>(bins) : 1) : most);
    }
};

/// Chooses the grid by the pairs that it counts.
template <int Dim>
struct PlanMeasuredGrid : SumPairs {
    PlanGrid<Dim> plan; ///< from the sum

    SHADOW_INLINE void finish() const { plan(0); }
};

} // namespace shadow
