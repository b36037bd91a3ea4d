// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/forces/pair_curve.hpp"

#include <vector>

namespace shadow {

/// Second derivatives at the knots x of the cubic spline through u, with given slopes at both ends:
/// the tridiagonal system of de Boor (1978), A Practical Guide to Splines, chapter IV.
[[nodiscard]] std::vector<double> second_derivatives(const std::vector<double>& x,
                                                     const std::vector<double>& u,
                                                     double first_slope, double last_slope);

/// A cubic spline through points, twice continuously differentiable; at both ends with the slope of
/// the cubic through the four points there. Beyond the points its last pieces continue.
class CubicSpline {
  public:
    /// At least four points, with x ascending.
    CubicSpline(std::vector<double> x, std::vector<double> u);

    [[nodiscard]] CurvePoint at(double x) const;

  private:
    std::vector<double> x_, u_, second_;
};

} // namespace shadow
