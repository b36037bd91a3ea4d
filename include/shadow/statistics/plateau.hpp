// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>

namespace shadow {

/// A transport coefficient, read from a function of the lag that tends to it.
struct Plateau {
    double value = 0.0, error = 0.0;
    double lag = 0.0;     ///< at which it is read
    bool settled = false; ///< twice as far as it still changed was measured
};

/// A running integral (Green and Kubo) or slope (Einstein) rises to its limit, and then only its
/// noise grows. Let t be the shortest lag from which no later value is farther than three of its
/// standard errors, and their mean, weighted by these, no farther than two of the smallest of them:
/// the value is that at 2 t, where an exponential approach is over to the square
/// of what is left at t. Its error is at least the step from there to the value at 4 t. `lag`
/// grows; lags whose error is zero or not finite do not count. Nothing, if there are fewer than two
/// others.
[[nodiscard]] std::optional<Plateau> find_plateau(std::span<const double> lag,
                                                  std::span<const double> value,
                                                  std::span<const double> error);

} // namespace shadow
