// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/statistics/plateau.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace shadow {
namespace {

struct Point {
    double lag, value, error;
};

/// Are all later values, and their mean, equal to this one within the noise?
bool is_flat_after(const std::vector<Point>& points, std::size_t k) {
    const Point& here = points[k];
    double weight = 0.0, sum = 0.0, least = HUGE_VAL;
    for (std::size_t j = k + 1; j < points.size(); ++j) {
        const Point& p = points[j];
        if (std::abs(p.value - here.value) > 3.0 * std::max(p.error, here.error)) return false;
        weight += 1.0 / (p.error * p.error);
        sum += p.value / (p.error * p.error);
        least = std::min(least, p.error);
    }
    return weight == 0.0 ||
           std::abs(sum / weight - here.value) <= 2.0 * std::max(least, here.error);
}

/// The first point at or after this lag, else the last.
const Point& at_lag(const std::vector<Point>& points, double lag) {
    // Lags are multiples of a step, rounded.
    const auto found = std::find_if(points.begin(), points.end(),
                                    [lag](const Point& p) { return p.lag >= lag * (1.0 - 1e-9); });
    return found == points.end() ? points.back() : *found;
}

} // namespace

std::optional<Plateau> find_plateau(std::span<const double> lag, std::span<const double> value,
                                    std::span<const double> error) {
    std::vector<Point> points;
    for (std::size_t k = 0; k < lag.size(); ++k)
        if (lag[k] > 0.0 && std::isfinite(value[k]) && std::isfinite(error[k]) && error[k] > 0.0)
            points.push_back({lag[k], value[k], error[k]});
    if (points.size() < 2) return std::nullopt;
    std::size_t first = 0;
    while (!is_flat_after(points, first)) ++first;
    const Point& read = at_lag(points, 2.0 * points[first].lag);
    const Point& later = at_lag(points, 4.0 * points[first].lag);
    return Plateau{read.value, std::max(read.error, std::abs(later.value - read.value)), read.lag,
                   points.back().lag >= 2.0 * points[first].lag * (1.0 - 1e-9)};
}

} // namespace shadow
