// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/observables/observable.hpp"

#include <numbers>
#include <string>
#include <vector>

/// Shells of equal thickness around a point: radial bins that start at 0.
namespace shadow {

/// Volume (area, length) of a ball.
template <int Dim>
[[nodiscard]] double ball_volume(double radius) {
    if constexpr (Dim == 1) return 2.0 * radius;
    if constexpr (Dim == 2) return std::numbers::pi * radius * radius;
    return 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
}

template <int Dim>
[[nodiscard]] std::vector<double> shell_volumes(double radius, int bins) {
    std::vector<double> all;
    for (int k = 0; k < bins; ++k)
        all.push_back(ball_volume<Dim>((k + 1) * radius / bins) -
                      ball_volume<Dim>(k * radius / bins));
    return all;
}

/// The middles of equal bins.
[[nodiscard]] inline Axis middles(const std::string& name, const std::string& unit, double low,
                                  double high, int bins) {
    Axis axis{name, unit, {}};
    for (int k = 0; k < bins; ++k) axis.values.push_back(low + (k + 0.5) * (high - low) / bins);
    return axis;
}

/// The unit of a number density.
[[nodiscard]] inline std::string per_volume(int dimension) {
    return dimension == 1 ? "1/length" : "1/length^" + std::to_string(dimension);
}

} // namespace shadow
