// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/statistics/estimate.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace shadow {

/// Mean and standard error by blocking for each number of an array that is measured repeatedly,
/// such as a histogram, or for one number, in memory that grows with the logarithm of the length of
/// the series: less than BlockedSeries needs, which also gives the autocorrelation and the
/// equilibration. Level k has the averages of blocks of 2^k values; the error is that of
/// `blocking_level`.
class BlockingAverage {
  public:
    explicit BlockingAverage(std::size_t size = 1) : size_(size) {}

    /// `values` has size() numbers.
    void add(std::span<const double> values);
    void add(double value) { add({&value, 1}); }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] std::int64_t samples() const noexcept;
    /// For the number `i`. Both errors are the one by blocking. `memory`: number of consecutive
    /// values that are correlated, such as those of origins closer than their lag. The error is
    /// infinite for fewer than 8 `memory` values; for a constant, for fewer than two.
    [[nodiscard]] Estimate estimate(double memory = 1.0, std::size_t i = 0) const;
    /// For all numbers; means are zero before the first sample.
    [[nodiscard]] std::vector<double> mean() const;
    [[nodiscard]] std::vector<double> error() const;

    /// The complete state as numbers for a file: a restored average continues bitwise.
    [[nodiscard]] std::vector<double> state() const;
    /// Throws InputError if `state` is not from `state()` of an average of the same size.
    void restore(std::span<const double> state);

  private:
    struct Level {
        double count = 0.0, has_pending = 0.0;
        std::vector<double> mean, square; ///< sum of (x - mean)^2
        std::vector<double> pending;      ///< first half of the next block
    };
    std::size_t size_;
    std::vector<Level> levels_;
};

} // namespace shadow
