// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/statistics/estimate.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace shadow {

/// Mean and standard error by blocking of each number of an array which arrives again and again,
/// such as a histogram, or of one number, in memory that grows with the logarithm of the length of
/// the series: less than a BlockedSeries has, which also knows the autocorrelation and where
/// equilibrium begins. Level k has the averages of blocks of 2^k values; the error is that of
/// `blocking_level`.
class BlockingAverage {
  public:
    explicit BlockingAverage(std::size_t size = 1) : size_(size) {}

    /// `values` has size() numbers.
    void add(std::span<const double> values);
    void add(double value) { add({&value, 1}); }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] std::int64_t samples() const noexcept;
    /// Of the number `i`. Both errors are the one by blocking. `memory`: values in turn that share
    /// what they tell, as those of origins closer than their lag do. Infinite for fewer than eight
    /// times as many, of what does not change for fewer than two.
    [[nodiscard]] Estimate estimate(double memory = 1.0, std::size_t i = 0) const;
    /// Of all of them; means are zero before the first sample.
    [[nodiscard]] std::vector<double> mean() const;
    [[nodiscard]] std::vector<double> error() const;

    /// Everything, as numbers that survive a file: a restored average goes on with the same bits.
    [[nodiscard]] std::vector<double> state() const;
    /// Throws InputError if `state` did not come from `state()` of one of the same size.
    void restore(std::span<const double> state);

  private:
    struct Level {
        double count = 0.0, has_pending = 0.0;
        std::vector<double> mean, square; ///< square: sum of (x - mean)^2
        std::vector<double> pending;      ///< first half of the next block
    };
    std::size_t size_;
    std::vector<Level> levels_;
};

} // namespace shadow
