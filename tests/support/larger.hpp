// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace shadow::test {

/// The larger number; infinity if one is NaN, which std::max would ignore.
[[nodiscard]] inline double larger(double a, double b) {
    if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<double>::infinity();
    return std::max(a, b);
}

} // namespace shadow::test
