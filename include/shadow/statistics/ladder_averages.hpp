// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/statistics/blocking.hpp"
#include "shadow/statistics/lag_ladder.hpp"
#include "shadow/statistics/lag_value.hpp"

#include <cstdint>
#include <vector>

/// Averages over the origins of a ladder.
namespace shadow {

/// The mean over origins at a lag of `lag` measurements, which are `interval` apart in time.
[[nodiscard]] LagValue at_lag(std::int64_t lag, const BlockingAverage& average,
                              const LagLadder& ladder, double interval);

/// The integral of a correlation by the trapezoidal rule, divided by `divisor`, up to each lag of
/// the window of the first level: for each origin, then averaged over origins.
class OriginIntegrals {
  public:
    OriginIntegrals(const LagLadder& ladder, double interval, double divisor = 1.0);

    /// `begin` starts an origin with the correlation at lag 0, `add` continues it. Tasks of other
    /// levels are ignored.
    void begin(const LagLadder::Task& task, double product);
    void add(const LagLadder::Task& task, double product);
    /// From lag 0 on.
    [[nodiscard]] std::vector<LagValue> values() const;

    template <class Self, class F>
    static void each(Self& self, F& f) {
        for (auto* numbers : {&self.integral_, &self.last_}) f(*numbers);
        f(self.averages_);
    }

  private:
    LagLadder ladder_;
    double interval_, divisor_;
    std::vector<double> integral_, last_; ///< by origin: integral so far, and last integrand
    std::vector<BlockingAverage> averages_;
};

/// Half the slope of a mean square, divided by `divisor`: over the second half of a window of each
/// level (Allen and Tildesley 2017, section 2.7), for each origin, then averaged over origins.
class OriginSlopes {
  public:
    OriginSlopes(const LagLadder& ladder, double interval, double divisor = 1.0);

    void add(const LagLadder::Task& task, double square);
    /// At the ends of windows.
    [[nodiscard]] std::vector<LagValue> values() const;

    template <class Self, class F>
    static void each(Self& self, F& f) {
        f(self.half_);
        f(self.averages_);
    }

  private:
    LagLadder ladder_;
    double interval_, divisor_;
    std::vector<double> half_; ///< by origin: the square where the slope begins
    std::vector<BlockingAverage> averages_;
};

} // namespace shadow
