// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/ramp.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace shadow {

Ramp Ramp::read(const Parameters& params, std::string_view key,
                const std::function<void(double)>& check) {
    const std::vector<std::vector<double>> rows = params.number_or_rows(key);
    std::vector<Point> points;
    const auto refuse = [&](const std::string& why) {
        params.fail(key, fmt::format("{} is no table of steps and values ({}); write for example "
                                     "{} = [[0, 1.5], [10_000, 0.7]]",
                                     key, why, key));
    };
    if (rows.empty()) refuse("it is empty");
    for (const std::vector<double>& row : rows) {
        if (row.size() > 2 || (row.size() < 2 && params.type(key) == "array"))
            refuse(fmt::format("a row has {} numbers", row.size()));
        const double step = row.size() == 2 ? row[0] : 0.0;
        if (!(step >= 0.0 && step < 9e15) || step != std::floor(step))
            refuse(fmt::format("step {} is not a number of steps", step));
        if (!points.empty() && !(step > static_cast<double>(points.back().step)))
            refuse(fmt::format("step {} comes after step {}", step, points.back().step));
        check(row.back());
        points.push_back({static_cast<std::int64_t>(step), row.back()});
    }
    return Ramp(std::move(points));
}

double Ramp::at(double step) const {
    const auto after = std::find_if(points_.begin(), points_.end(), [step](const Point& point) {
        return static_cast<double>(point.step) > step;
    });
    if (after == points_.begin()) return points_.front().value;
    if (after == points_.end()) return points_.back().value;
    const Point &a = *(after - 1), &b = *after;
    const double share =
        (step - static_cast<double>(a.step)) / static_cast<double>(b.step - a.step);
    return a.value + share * (b.value - a.value);
}

std::int64_t Ramp::steady_from() const {
    for (std::size_t k = points_.size(); k-- > 1;)
        if (points_[k - 1].value != last()) return points_[k].step;
    return 0;
}

double Ramp::largest() const {
    double largest = 0.0;
    for (const Point& point : points_) largest = std::max(largest, std::abs(point.value));
    return largest;
}

double Ramp::least() const {
    double least = last();
    for (const Point& point : points_) least = std::min(least, point.value);
    return least;
}

Ramp Ramp::operator*(double factor) const {
    Ramp product = *this;
    for (Point& point : product.points_) point.value *= factor;
    return product;
}

} // namespace shadow
