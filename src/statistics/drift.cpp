// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/statistics/drift.hpp"

#include "shadow/statistics/correlated_error.hpp"
#include "shadow/statistics/state.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace shadow {

void LinearDrift::add(double time, double value) {
    if (series_.empty()) first_ = value;
    last_ = value;
    // Relative to the first value, which is large compared to the drift.
    series_.add(std::array{time, value - first_});
}

namespace {

struct Block {
    double time, value; ///< averages
};

/// Mean square change over `lag` blocks, about a line.
double square_change(const std::vector<Block>& blocks, std::size_t lag, double slope) {
    double sum = 0.0;
    for (std::size_t k = lag; k < blocks.size(); ++k) {
        const Block &a = blocks[k - lag], &b = blocks[k];
        const double change = b.value - a.value - slope * (b.time - a.time);
        sum += change * change;
    }
    return sum / static_cast<double>(blocks.size() - lag);
}

/// Squared error of the slope for a series that wanders, as the accumulated noise of a bath or
/// rounding does; 0 for one that oscillates about a line. In the latter case mean square changes
/// over a quarter of the series are hardly larger than over a 32nd; for a random walk they are 8
/// times as large, of which a line through the walk leaves 0.706 and 0.973.
/// Each step of the walk enters the slope with weight 6 t (1 - t), t from 0 to 1, whose mean square
/// is 6/5.
double squared_error_of_wandering(const std::vector<Block>& blocks, double slope) {
    const std::size_t n = blocks.size(), near = n / 32, far = n / 4;
    if (n < 64) return 0.0;
    const double short_time = square_change(blocks, near, slope),
                 long_time = square_change(blocks, far, slope);
    if (!(long_time > 1.5 * short_time)) return 0.0;
    const double step = (long_time - short_time) /
                        (0.706 * static_cast<double>(far) - 0.973 * static_cast<double>(near));
    const double time = (blocks.back().time - blocks.front().time) / static_cast<double>(n - 1);
    return 1.2 * step / (static_cast<double>(n) * time * time);
}

/// Squared error of the slope through `blocks`, as if their residuals were independent.
double squared_error(const std::vector<Block>& blocks) {
    const auto n = static_cast<double>(blocks.size());
    double time = 0.0, value = 0.0;
    for (const Block& b : blocks) {
        time += b.time / n;
        value += b.value / n;
    }
    double tt = 0.0, tv = 0.0;
    for (const Block& b : blocks) {
        tt += (b.time - time) * (b.time - time);
        tv += (b.time - time) * (b.value - value);
    }
    if (!(tt > 0.0)) return std::numeric_limits<double>::infinity();
    double residual = 0.0;
    for (const Block& b : blocks) {
        const double r = b.value - value - tv / tt * (b.time - time);
        residual += r * r;
    }
    return residual / ((n - 2.0) * tt);
}

} // namespace

Drift LinearDrift::estimate() const {
    const Moments all = series_.total(); // of time and value
    Drift result;
    result.samples = all.samples();
    result.first = first_;
    result.last = last_;
    result.error = result.error_about_line = std::numeric_limits<double>::infinity();
    if (!(all.variance(0) > 0.0)) return result;
    result.slope = all.covariance(0, 1) / all.variance(0);
    result.fluctuation =
        std::sqrt(std::max(0.0, all.variance(1) - result.slope * all.covariance(0, 1)));
    std::vector<Block> blocks;
    for (const Moments& block : series_.blocks()) blocks.push_back({block.mean(0), block.mean(1)});
    if (blocks.size() < 3) return result;

    const double wandering = squared_error_of_wandering(blocks, result.slope);
    const auto count = static_cast<double>(blocks.size());
    std::vector<double> errors;
    while (blocks.size() >= 3) {
        errors.push_back(squared_error(blocks));
        for (std::size_t k = 0; k < blocks.size() / 2; ++k)
            blocks[k] = {0.5 * (blocks[2 * k].time + blocks[2 * k + 1].time),
                         0.5 * (blocks[2 * k].value + blocks[2 * k + 1].value)};
        blocks.resize(blocks.size() / 2);
    }
    std::size_t level = 0;
    if (errors[0] > 0.0) level = blocking_level(errors, errors[0], 1.0, count).level;
    result.error_about_line = std::sqrt(errors[level]);
    result.error = std::sqrt(std::max(errors[level], wandering));
    return result;
}

std::vector<double> LinearDrift::state() const {
    std::vector<double> numbers{first_, last_};
    append(numbers, series_.state());
    return numbers;
}

void LinearDrift::restore(std::span<const double> state) {
    StateReader reader(state, "a drift");
    first_ = reader.number();
    last_ = reader.number();
    series_.restore(reader.rest());
}

} // namespace shadow
