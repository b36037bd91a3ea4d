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
    /// The same for a series that oscillates about a line: used to detect a drift. It is too small
    /// for a series that bends or wanders.
    double error_about_line = 0.0;
    double fluctuation = 0.0;       ///< root mean square distance from the line
    double first = 0.0, last = 0.0; ///< values at both ends of the series
};

/// Linear drift of a series that arrives one value at a time, in bounded memory. The slope uses
/// every sample. Its error comes from the residuals of at most 256 block averages, blocked further
/// until they are independent (see `blocking_level`), so that time correlation is accounted for; if
/// the series wanders like a random walk, the error comes from the size of its displacements.
class LinearDrift {
  public:
    void add(double time, double value);
    [[nodiscard]] Drift estimate() const;

    /// As in BlockedSeries.
    [[nodiscard]] std::vector<double> state() const;
    void restore(std::span<const double> state);

  private:
    BlockedSeries series_{2, 256}; ///< times, and values less the first
    double first_ = 0.0, last_ = 0.0;
};

} // namespace shadow
