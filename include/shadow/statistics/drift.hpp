// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace shadow {

/// The straight line through a series of times and values.
struct Drift {
    std::int64_t samples = 0;
    double slope = 0.0;             ///< value per time, by least squares over all samples
    double error = 0.0;             ///< standard error of the slope; infinite below three samples
    double fluctuation = 0.0;       ///< root mean square distance from the line
    double first = 0.0, last = 0.0; ///< values at both ends of the series
};

/// Linear drift of a series that arrives one value at a time, in bounded memory. The slope uses
/// every sample. Its error comes from the residuals of at most 256 block averages, blocked further
/// until they are independent (see `blocking_level`), so correlation in time is accounted
/// for.
class LinearDrift {
  public:
    void add(double time, double value);
    [[nodiscard]] Drift estimate() const;

    /// As of BlockedSeries.
    [[nodiscard]] std::vector<double> state() const;
    void restore(std::span<const double> state);

  private:
    struct Block {
        double time = 0.0, value = 0.0; ///< averages
    };
    static constexpr std::size_t capacity = 256;

    void close_block();
    [[nodiscard]] static double squared_error(const std::vector<Block>& blocks);

    /// Moments about the running means.
    double count_ = 0.0, mean_time_ = 0.0, mean_value_ = 0.0;
    double time_time_ = 0.0, time_value_ = 0.0, value_value_ = 0.0;
    double first_ = 0.0, last_ = 0.0;
    double block_length_ = 1.0; ///< samples in a block
    double open_count_ = 0.0;
    Block open_; ///< sums of the block that is being filled
    std::vector<Block> blocks_;
};

} // namespace shadow
