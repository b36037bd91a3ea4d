// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace shadow {

/// What a correlated series tells about its mean.
struct Estimate {
    std::int64_t samples = 0;
    double mean = 0.0;
    double deviation = 0.0;    ///< standard deviation of the series (n - 1); 0 for one sample
    double error = 0.0;        ///< standard error of the mean; infinite below two samples
    double inefficiency = 1.0; ///< samples that count as one: error^2 n / deviation^2
    double independent_samples = 0.0; ///< samples / inefficiency
    /// False where the series is too short for its correlation: no plateau was found, or fewer than
    /// 50 independent samples; the error is then too small, probably.
    bool reliable = false;
};

/// Mean and standard error of a series which arrives one value at a time, by blocking (Flyvbjerg
/// and Petersen 1989) in memory that grows with the logarithm of its length. Level k has the
/// averages of blocks of 2^k values. The error is that of the smallest block length B with
/// B^3 > 2 n (error_B / error_1)^4 (Lee, Conduit, Nemec, López Ríos and Drummond 2011).
class BlockingAverage {
  public:
    void add(double value);
    [[nodiscard]] std::int64_t samples() const noexcept;
    [[nodiscard]] Estimate estimate() const;

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

namespace detail {
/// The level (block length 2^k) at which squared errors of the mean have reached their plateau by
/// the rule above, for a series of `samples` values; `squared_error.size()` if none.
[[nodiscard]] std::size_t plateau(std::span<const double> squared_error, double samples);
} // namespace detail

} // namespace shadow
