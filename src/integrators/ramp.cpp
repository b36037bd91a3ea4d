// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/ramp.hpp"

#include <algorithm>

namespace shadow {

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

Ramp Ramp::operator*(double factor) const {
    Ramp product = *this;
    for (Point& point : product.points_) point.value *= factor;
    return product;
}

} // namespace shadow
