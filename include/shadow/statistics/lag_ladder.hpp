// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

namespace shadow {

/// Which measurements are compared with which earlier ones (origins), so that correlations are
/// known from one interval up to the longest lag, with memory that grows with its logarithm: the
/// order-n scheme of Frenkel and Smit (2002, section 4.4.2), without averaging over time. Level l
/// uses every 2^l-th measurement and compares it with origins, which are replaced after `window` of
/// these. Above level 0 only lags in the older half of the window are used, since the level below
/// has better statistics for the rest. Lags 1 .. w, then w + 2, w + 4 .. 2w, 2w + 4 ...
class LagLadder {
  public:
    /// `window` is even and at least 2; `origins`: number of simultaneous origins of a level, a
    /// divisor of it; `longest`: longest lag, at least, in measurements.
    LagLadder(std::int64_t window, std::int64_t origins, std::int64_t longest);

    /// How a measurement is used with one origin.
    struct Task {
        std::int64_t place;    ///< index of the origin, 0 .. places()
        std::int64_t lag;      ///< index in lags(); -1: no comparison
        std::int64_t quotient; ///< lag in intervals of the level, 1 .. window
        bool store;            ///< the measurement then replaces the origin
    };
    /// The tasks of the n-th measurement, counted from 0, in a fixed order.
    [[nodiscard]] std::vector<Task> tasks(std::int64_t n) const;

    [[nodiscard]] std::int64_t window() const noexcept { return window_; }
    /// The number of origins of a level that follow within a lag: that many consecutive comparisons
    /// are correlated.
    [[nodiscard]] double overlap(std::int64_t lag) const;
    /// Number of origins of all levels.
    [[nodiscard]] std::int64_t places() const noexcept { return levels_ * origins_; }
    [[nodiscard]] std::int64_t level(std::int64_t place) const { return place / origins_; }
    /// In measurements, ascending.
    [[nodiscard]] const std::vector<std::int64_t>& lags() const noexcept { return lags_; }

  private:
    std::int64_t window_, origins_, levels_ = 1;
    std::vector<std::int64_t> lags_;
};

} // namespace shadow
