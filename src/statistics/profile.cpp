// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/statistics/profile.hpp"

#include "shadow/statistics/correlated_error.hpp"
#include "shadow/statistics/state.hpp"

#include <cmath>
#include <limits>

namespace shadow {

void ProfileAverage::add(std::span<const double> values) {
    std::vector<double> value(values.begin(), values.end());
    for (std::size_t k = 0;; ++k) {
        if (k == levels_.size()) {
            const std::vector<double> zeros(size_);
            levels_.push_back({0.0, 0.0, zeros, zeros, zeros});
        }
        Level& level = levels_[k];
        level.count += 1.0;
        for (std::size_t i = 0; i < size_; ++i) {
            const double delta = value[i] - level.mean[i];
            level.mean[i] += delta / level.count;
            level.square[i] += delta * (value[i] - level.mean[i]);
        }
        if (level.has_pending == 0.0) {
            level.pending = std::move(value);
            level.has_pending = 1.0;
            return;
        }
        level.has_pending = 0.0;
        for (std::size_t i = 0; i < size_; ++i) value[i] = 0.5 * (level.pending[i] + value[i]);
    }
}

std::int64_t ProfileAverage::samples() const noexcept {
    return levels_.empty() ? 0 : static_cast<std::int64_t>(levels_[0].count);
}

std::vector<double> ProfileAverage::mean() const {
    return levels_.empty() ? std::vector<double>(size_) : levels_[0].mean;
}

std::vector<double> ProfileAverage::error() const {
    std::vector<double> all(size_, std::numeric_limits<double>::infinity());
    if (samples() < 2) return all;
    std::vector<double> squared_error;
    for (std::size_t i = 0; i < size_; ++i) {
        squared_error.clear();
        for (const Level& level : levels_)
            if (level.count >= 2.0)
                squared_error.push_back(level.square[i] / (level.count * (level.count - 1.0)));
        double square = 0.0; // of a constant
        if (squared_error[0] > 0.0) {
            const double samples = levels_[0].count;
            if (samples < min_blocks) continue;
            square =
                squared_error[blocking_level(squared_error, squared_error[0], 1.0, samples).level];
        }
        all[i] = std::sqrt(square);
    }
    return all;
}

std::vector<double> ProfileAverage::state() const {
    std::vector<double> numbers;
    for (const Level& level : levels_) {
        append(numbers, std::vector{level.count, level.has_pending});
        for (const auto* part : {&level.mean, &level.square, &level.pending})
            append(numbers, *part);
    }
    return numbers;
}

void ProfileAverage::restore(std::span<const double> state) {
    StateReader reader(state, "an averaged array");
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
