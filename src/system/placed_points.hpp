// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/system/lattice.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

namespace shadow {

/// Points placed so far, in cells at least as wide as the minimum distance.
template <int Dim>
class PlacedPoints {
  public:
    PlacedPoints(std::int64_t count, double min_distance, const std::array<double, Dim>& lengths,
                 const std::array<bool, Dim>& periodic)
        : square_(min_distance * min_distance), lengths_(lengths), periodic_(periodic) {
        double volume = 1.0;
        for (const double length : lengths) volume *= length;
        const double spacing = std::pow(volume / static_cast<double>(count), 1.0 / Dim);
        for (std::size_t d = 0; d < Dim; ++d)
            cells_[d] = static_cast<std::int64_t>(
                std::clamp(lengths[d] / std::max(min_distance, spacing), 1.0, 2e9));
        const auto cells = [this] {
            double product = 1.0;
            for (const std::int64_t n : cells_) product *= static_cast<double>(n);
            return product;
        };
        // In a thin region there may be far more cells than points.
        while (cells() > 4.0 * static_cast<double>(count))
            *std::max_element(cells_.begin(), cells_.end()) /= 2;
        first_.assign(static_cast<std::size_t>(cells()), -1);
        next_.reserve(static_cast<std::size_t>(count));
        points_.reserve(static_cast<std::size_t>(count));
    }

    /// Is a point in [0, lengths) at least the minimum distance away from all points but those for
    /// whose numbers `ignored` is true?
    template <class Ignored>
    [[nodiscard]] bool has_room(const std::array<double, Dim>& point,
                                const Ignored& ignored) const {
        return square_ == 0.0 || free(point, cell_of(point), 0, 0, ignored);
    }
    [[nodiscard]] bool has_room(const std::array<double, Dim>& point) const {
        return has_room(point, [](std::size_t) { return false; });
    }
    void add(const std::array<double, Dim>& point) {
        const std::size_t home = home_of(point);
        next_.push_back(std::exchange(first_[home], static_cast<std::int32_t>(points_.size())));
        points_.push_back(point);
    }
    /// Removes the last point.
    void remove() {
        first_[home_of(points_.back())] = next_.back();
        next_.pop_back();
        points_.pop_back();
    }

    [[nodiscard]] std::size_t size() const { return points_.size(); }
    [[nodiscard]] Points<Dim> take() { return std::move(points_); }

  private:
    using Cell = std::array<std::int64_t, Dim>;

    [[nodiscard]] Cell cell_of(const std::array<double, Dim>& point) const {
        Cell cell;
        for (std::size_t d = 0; d < Dim; ++d)
            cell[d] =
                std::min(cells_[d] - 1, static_cast<std::int64_t>(point[d] / lengths_[d] *
                                                                  static_cast<double>(cells_[d])));
        return cell;
    }
    [[nodiscard]] std::size_t home_of(const std::array<double, Dim>& point) const {
        const Cell cell = cell_of(point);
        std::size_t home = 0;
        for (std::size_t d = 0; d < Dim; ++d)
            home = home * static_cast<std::size_t>(cells_[d]) + static_cast<std::size_t>(cell[d]);
        return home;
    }

    /// Recursion over the directions d; `base` is the cell index in those before.
    template <class Ignored>
    [[nodiscard]] bool free(const std::array<double, Dim>& point, const Cell& cell, std::size_t d,
                            std::size_t base, const Ignored& ignored) const {
        if (d == Dim) {
            for (std::int32_t j = first_[base]; j >= 0; j = next_[static_cast<std::size_t>(j)])
                if (distance2(point, points_[static_cast<std::size_t>(j)]) < square_ &&
                    !ignored(static_cast<std::size_t>(j)))
                    return false;
            return true;
        }
        for (std::int64_t c = cell[d] - 1; c <= cell[d] + 1; ++c) {
            if (!periodic_[d] && (c < 0 || c >= cells_[d])) continue;
            const auto wrapped = static_cast<std::size_t>((c + cells_[d]) % cells_[d]);
            if (!free(point, cell, d + 1, base * static_cast<std::size_t>(cells_[d]) + wrapped,
                      ignored))
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

} // namespace shadow
