// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace shadow::models {

/// Numbers from `first` to `last` with the spacing `by`.
[[nodiscard]] std::vector<double> grid(double first, double last, double by);

/// Calls `body` with 0 ... n - 1, on all cores. Indices are dealt out in turn, since neighbouring
/// ones take about as long.
void in_parallel(std::size_t n, const std::function<void(std::size_t)>& body);

/// An interval of steps in which a method is unstable.
struct Window {
    double from, to;
    double most; ///< largest growth per step
    double at;   ///< the step of largest growth
};

/// The smallest growth above one that counts: double eigenvalues are accurate to the square root of
/// rounding, 1e-8, and those at +-1 to the square root of that.
inline constexpr double min_growth = 1e-5;

/// The windows in which `growth` of a step is above 1 + min_growth. Those wider than `by` are
/// found, their ends by bisection and the largest growth to ten digits.
[[nodiscard]] std::vector<Window> unstable_windows(const std::function<double(double)>& growth,
                                                   double first, double last, double by);

/// The window whose largest growth is nearest to `step`. Throws std::logic_error if there is none.
[[nodiscard]] Window window_near(const std::vector<Window>& windows, double step);

} // namespace shadow::models
