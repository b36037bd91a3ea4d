// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include "kernels/ops/bins.hpp"
#include "kernels/views.hpp"

#include <cmath>
#include <cstdint>
#include <type_traits>

/// Particles of a periodic box, sorted by species and cell: for pairs beyond the reach of the
/// neighbour lists.
namespace shadow {

/// Equal cells that fill the box; cell (x, y, z) has the number (x * ny + y) * nz + z.
template <int Dim>
struct Cells {
    double origin[Dim], length[Dim];
    std::int32_t count[Dim]; ///< 1 where images slide along a direction
    SlidingImages sliding;

    [[nodiscard]] SHADOW_INLINE std::int64_t total() const {
        std::int64_t n = 1;
        for (int d = 0; d < Dim; ++d) n *= count[d];
        return n;
    }
    /// The position of a particle in the box, relative to its origin.
    SHADOW_INLINE void place(const VectorView<Dim, double>& position, std::int64_t i,
                             double (&x)[Dim]) const {
        for (int d = 0; d < Dim; ++d) x[d] = position.component[d][i] - origin[d];
        if (sliding.third_is_tilted())
            sliding.slide_back(x, sliding.third(), boxes(x, sliding.third()));
        if (sliding.any()) x[sliding.flow] -= sliding.slide * boxes(x, sliding.gradient);
        for (int d = 0; d < Dim; ++d) {
            x[d] -= length[d] * boxes(x, d);
            x[d] = x[d] < length[d] ? x[d] : 0.0;
        }
    }
    /// For wrapped coordinates.
    [[nodiscard]] SHADOW_INLINE std::int64_t number(const double (&x)[Dim]) const {
        std::int64_t c = 0;
        for (int d = 0; d < Dim; ++d) {
            const auto k = static_cast<std::int32_t>(x[d] / length[d] * count[d]);
            c = c * count[d] + (k < count[d] ? k : count[d] - 1);
        }
        return c;
    }

    /// To the nearest image, where images slide.
    SHADOW_INLINE void shorten(double (&dx)[Dim]) const {
        double inverse[Dim];
        for (int d = 0; d < Dim; ++d) inverse[d] = 1.0 / length[d];
        sliding.unslide(dx, inverse);
        for (int d = 0; d < Dim; ++d) dx[d] -= length[d] * nearbyint(dx[d] * inverse[d]);
    }

  private:
    [[nodiscard]] SHADOW_INLINE double boxes(const double (&x)[Dim], int d) const {
        return floor(x[d] / length[d]);
    }
};

/// A number for the species and cell of each particle: species * total + cell.
template <int Dim>
struct FindCells {
    ParticlesView<Dim> particles;
    Cells<Dim> cells;
    std::uint32_t* key;

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        double x[Dim];
        cells.place(particles.position, i, x);
        key[i] = static_cast<std::uint32_t>(particles.species[i] * cells.total() + cells.number(x));
    }
};

/// Coordinates within the box, in the order of cells.
template <int Dim>
struct GatherPlaces {
    VectorView<Dim, double> position;
    Cells<Dim> cells;
    const std::int32_t* index;
    double* place[Dim];

    SHADOW_FUNCTION void operator()(std::int64_t k) const {
        double x[Dim];
        cells.place(position, index[k], x);
        for (int d = 0; d < Dim; ++d) place[d][k] = x[d];
    }
};

/// The cells within a radius of a cell: rows along the last direction, of 2 * reach + 1 cells, or
/// all if there are no more. Each cell is in one row, once.
template <int Dim>
struct CellStencil {
    static constexpr int max_reach = 3;
    static constexpr int max_rows =
        Dim == 3 ? (2 * max_reach + 1) * (2 * max_reach + 1) : 2 * max_reach + 1;
    std::int32_t rows;
    std::int32_t offset[max_rows][Dim]; ///< in cells, from 0 up; the last one is not used
    std::int32_t reach[max_rows];
};

/// All pairs of particles of one species with those of another.
template <int Dim>
struct CellPairs {
    Cells<Dim> cells;
    CellStencil<Dim> stencil;
    const std::int32_t* begin; ///< by species and cell, and the end
    const double* place[Dim];
    double radius2;           ///< of the pairs to visit
    std::int32_t parts, part; ///< of every `parts` cells one is visited

    /// The number of these cells.
    [[nodiscard]] SHADOW_INLINE std::int64_t chosen() const {
        return (cells.total() - part + parts - 1) / parts;
    }

