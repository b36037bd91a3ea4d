// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/statistics/blocked_series.hpp"

#include <cstdint>
#include <functional>

namespace shadow {

/// A function of averages, such as a fluctuation or a ratio.
struct DerivedEstimate {
    double value = 0.0;        ///< corrected for the bias that errors of the averages cause
    double error = 0.0;        ///< standard error; infinite below eight blocks
    double bias = 0.0;         ///< the correction that was subtracted
    double inefficiency = 1.0; ///< of blocks; above 1 they are correlated
    std::int64_t blocks = 0;   ///< number of blocks used for the error
    /// False if the blocks are too few or too correlated to determine error and bias.
    bool reliable = false;
};

/// Any function of the means and covariances of several series.
using FunctionOfMoments = std::function<double(const Moments&)>;

/// `function` of all but the first `discard` rows. Each block is left out in turn (Quenouille 1956;
/// Miller 1974, Biometrika 61, 1); the resulting changes, as a series of pseudo-values, give the
/// error of the function to first order, including correlations between blocks
/// (`autocorrelation_error`). The bias is that of the jackknife times the inefficiency of the
/// blocks.
[[nodiscard]] DerivedEstimate
jackknife(const BlockedSeries& series, const FunctionOfMoments& function, std::int64_t discard = 0);

} // namespace shadow
