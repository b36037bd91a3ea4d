// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/statistics/blocking.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace shadow {

/// Mean and standard error of each number of an array which arrives again and again, such as a
/// histogram: a BlockingAverage for each, whose levels share their counts. Memory: four numbers an
/// entry and level, and as many levels as the logarithm of the number of samples.
class ProfileAverage {
  public:
    explicit ProfileAverage(std::size_t size) : size_(size) {}

    /// `values` has size() numbers.
    void add(std::span<const double> values);

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] std::int64_t samples() const noexcept;
    /// Zeros before the first sample.
    [[nodiscard]] std::vector<double> mean() const;
    /// Standard errors of the means, by the rule of BlockingAverage; infinite below eight samples
    /// (of what does not change, below two).
    [[nodiscard]] std::vector<double> error() const;

    /// As of BlockingAverage.
    [[nodiscard]] std::vector<double> state() const;
    void restore(std::span<const double> state);

  private:
    struct Level {
        double count = 0.0, has_pending = 0.0;
        std::vector<double> mean, square, pending; ///< square: sum of (x - mean)^2
    };
    std::size_t size_;
    std::vector<Level> levels_;
};

} // namespace shadow
