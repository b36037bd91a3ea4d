// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/statistics/blocked_series.hpp"

#include <cstdint>
#include <functional>

namespace shadow {

/// A function of averages, such as a fluctuation or a ratio.
struct DerivedEstimate {
    double value = 0.0; ///< corrected for the bias of a function of averages that have errors
    double error = 0.0; ///< standard error; infinite below eight blocks
    double bias = 0.0;  ///< what was taken off
    double inefficiency = 1.0; ///< of blocks; above 1 they are correlated
    std::int64_t blocks = 0;   ///< that the error is from
    /// False where blocks are too few or too correlated, so that error and bias are guesses.
    bool reliable = false;
};

/// Any function of the means and covariances of several series.
using FunctionOfMoments = std::function<double(const Moments&)>;

/// `function` of all but the first `discard` rows. Each block is left out in turn (Quenouille 1956;
/// Miller 1974, Biometrika 61, 1); what that changes, as a series of pseudo-values, has the error
/// of the function to first order, correlations between blocks included (`autocorrelation_error`).
/// The bias is that of the jackknife times the inefficiency of the blocks.
[[nodiscard]] DerivedEstimate
jackknife(const BlockedSeries& series, const FunctionOfMoments& function, std::int64_t discard = 0);

} // namespace shadow
