// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace shadow::models {

/// Numbers from `first` to `last` at distances `by`.
[[nodiscard]] std::vector<double> grid(double first, double last, double by);

/// Calls `body` with 0 ... n - 1, on all cores. Each has every so manieth, since neighbours take
/// about as long.
void in_parallel(std::size_t n, const std::function<void(std::size_t)>& body);

/// An interval of steps in which a method is unstable.
struct Window {
    double from, to;
    double most; ///< growth in a step
    double at;   ///< where it is largest
};

/// What growth above one is: double eigenvalues are good to the root of rounding, 1e-8, and those
/// at +-1 to the root of that.
inline constexpr double min_growth = 1e-5;

/// Where `growth` of a step is above 1 + min_growth. Windows wider than `by` are found, their
/// ends bisected and the largest growth sought until nothing changes in ten digits.
[[nodiscard]] std::vector<Window> unstable_windows(const std::function<double(double)>& growth,
                                                   double first, double last, double by);

/// The window that has its largest growth nearest to `step`. Throws std::logic_error without any.
[[nodiscard]] Window window_near(const std::vector<Window>& windows, double step);

} // namespace shadow::models
