// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/statistics/blocking.hpp"

#include "shadow/statistics/correlated_error.hpp"
#include "shadow/statistics/state.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace shadow {

void BlockingAverage::add(std::span<const double> values) {
    for (std::size_t k = 0;; ++k) {
        if (k == levels_.size()) {
            const std::vector<double> zeros(size_);
            levels_.push_back({0.0, 0.0, zeros, zeros, zeros});
        }
        Level& level = levels_[k];
        level.count += 1.0;
        for (std::size_t i = 0; i < size_; ++i) {
            const double delta = values[i] - level.mean[i];
            level.mean[i] += delta / level.count;
            level.square[i] += delta * (values[i] - level.mean[i]);
        }
        level.has_pending = 1.0 - level.has_pending;
        if (level.has_pending == 1.0) {
            std::copy_n(values.begin(), size_, level.pending.begin());
            return;
        }
        for (std::size_t i = 0; i < size_; ++i)
            level.pending[i] = 0.5 * (level.pending[i] + values[i]);
        values = level.pending;
    }
}

std::int64_t BlockingAverage::samples() const noexcept {
    return levels_.empty() ? 0 : static_cast<std::int64_t>(levels_[0].count);
}

Estimate BlockingAverage::estimate(double memory, std::size_t i) const {
    Estimate result;
    result.samples = samples();
    result.error = result.autocorrelation_error = std::numeric_limits<double>::infinity();
    if (levels_.empty()) return result;
    const Level& all = levels_[0];
    result.mean = all.mean[i];
    result.independent_samples = all.count;
    if (all.count < 2.0) return result;

    std::vector<double> squared_error;
    for (const Level& level : levels_)
        if (level.count >= 2.0)
            squared_error.push_back(level.square[i] / (level.count * (level.count - 1.0)));
    result.deviation = std::sqrt(all.square[i] / (all.count - 1.0));
    if (squared_error[0] == 0.0) { // a constant has no error, however few values there are
        result.error = result.autocorrelation_error = 0.0;
        result.plateau = true;
        return result;
    }
    if (all.count < min_blocks * memory) return result;
    auto [level, found] = blocking_level(squared_error, squared_error[0], 1.0, all.count, memory);
    // Values at the end, in no full block of this length, may be the only ones that differ.
    while (squared_error[level] == 0.0) --level;
    result.plateau = found;
    result.error = result.autocorrelation_error = std::sqrt(squared_error[level]);
    // Anticorrelated series can be better than independent ones; less than one sample in total is
    // noise of the estimate.
    result.inefficiency = std::max(squared_error[level] / squared_error[0], 1.0 / all.count);
    result.independent_samples = all.count / result.inefficiency;
    return result;
}

std::vector<double> BlockingAverage::mean() const {
    return levels_.empty() ? std::vector<double>(size_) : levels_[0].mean;
}

std::vector<double> BlockingAverage::error() const {
    std::vector<double> all;
    for (std::size_t i = 0; i < size_; ++i) all.push_back(estimate(1.0, i).error);
    return all;
}

std::vector<double> BlockingAverage::state() const {
    std::vector<double> numbers;
    for (const Level& level : levels_) {
        append(numbers, std::vector{level.count, level.has_pending});
        for (const auto* part : {&level.mean, &level.square, &level.pending})
            append(numbers, *part);
    }
    return numbers;
}

void BlockingAverage::restore(std::span<const double> state) {
    StateReader reader(state, "an average");
    levels_.clear();
    while (!reader.empty()) {
        Level level{reader.number(), reader.number(), {}, {}, {}};
        for (auto* part : {&level.mean, &level.square, &level.pending}) {
            part->resize(size_);
            reader.fill(*part);
        }
        levels_.push_back(std::move(level));
    }
}

} // namespace shadow
