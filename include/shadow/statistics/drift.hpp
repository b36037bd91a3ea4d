// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/statistics/blocked_series.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace shadow {

/// The straight line through a series of times and values.
struct Drift {
    std::int64_t samples = 0;
    double slope = 0.0; ///< value per time, by least squares over all samples
    double error = 0.0; ///< standard error of the slope; infinite below three samples
    /// The same if the series swings about a line: that by which a drift is found. Where it rather
    /// bends or wanders it is too small.
    double error_about_line = 0.0;
    double fluctuation = 0.0;       ///< root mean square distance from the line
    double first = 0.0, last = 0.0; ///< values at both ends of the series
};

/// Linear drift of a series that arrives one value at a time, in bounded memory. The slope uses
/// every sample. Its error comes from the residuals of at most 256 block averages, blocked further
/// until they are independent (see `blocking_level`), so correlation in time is accounted
/// for; of a series that wanders, as a random walk does, from how far it goes.
class LinearDrift {
  public:
    void add(double time, double value);
    [[nodiscard]] Drift estimate() const;

    /// As of BlockedSeries.
    [[nodiscard]] std::vector<double> state() const;
    void restore(std::span<const double> state);

  private:
    BlockedSeries series_{2, 256}; ///< of times and values less the first
    double first_ = 0.0, last_ = 0.0;
};

} // namespace shadow
