// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/core/error.hpp"
#include "shadow/system/lattice.hpp"

#include "kernels/philox.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace shadow {

namespace {

/// Points placed so far, in cells at least as wide as the distance that is kept.
template <int Dim>
class PlacedPoints {
  public:
    PlacedPoints(std::int64_t count, double min_distance, const std::array<double, Dim>& lengths,
                 const std::array<bool, Dim>& periodic)
        : square_(min_distance * min_distance), lengths_(lengths), periodic_(periodic) {
        double volume = 1.0;
        for (const double length : lengths) volume *= length;
        const double spacing = std::pow(volume / static_cast<double>(count), 1.0 / Dim);
        std::size_t cells = 1;
        for (std::size_t d = 0; d < Dim; ++d) {
            cells_[d] = std::max<std::int64_t>(
                1, static_cast<std::int64_t>(lengths[d] / std::max(min_distance, spacing)));
            cells *= static_cast<std::size_t>(cells_[d]);
        }
        first_.assign(cells, -1);
        next_.reserve(static_cast<std::size_t>(count));
        points_.reserve(static_cast<std::size_t>(count));
    }

    bool add(const std::array<double, Dim>& point) {
        std::array<std::int64_t, Dim> cell;
        for (std::size_t d = 0; d < Dim; ++d)
            cell[d] =
                std::min(cells_[d] - 1, static_cast<std::int64_t>(point[d] / lengths_[d] *
                                                                  static_cast<double>(cells_[d])));
        if (!free(point, cell, 0, 0)) return false;
        std::size_t home = 0;
        for (std::size_t d = 0; d < Dim; ++d)
            home = home * static_cast<std::size_t>(cells_[d]) + static_cast<std::size_t>(cell[d]);
        next_.push_back(std::exchange(first_[home], static_cast<std::int32_t>(points_.size())));
        points_.push_back(point);
        return true;
    }

    [[nodiscard]] Points<Dim> take() { return std::move(points_); }

  private:
    /// Recursion over the directions d; `base` is the cell index of those before.
    [[nodiscard]] bool free(const std::array<double, Dim>& point,
                            const std::array<std::int64_t, Dim>& cell, std::size_t d,
                            std::size_t base) const {
        if (d == Dim) {
            for (std::int32_t j = first_[base]; j >= 0; j = next_[static_cast<std::size_t>(j)])
                if (distance2(point, points_[static_cast<std::size_t>(j)]) < square_) return false;
            return true;
        }
        for (std::int64_t c = cell[d] - 1; c <= cell[d] + 1; ++c) {
            if (!periodic_[d] && (c < 0 || c >= cells_[d])) continue;
            const auto wrapped = static_cast<std::size_t>((c + cells_[d]) % cells_[d]);
            if (!free(point, cell, d + 1, base * static_cast<std::size_t>(cells_[d]) + wrapped))
                return false;
        }
        return true;
    }

    [[nodiscard]] double distance2(const std::array<double, Dim>& a,
                                   const std::array<double, Dim>& b) const {
        double sum = 0.0;
        for (std::size_t d = 0; d < Dim; ++d) {
            double delta = a[d] - b[d];
            if (periodic_[d]) delta -= lengths_[d] * std::nearbyint(delta / lengths_[d]);
            sum += delta * delta;
        }
        return sum;
    }

    double square_;
    std::array<double, Dim> lengths_;
    std::array<bool, Dim> periodic_;
    std::array<std::int64_t, Dim> cells_;
    std::vector<std::int32_t> first_, next_;
    Points<Dim> points_;
};

} // namespace

template <int Dim>
Points<Dim> random_points(std::int64_t count, double min_distance,
                          const std::array<double, Dim>& lengths,
                          const std::array<bool, Dim>& periodic, std::uint64_t seed) {
    constexpr std::uint64_t trials = 20'000;
    const auto stream = static_cast<std::uint32_t>(RandomStream::placement);
    PlacedPoints<Dim> placed(count, min_distance, lengths, periodic);
    for (std::int64_t i = 0; i < count; ++i) {
        bool added = false;
        for (std::uint64_t trial = 0; trial < trials && !added; ++trial) {
            std::array<double, Dim> point;
            for (std::size_t d = 0; d < Dim; ++d) {
                const Philox draw(seed, stream, static_cast<std::uint32_t>(i), trial,
                                  static_cast<std::uint32_t>(d / 2));
                point[d] = lengths[d] * draw.uniform(static_cast<int>(d % 2));
            }
            added = placed.add(point);
        }
        if (!added)
            throw InputError(fmt::format(
                "no room for particle {} of {} (none of {} random places is at least {} away from "
                "the others); lower min_distance or the density, or start from a lattice",
                i + 1, count, trials, min_distance));
    }
    return placed.take();
}

template Points<1> random_points<1>(std::int64_t, double, const std::array<double, 1>&,
                                    const std::array<bool, 1>&, std::uint64_t);
template Points<2> random_points<2>(std::int64_t, double, const std::array<double, 2>&,
                                    const std::array<bool, 2>&, std::uint64_t);
template Points<3> random_points<3>(std::int64_t, double, const std::array<double, 3>&,
                                    const std::array<bool, 3>&, std::uint64_t);

} // namespace shadow
