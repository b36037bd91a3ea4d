// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/statistics/estimate.hpp"

namespace shadow {

/// What equilibrium says of a quantity beforehand: its mean, and the standard deviation of a single
/// measurement.
struct Expectation {
    double mean = 0.0, deviation = 0.0;
};

/// The chance that the mean of a series in equilibrium is as far from the expected one as this, or
/// farther: normal, with the larger of both errors. A series that scatters less than half as much
/// as expected has not seen equilibrium (velocities without collisions do not change at all): its
/// error is that of one measurement.
[[nodiscard]] double chance_of(const Estimate& estimate, const Expectation& expected);

/// Below this chance a difference is none of noise.
inline constexpr double min_chance = 1e-4;

} // namespace shadow
