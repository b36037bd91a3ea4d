// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>

namespace shadow {

/// With fewer blocks the error is too uncertain to be reported or to show a plateau: two errors may
/// agree by chance, however slowly the series changes.
inline constexpr double min_blocks = 8.0;

/// The level k, with blocks of `length` 2^k values, from which the error of the mean is taken.
struct BlockingLevel {
    std::size_t level = 0;
    bool plateau = false; ///< errors no longer grow
};

/// From squared errors of all levels (at least one), the smallest block length B with B^3 > 2 n
/// (error_B / error_1)^4 (Lee, Conduit, Nemec, López Ríos and Drummond 2011, Phys. Rev. E 83,
/// 066706), where n is `samples` and error_1^2 is `single`, with B at least `least` and at least 8
/// blocks. If there is no such plateau, the level with the largest error among those with at least
/// 8 blocks.
[[nodiscard]] BlockingLevel blocking_level(std::span<const double> squared_error, double single,
                                           double length, double samples, double least = 0.0);

/// The error of the mean of a series from its autocorrelation.
struct AutocorrelationError {
    double squared = 0.0;      ///< of the mean of all values
    double inefficiency = 1.0; ///< twice the integrated autocorrelation time, in values
    double uncertainty = 0.0;  ///< relative, of `squared`
    bool closed = false;       ///< the sum ended within half of the series
};

/// By summing the autocovariance up to the window that balances truncation against noise, with S =
/// 1.5 and the correction for the bias of the mean (Wolff 2004, Comput. Phys. Commun. 156, 143,
/// section 3.3 and eqs. 42, 49); the window is at least `least` values long.
[[nodiscard]] AutocorrelationError autocorrelation_error(std::span<const double> values,
                                                         double least = 0.0);

} // namespace shadow
