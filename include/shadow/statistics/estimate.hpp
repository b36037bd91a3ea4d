// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/statistics/blocked_series.hpp"

#include <cstdint>
#include <string>

namespace shadow {

/// The mean of a correlated series without its start, and its error.
struct Estimate {
    std::int64_t samples = 0;   ///< number used for the mean
    std::int64_t discarded = 0; ///< number before them
    double mean = 0.0;
    double deviation = 0.0; ///< standard deviation of the series (n - 1); 0 for one sample
    double error = 0.0;     ///< standard error of the mean by blocking; infinite below two samples
    double autocorrelation_error = 0.0; ///< the same from the integrated autocorrelation time
    double error_uncertainty = 0.0;     ///< standard error of the ratio of these two, approximately
    double inefficiency = 1.0;          ///< samples per independent one: error^2 n / deviation^2
    double independent_samples = 0.0;   ///< samples / inefficiency
    static constexpr double min_independent = 50.0; ///< for a reliable error
    bool plateau = false; ///< both errors no longer grow with block length or window

    /// The larger of the two errors.
    [[nodiscard]] double larger_error() const {
        return error > autocorrelation_error ? error : autocorrelation_error;
    }
    [[nodiscard]] bool errors_agree() const;
    /// False if the series is too short for its correlation (no plateau, or fewer than 50
    /// independent samples; the error is then probably too small), or if the two errors disagree.
    [[nodiscard]] bool reliable() const;
    /// Why it is not reliable, or not in equilibrium for most of the series, human-readable; or "".
    [[nodiscard]] std::string warning() const;

  private:
    [[nodiscard]] bool enough() const;
};

/// Mean of a series of one channel and its standard error, by automatic blocking (Flyvbjerg and
/// Petersen 1989, J. Chem. Phys. 91, 461; see `blocking_level`) and from the integrated
/// autocorrelation time (see `autocorrelation_error`) of the block means. `discard` samples at the
/// start, rounded up to full blocks, are left out. Blocks and windows are at least `memory` samples
/// long: for a series that is known to have a slow part, whose share of the variance may be too
/// small to be detected.
[[nodiscard]] Estimate estimate(const BlockedSeries& series, std::int64_t discard = 0,
                                double memory = 0.0);

/// The number of samples to discard at the start, in full blocks, of which there are at most 512,
/// and less than nine tenths of them: all before the series first comes within three standard
/// deviations of its later half, then as many as maximise the number of independent samples of the
/// rest (Chodera 2016, J. Chem. Theory Comput. 12, 1799), if the gain exceeds the standard error of
/// the estimate: otherwise the largest of many noisy numbers would sometimes discard a good start
/// and make errors too small. Zero below 16 blocks.
[[nodiscard]] std::int64_t equilibration(const BlockedSeries& series);

/// `estimate` without the samples of `equilibration`, and at least without the first `least`. If
/// fewer than 150 independent samples remain, those that fluctuate least may have been chosen by
/// chance: errors are then at least those since the series first came within three standard
/// deviations of its later half, scaled to the number of samples that remain.
[[nodiscard]] Estimate settled_estimate(const BlockedSeries& series, std::int64_t least = 0,
                                        double memory = 0.0);

} // namespace shadow
