// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/statistics/correlated_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace shadow {
namespace {

/// Does noise outweigh the truncation beyond the window? This is the sign of the derivative of the
/// total error. The decay time is estimated from the sum so far as that of an exponential, a^t,
/// which alternates if values are anticorrelated (but a is at least -1/2: the first sums can be
/// zero by chance).
bool window_is_wide(double window, double inefficiency, double samples) {
    constexpr double guess = 1.5; // decay time over integrated time, S
    const double g = std::max(inefficiency, 1.0 / 3.0);
    const double a = std::abs((g - 1.0) / (g + 1.0));
    const double decay = -guess / std::log(a);
    return std::exp(-window / decay) - decay / std::sqrt(window * samples) < 0.0;
}

} // namespace

BlockingLevel blocking_level(std::span<const double> squared_error, double single, double length,
                             double samples, double least) {
    std::size_t largest = 0;
    for (std::size_t k = 0; k < squared_error.size(); ++k) {
        const double inefficiency = squared_error[k] / single;
        const double block = std::ldexp(length, static_cast<int>(k));
        if (samples < min_blocks * block) break;
        if (block >= least && block * block * block > 2.0 * samples * inefficiency * inefficiency)
            return {k, true};
        if (squared_error[k] > squared_error[largest]) largest = k;
    }
    return {largest, false};
}

AutocorrelationError autocorrelation_error(std::span<const double> values, double least) {
    AutocorrelationError result;
    const std::size_t count = values.size();
    const auto n = static_cast<double>(count);
    result.squared = result.uncertainty = std::numeric_limits<double>::infinity();
    if (count < 2) return result;
    double mean = 0.0;
    for (const double value : values) mean += value / n;
    std::vector<double> distance(count);
    std::transform(values.begin(), values.end(), distance.begin(),
                   [mean](double value) { return value - mean; });
    const auto covariance = [&](std::size_t lag) {
        double sum = 0.0;
        for (std::size_t k = 0; k + lag < count; ++k) sum += distance[k] * distance[k + lag];
        return sum / static_cast<double>(count - lag);
    };

    const double variance = covariance(0);
    if (variance == 0.0) return {0.0, 1.0, 0.0, true};
    double sum = variance;
    std::size_t window = 0;
    while (!result.closed && window < count / 2) {
        sum += 2.0 * covariance(++window);
        const auto width = static_cast<double>(window);
        result.closed = width >= least && window_is_wide(width, sum / variance, n);
    }
    const double width = 2.0 * static_cast<double>(window) + 1.0;
    // Anticorrelation can make the sum small, and noise even negative; then it counts as one sample
    // in total.
    const double inefficiency = std::max(sum / variance, 1.0 / n);
    // Each covariance about the estimated mean is too small by the variance of this mean.
    result.squared = variance * inefficiency / n * (1.0 + width / n);
    result.inefficiency = result.squared * (n - 1.0) / variance;
    result.uncertainty = std::sqrt(2.0 * width / n);
    return result;
}

} // namespace shadow