    /// For the k-th of these cells calls `visit(i_begin, i_end, j_begin, j_end, same)` for all
    /// ranges of particles j of species `b` that may be within reach of those of `a` in a cell.
    /// Each pair of one species occurs once; `same` means that j_begin is i_begin and that only j >
    /// i are partners of i.
    template <class Visit>
    SHADOW_INLINE void each_range(std::int64_t k, int a, int b, Visit&& visit) const {
        const std::int64_t total = cells.total(), cell = k * parts + part;
        const std::int32_t* own = begin + a * total;
        const std::int32_t first = own[cell], last = own[cell + 1];
        if (first == last) return;
        const std::int32_t* other = begin + b * total;
        const std::int32_t n = cells.count[Dim - 1];
        const auto here = static_cast<std::int32_t>(cell % n);
        for (std::int32_t r = 0; r < stencil.rows; ++r) {
            const std::int64_t row = row_of(cell, r);
            const std::int32_t reach = stencil.reach[r];
            std::int32_t low = here - reach, high = here + reach + 1;
            if (high - low >= n) {
                low = 0;
                high = n;
            }
            // The part of the row beyond one end of the box is at the other end.
            const std::int32_t pieces[3][2] = {{low < 0 ? low + n : n, n},
                                               {low < 0 ? 0 : low, high > n ? n : high},
                                               {0, high > n ? high - n : 0}};
            for (const auto& piece : pieces) {
                std::int64_t from = row + piece[0];
                const std::int64_t to = row + piece[1];
                const bool same = a == b && from <= cell && cell < to;
                if (a == b && from <= cell) from = same ? cell : to;
                if (from < to && other[from] < other[to])
                    visit(first, last, other[from], other[to], same);
            }
        }
    }

    /// Squared distance of two particles in the box, through the nearest image.
    [[nodiscard]] SHADOW_INLINE double distance2(std::int64_t i, std::int64_t j) const {
        double between[Dim], r2 = 0.0;
        for (int d = 0; d < Dim; ++d) between[d] = place[d][j] - place[d][i];
        if (cells.sliding.any()) cells.shorten(between);
        for (int d = 0; d < Dim; ++d) {
            const double along = fabs(between[d]), around = cells.length[d] - along;
            const double dx = along < around ? along : around;
            r2 += dx * dx;
        }
        return r2;
    }

  private:
    /// The first cell of a row of the stencil around a cell.
    [[nodiscard]] SHADOW_INLINE std::int64_t row_of(std::int64_t cell, std::int32_t r) const {
        std::int64_t rest = cell / cells.count[Dim - 1];
        std::int64_t row = 0, weight = cells.count[Dim - 1];
        for (int d = Dim - 2; d >= 0; --d) {
            const std::int32_t n = cells.count[d];
            const auto k = static_cast<std::int32_t>(rest % n) + stencil.offset[r][d];
            rest /= n;
            row += (k >= n ? k - n : k) * weight;
            weight *= n;
        }
        return row;
    }
};

/// Bins of these pairs by distance.
template <int Dim>
struct PairHistogram : CellPairs<Dim> {
    double inverse_width; ///< of bins
    std::int32_t bins;

    [[nodiscard]] SHADOW_INLINE std::int32_t bin(double r2) const {
        return bin_of(sqrt(r2), inverse_width, bins);
    }
};

/// Counts the pairs of two species, cell by cell.
template <int Dim>
struct CountPairs {
    PairHistogram<Dim> pairs;
    int a, b;
    std::int64_t* histogram;

    /// Counts the pairs of two ranges.
    template <class Add>
    struct CountRanges {
        const PairHistogram<Dim>& pairs;
        Add& add;

        SHADOW_INLINE void operator()(std::int32_t first, std::int32_t last, std::int32_t from,
                                      std::int32_t to, bool same) const {
            for (std::int32_t i = first; i < last; ++i)
                for (std::int32_t j = same ? i + 1 : from; j < to; ++j) {
                    const double r2 = pairs.distance2(i, j);
                    if (r2 < pairs.radius2) add(pairs.bin(r2));
                }
        }
    };
    template <class Add>
    SHADOW_INLINE void count(std::int64_t k, Add&& add) const {
        pairs.each_range(k, a, b, CountRanges<std::remove_reference_t<Add>>{pairs, add});
    }
#if !defined(__CUDACC__)
    void on_cpu(const Backend& backend) const;
#endif
};

} // namespace shadow
