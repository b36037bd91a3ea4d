// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/statistics/estimate.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace shadow {

/// Mean and standard error by blocking of one of many numbers, such as those of a histogram, in
/// memory that grows with the logarithm of the length of the series: less than a BlockedSeries has,
/// which also knows the autocorrelation and where equilibrium begins. Level k has the averages of
/// blocks of 2^k values; the error is that of `blocking_level`.
class BlockingAverage {
  public:
    void add(double value);
    [[nodiscard]] std::int64_t samples() const noexcept;
    /// Both errors are the one by blocking. `memory`: values in turn that share what they tell, as
    /// those of origins closer than their lag do. Infinite for fewer than eight times as many.
    [[nodiscard]] Estimate estimate(double memory = 1.0) const;

    /// Everything, as numbers that survive a file: a restored average goes on with the same bits.
    [[nodiscard]] std::vector<double> state() const;
    /// Throws InputError if `state` did not come from `state()`.
    void restore(std::span<const double> state);

  private:
    struct Level {
        double count = 0.0, mean = 0.0, square = 0.0; ///< square: sum of (x - mean)^2
        double pending = 0.0, has_pending = 0.0;      ///< first half of the next block
    };
    std::vector<Level> levels_;
};

} // namespace shadow
