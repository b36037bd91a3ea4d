// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>

namespace shadow {

/// A transport coefficient, read from a function of the lag that converges to it.
struct Plateau {
    double value = 0.0, error = 0.0;
    double lag = 0.0;     ///< at which the value is read
    bool settled = false; ///< the data extend to twice the lag of the plateau
};

/// A running integral (Green and Kubo) or slope (Einstein) rises to its limit, and then only its
/// noise grows. Let t be the shortest lag after which no value deviates by more than three standard
/// errors and their weighted mean by no more than two of the smallest error: the value is that at 2
/// t, where the deviation of an exponential approach is the square of that at t. Its error is at
/// least the difference between the values at 2 t and 4 t. `lag` is ascending; lags whose error is
/// zero or not finite are ignored. Empty if fewer than two lags remain.
[[nodiscard]] std::optional<Plateau> find_plateau(std::span<const double> lag,
                                                  std::span<const double> value,
                                                  std::span<const double> error);

} // namespace shadow
