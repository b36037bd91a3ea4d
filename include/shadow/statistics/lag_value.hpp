// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/statistics/blocking.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>

namespace shadow {

/// A function of the lag at one lag.
struct LagValue {
    double time;
    double value, error;      ///< NaN and infinite if there are no data yet
    std::int64_t samples = 0; ///< number of origins
};

/// The mean over origins of the number `i`; `overlap` consecutive origins are correlated, as those
/// that follow within a lag.
[[nodiscard]] inline LagValue at_lag(double time, const BlockingAverage& average, double overlap,
                                     std::size_t i = 0) {
    const Estimate e = average.estimate(overlap, i);
    return {time, e.samples > 0 ? e.mean : std::numeric_limits<double>::quiet_NaN(), e.error,
            e.samples};
}

} // namespace shadow
