// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/forces/pair_curve.hpp"

#include <functional>
#include <string>

namespace shadow {

/// Is an energy more than single precision can hold of a cubic in r^2? Not one that is no number.
[[nodiscard]] bool is_beyond_cubics(double u, double r);

/// Of a curve that is beyond cubics at `inner` (to where its differences reach) and hardly anything
/// at `outer`, a hundredth of r before: what it goes from and to, and where, human-readable. Else,
/// or where it is not defined, "".
[[nodiscard]] std::string leap_of(const std::function<CurvePoint(double)>& curve, double outer,
                                  double inner);

/// Of a curve that seems to be zero from `from` inwards: where it is not after all, likewise; "" if
/// it is. Down to `lowest` it is looked at closely.
[[nodiscard]] std::string hidden_part(const std::function<CurvePoint(double)>& curve, double from,
                                      double lowest);

} // namespace shadow
