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
    std::string source; ///< the formula with its numbers, or the file and what it holds
    std::function<CurvePoint(double r)> at; ///< also a little beyond the cut-off
    double first = 0.0;                     ///< where it begins: what is closer has no energy
    double last = HUGE_VAL;                 ///< where it ends
    std::string note = {};                  ///< on its accuracy, for the log
    std::string file = {};                  ///< the name of the file
};

/// By differences of sixth order, with steps of r / 1000: for r^-36 u' is right to 3e-11 and u'' to
/// 1e-9, relative.
[[nodiscard]] CurvePoint differentiate(const std::function<double(double)>& u, double r);

/// Integral of u(r) r^(dim-1) from `cutoff` to infinity; infinite where it does not converge.
[[nodiscard]] double tail_integral(const PairCurve& curve, double cutoff, int dim);

/// A curve as the kernels take it (kernels/potentials/tabulated.hpp): cubic splines in r^2, twice
/// continuously differentiable.
struct SplineTable {
    double cutoff = 0.0;
    int fineness = 0;   ///< segments in each power of two of r^2 are 2^fineness
    double begin = 0.0; ///< the knot r^2 where the first segment begins
    double first = 0.0; ///< the distance from which on it follows the curve
    /// How high the barrier is where it begins; behind it the curve falls without end.
    std::optional<double> barrier = {};
    std::vector<double> numbers; ///< of the segments; the first are for what is closer
    double error = 0.0;          ///< of the force, see `make_spline_table`
    double worst = 0.0;          ///< the distance of that error
    std::string fault = {};      ///< why no table follows the curve, where that was seen
};

/// Of a curve from `first` to `cutoff`. The error is the largest |f_spline - f| / (|f| + F), F the
/// mean |f| over the outer half of the cut-off, or of where the force ends before it. It is made
/// finer until that is within `accuracy`, and not beyond where it helps no more. Where the curve
/// has no limit towards r = 0, or begins above it, what is closer has an infinite force. Of one
/// with a fault the error is infinite.
[[nodiscard]] SplineTable make_spline_table(const std::function<CurvePoint(double)>& curve,
                                            double first, double cutoff, double accuracy);

/// What a table is made of.
struct CurveRange {
    std::function<CurvePoint(double)> curve;
    double first, cutoff;
    /// Also behind a barrier, as of a part of a sum that has none.
    bool behind_barriers = false;
};

/// Tables for the pairs of species of one force, equally fine and from the same place on: kernels
/// choose between them by nothing but where segments stand.
[[nodiscard]] std::vector<SplineTable> make_spline_tables(const std::vector<CurveRange>& ranges,
                                                          double accuracy);
/// The fault of such a table, or "".
[[nodiscard]] std::string curve_fault(const CurveRange& of);

} // namespace shadow
