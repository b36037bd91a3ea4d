// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/statistics/blocking.hpp"

#include "shadow/statistics/correlated_error.hpp"
#include "shadow/statistics/state.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace shadow {

void BlockingAverage::add(double value) {
    for (std::size_t k = 0;; ++k) {
        if (k == levels_.size()) levels_.emplace_back();
        Level& level = levels_[k];
        level.count += 1.0;
        const double delta = value - level.mean;
        level.mean += delta / level.count;
        level.square += delta * (value - level.mean);
        if (level.has_pending == 0.0) {
            level.pending = value;
            level.has_pending = 1.0;
            return;
        }
        level.has_pending = 0.0;
        value = 0.5 * (level.pending + value);
    }
}

std::int64_t BlockingAverage::samples() const noexcept {
    return levels_.empty() ? 0 : static_cast<std::int64_t>(levels_[0].count);
}

Estimate BlockingAverage::estimate(double memory) const {
    Estimate result;
    result.samples = samples();
    result.error = result.autocorrelation_error = std::numeric_limits<double>::infinity();
    if (levels_.empty()) return result;
    const Level& all = levels_[0];
    result.mean = all.mean;
    result.independent_samples = all.count;
    if (all.count < 2.0) return result;

    std::vector<double> squared_error;
    for (const Level& level : levels_)
        if (level.count >= 2.0)
            squared_error.push_back(level.square / (level.count * (level.count - 1.0)));
    result.deviation = std::sqrt(all.square / (all.count - 1.0));
    if (squared_error[0] == 0.0) { // a constant has no error, however few values are known
        result.error = result.autocorrelation_error = 0.0;
        result.plateau = true;
        return result;
    }
    if (all.count < min_blocks * memory) return result;
    const auto [level, found] =
        blocking_level(squared_error, squared_error[0], 1.0, all.count, memory);
    result.plateau = found;
    result.error = result.autocorrelation_error = std::sqrt(squared_error[level]);
    // Anticorrelated series can be better than independent ones; what falls below a sample in all
    // is noise of the estimate.
    result.inefficiency = std::max(squared_error[level] / squared_error[0], 1.0 / all.count);
    result.independent_samples = all.count / result.inefficiency;
    return result;
}

std::vector<double> BlockingAverage::state() const {
    std::vector<double> numbers;
    for (const Level& x : levels_)
        numbers.insert(numbers.end(), {x.count, x.mean, x.square, x.pending, x.has_pending});
    return numbers;
}

void BlockingAverage::restore(std::span<const double> state) {
    StateReader reader(state, "an average");
    levels_.clear();
    while (!reader.empty()) {
        const auto level = reader.take(5);
        levels_.push_back({level[0], level[1], level[2], level[3], level[4]});
    }
}

} // namespace shadow
