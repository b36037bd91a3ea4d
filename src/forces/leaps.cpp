// SPDX-License-Identifier: BSD-3-Clause
#include "leaps.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace shadow {
namespace {

/// Coefficients of cubics are some u/r^6 at most, and single precision ends at 3e38.
double largest_of_cubics(double r) {
    return 1e24 * std::min(1.0, std::pow(r, 6));
}

} // namespace

bool is_beyond_cubics(double u, double r) {
    return std::abs(u) >= largest_of_cubics(r);
}

std::string leap_of(const std::function<CurvePoint(double)>& curve, double outer, double inner) {
    double beyond = inner;
    for (int k = 1; k <= 3 && !is_beyond_cubics(curve(beyond).u, beyond); ++k)
        beyond = inner - 1e-3 * k * inner;
    const double top = curve(beyond).u;
    // A pole such as (r - 1)^-12, which a table follows, has come to 1e-4 of the largest energy a
    // hundredth of r before it exceeds that.
    const bool is_steep = std::abs(curve(outer).u) < 1e-15 * largest_of_cubics(outer);
    if (!is_steep || !is_beyond_cubics(top, beyond)) return "";
    double within = outer; // bisected to where the leap is
    for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (within + beyond);
        (is_beyond_cubics(curve(middle).u, middle) ? beyond : within) = middle;
    }
    return fmt::format(
        "u goes from {:.3g} to {:.3g} near r = {:.4g}: a jump, a pole, or a wall too steep",
        curve(outer).u, top, beyond);
}

std::string hidden_part(const std::function<CurvePoint(double)>& curve, double from,
                        double lowest) {
    const double fine = std::exp2(-1.0 / 512.0), coarse = std::exp2(-1.0 / 16.0);
    // Parts of a split are NaN where the potential is infinite.
    const auto is_there = [](double x) { return x != 0.0 && !std::isnan(x); };
    for (double r = from; r > 1e-9 * lowest; r *= r > lowest ? fine : coarse)
        if (const CurvePoint point = curve(r); is_there(point.u) || is_there(point.d1))
            return fmt::format("u is zero, but not near r = {:.3g}: a wiggle too short, or closer "
                               "than a thousandth of the cutoff",
                               r);
    return "";
}

} // namespace shadow
