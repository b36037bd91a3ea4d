// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/statistics/expectation.hpp"

#include <cmath>
#include <numbers>

namespace shadow {

double chance_of(const Estimate& estimate, const Expectation& expected) {
    if (estimate.samples == 0) return 1.0;
    const bool frozen = estimate.deviation < 0.5 * expected.deviation;
    const double error = frozen ? expected.deviation : estimate.larger_error();
    return std::erfc(std::abs(estimate.mean - expected.mean) / error / std::numbers::sqrt2);
}

double normal_errors(double errors, double independent_samples) {
    const double n = independent_samples - 1.0;
    if (!(n > 1.0)) return 0.0;
    return (8.0 * n + 1.0) / (8.0 * n + 3.0) * std::sqrt(n * std::log1p(errors * errors / n));
}

} // namespace shadow
