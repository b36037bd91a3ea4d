// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/statistics/blocked_series.hpp"
#include "shadow/statistics/drift.hpp"
#include "shadow/statistics/estimate.hpp"

namespace shadow {

/// The statistics of one scalar quantity over a stage.
struct SeriesStatistics {
    BlockedSeries values;
    LinearDrift drift;

    /// `log_weight`: of the value in the mean, as in BlockedSeries.
    void add(double time, double value, double log_weight = 0.0) {
        values.add_by_log(value, log_weight);
        drift.add(time, value);
    }
};

} // namespace shadow
