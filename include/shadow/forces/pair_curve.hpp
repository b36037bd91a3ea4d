// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace shadow {

/// A pair potential at one distance: u, u' and u''.
struct CurvePoint {
    double u = 0.0, d1 = 0.0, d2 = 0.0;
};

/// A pair potential that is not compiled: a formula, or the rows of a file.
struct PairCurve {
    std::string source; ///< the formula with its numbers, or a check sum of the rows
    std::function<CurvePoint(double r)> at; ///< also a little beyond the cut-off
    double first = 0.0;                     ///< where it begins: closer pairs have no energy
    double last = HUGE_VAL;                 ///< where it ends
    std::string note = {};                  ///< on its accuracy, for the log
    std::string file = {};                  ///< the name of the file
};

/// By differences of sixth order, with steps of r / 1000: for r^-36 the relative error of u' is
/// 3e-11 and that of u'' 1e-9.
[[nodiscard]] CurvePoint differentiate(const std::function<double(double)>& u, double r);

/// Integral of u(r) r^(dim-1) from `cutoff` to infinity; infinite where it does not converge.
[[nodiscard]] double tail_integral(const PairCurve& curve, double cutoff, int dim);

/// A curve in the form of the kernels (kernels/potentials/tabulated.hpp): cubic splines in r^2,
/// twice continuously differentiable.
struct SplineTable {
    double cutoff = 0.0;
    int fineness = 0;   ///< each power of two of r^2 has 2^fineness segments
    double begin = 0.0; ///< the knot r^2 where the first segment begins
    double first = 0.0; ///< the distance from which on it follows the curve
    /// The height of the barrier at its beginning; below that distance the curve falls without
    /// limit.
    std::optional<double> barrier = {};
    std::vector<double> numbers; ///< of the segments; the first are for smaller distances
    double error = 0.0;          ///< of the force, see `make_spline_table`
    double worst = 0.0;          ///< the distance of that error
    std::string fault = {};      ///< why no table follows the curve, if that was found
};

/// The table of a curve from `first` to `cutoff`. Its error is the largest |f_spline - f| / (|f| +
/// F), F the mean |f| over the outer half of the cut-off, or of the distance where the force ends
/// before it. The table is refined until its error is within `accuracy`, or as long as that helps.
/// If the curve has no limit towards r = 0, or begins above it, smaller distances have an infinite
/// force. The error of a table with a fault is infinite.
[[nodiscard]] SplineTable make_spline_table(const std::function<CurvePoint(double)>& curve,
                                            double first, double cutoff, double accuracy);

/// The curve of a table, and its range.
struct CurveRange {
    std::function<CurvePoint(double)> curve;
    double first, cutoff;
    /// Also below a barrier, for a part of a sum that has none.
    bool beyond_barriers = false;
};

/// Tables for the pairs of species of one force, equally fine and with the same beginning: kernels
/// distinguish them by nothing but the positions of their segments.
[[nodiscard]] std::vector<SplineTable> make_spline_tables(const std::vector<CurveRange>& ranges,
                                                          double accuracy);
/// The fault of such a table; "" if it has none.
[[nodiscard]] std::string curve_fault(const CurveRange& of);

} // namespace shadow
