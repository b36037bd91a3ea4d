// SPDX-License-Identifier: BSD-3-Clause
#include "endings.hpp"

#include "potential_visit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace shadow {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const SwitchingFunction<double> unchanged{infinity, infinity, 0.0, {}};
const SwitchingFunction<double> nothing{0.0, 0.0, 0.0, {}};

/// Hermite polynomial from the curve at `begin` to zero at `end`, matching `derivatives` (2 or 3,
/// the value included) at both; C^(derivatives - 1). Coefficients of x = (r - begin)/(end - begin).
SwitchingFunction<double> switching_function(const CurvePoint& b, double begin, double end,
                                             int derivatives) {
    const double length = end - begin;
    const double f0 = b.u, f1 = length * b.d1, f2 = length * length * b.d2;
    if (derivatives == 2)
        return {begin, end, 1.0 / length, {f0, f1, -3 * f0 - 2 * f1, 2 * f0 + f1, 0.0, 0.0}};
    return {begin,
            end,
            1.0 / length,
            {f0, f1, 0.5 * f2, -10 * f0 - 6 * f1 - 1.5 * f2, 15 * f0 + 8 * f1 + 1.5 * f2,
             -6 * f0 - 3 * f1 - 0.5 * f2}};
}

/// The second derivative by sixth-order differences of the force in extended precision: for r^-12
/// the remainder is (h/r)^6 times 1e6, 1e-15, and rounding 1e-19 r/h, all relative.
template <template <class> class P>
CurvePoint curve_point(const PairParameters& p, double r, double end) {
    using Wide = long double;
    const auto potential = P<Wide>::from(p.numbers.data(), end);
    const auto slope = [&](Wide x) { return -potential(x * x).f_over_r * x; };
    const Wide x = r, h = x * Wide(3e-4);
    const Wide d2 =
        (45 * (slope(x + h) - slope(x - h)) - 9 * (slope(x + 2 * h) - slope(x - 2 * h)) +
         (slope(x + 3 * h) - slope(x - 3 * h))) /
        (60 * h);
    return {static_cast<double>(potential(x * x).u), static_cast<double>(slope(x)),
            static_cast<double>(d2)};
}

} // namespace

/// A potential between two species, without its truncation.
std::function<CurvePoint(double)> curve_of(const PairPotential& potential,
                                           const PairParameters& p) {
    if (p.curve) return p.curve->at;
    std::function<CurvePoint(double)> curve;
    visit_potential(potential.potential, [&]<template <class> class P>(PotentialTag<P>) {
        curve = [p, end = potential.end(p)](double r) { return curve_point<P>(p, r, end); };
    });
    return curve;
}

double SmoothEnd::excess() const {
    return std::max(least - end_least, end_largest - largest) / std::max(-least, largest);
}

SmoothEnd smooth_end(const PairPotential& potential, const PairParameters& p) {
    const auto curve = curve_of(potential, p);
    const EndingNumbers numbers = ending_numbers(potential, p);
    constexpr int places = 64;
    SmoothEnd found;
    for (int k = 0; k < places; ++k) {
        const double r = p.inner + (p.cutoff - p.inner) * k / places;
        const CurvePoint whole = curve(r);
        const double end = numbers.of(whole, r).u;
        found = {std::min(found.least, whole.u), std::max(found.largest, whole.u),
                 std::min(found.end_least, end), std::max(found.end_largest, end)};
    }
    return found;
}

std::size_t species_of(const PairPotential& potential) {
    return static_cast<std::size_t>(
        std::lround(std::sqrt(static_cast<double>(potential.pairs.size()))));
}

bool same_cutoffs(const PairPotential& p, const PairPotential& q) {
    return std::equal(p.pairs.begin(), p.pairs.end(), q.pairs.begin(), q.pairs.end(),
                      [](const auto& x, const auto& y) { return x.cutoff == y.cutoff; });
}

CurvePoint EndingNumbers::of(const CurvePoint& base, double r) const {
    const double inverse_r = 1.0 / r;
    const PairResult<double> plain{-(base.d1 - slope) * inverse_r, base.u - shift - slope * r};
    const PairResult<double> whole = tail(plain, r, inverse_r);
    const PairResult<double> less = core(plain, r, inverse_r);
    return {whole.u - less.u, -(whole.f_over_r - less.f_over_r) * r, 0.0};
}

EndingNumbers ending_numbers(const PairPotential& potential, const PairParameters& p) {
    const std::function<CurvePoint(double)> curve = curve_of(potential, p);
    EndingNumbers numbers{p.cutoff, 0.0, 0.0, unchanged, nothing};
    const auto at = [&](double r) { return std::isfinite(r) ? curve(r) : CurvePoint{}; };
    const CurvePoint at_cutoff = at(p.cutoff);
    switch (potential.truncation) {
    case Truncation::none:
        break;
    case Truncation::shift:
        numbers.shift = at_cutoff.u;
        break;
    case Truncation::force_shift:
        numbers.slope = at_cutoff.d1;
        numbers.shift = std::isfinite(p.cutoff) ? at_cutoff.u - p.cutoff * at_cutoff.d1 : 0.0;
        break;
    case Truncation::smooth_c1:
    case Truncation::smooth_c2:
        numbers.tail = switching_function(at(p.inner), p.inner, p.cutoff,
                                          potential.truncation == Truncation::smooth_c1 ? 2 : 3);
        break;
    }
    if (potential.part == PairPotential::Part::whole) return numbers;
    const auto [inner, outer] = potential.split;
    CurvePoint base = at(inner);
    base.u -= numbers.shift + numbers.slope * inner;
    base.d1 -= numbers.slope;
    const SwitchingFunction<double> core = switching_function(base, inner, outer, 3);
    if (potential.part == PairPotential::Part::slow) {
        numbers.core = core;
    } else {
        numbers.tail = core;
        numbers.cutoff = outer;
    }
    return numbers;
}

} // namespace shadow
