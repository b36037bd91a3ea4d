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

} // namespace shadow
