// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/statistics/blocking.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>

namespace shadow {

/// A function of the lag, at one of them.
struct LagValue {
    double time;
    double value, error;      ///< not a number, and infinite, where nothing is known yet
    std::int64_t samples = 0; ///< origins
};

/// The mean over origins of the number `i`, of which `overlap` in turn share what they tell, as
/// those that follow within a lag do.
[[nodiscard]] inline LagValue at_lag(double time, const BlockingAverage& average, double overlap,
                                     std::size_t i = 0) {
    const Estimate e = average.estimate(overlap, i);
    return {time, e.samples > 0 ? e.mean : std::numeric_limits<double>::quiet_NaN(), e.error,
            e.samples};
}

} // namespace shadow
