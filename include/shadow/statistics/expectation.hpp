// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/statistics/estimate.hpp"

namespace shadow {

/// The prediction of equilibrium for a quantity: its mean, and the standard deviation of a single
/// measurement.
struct Expectation {
    double mean = 0.0, deviation = 0.0;
};

/// The probability that the mean of a series in equilibrium deviates from the expected one by at
/// least this much: normal, with the larger of the two errors. A series that scatters less than
/// half as much as expected has not sampled equilibrium (velocities without collisions do not
/// change at all): its error is that of one measurement.
[[nodiscard]] double chance_of(const Estimate& estimate, const Expectation& expected);

/// The deviation, in known errors, that is as improbable as one of `errors` that are themselves
/// from so few independent samples: a normal number for Student's t (Wallace 1959, Ann. Math.
/// Statist. 30, 1124). Zero below two samples.
[[nodiscard]] double normal_errors(double errors, double independent_samples);

/// A difference less probable than this is not noise.
inline constexpr double min_chance = 1e-4;

} // namespace shadow
