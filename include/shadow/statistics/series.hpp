// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/statistics/blocking.hpp"
#include "shadow/statistics/drift.hpp"

namespace shadow {

/// What is kept of one scalar quantity over a stage.
struct SeriesStatistics {
    BlockingAverage average;
    LinearDrift drift;

    void add(double time, double value) {
        average.add(value);
        drift.add(time, value);
    }
};

} // namespace shadow
