// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/forces/pair_curve.hpp"

#include <functional>
#include <string>

namespace shadow {

/// Is an energy too large for a cubic in r^2 in single precision? False for NaN.
[[nodiscard]] bool is_beyond_cubics(double u, double r);

/// For a curve that is beyond cubics at `inner` (or as far below as differences reach) and nearly
/// zero at `outer`, a hundredth of r before: both energies, and the distance, in words. Else, or if
/// it is not defined, "".
[[nodiscard]] std::string leap_of(const std::function<CurvePoint(double)>& curve, double outer,
                                  double inner);

/// For a curve that seems to be zero from `from` inwards: a distance where it is not, in words; ""
/// if there is none. Down to `lowest` it is examined closely.
[[nodiscard]] std::string hidden_part(const std::function<CurvePoint(double)>& curve, double from,
                                      double lowest);

} // namespace shadow
