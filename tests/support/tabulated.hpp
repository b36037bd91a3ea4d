// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/oracle.hpp"

#include "shadow/forces/pair_table.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

/// Curves as the input would give them, and their tables evaluated in plain arithmetic.
namespace shadow::oracle {

/// u and f of a table: the cubic between the knots around r^2, or the first cubic.
inline Curve tabulated(std::shared_ptr<const SplineTable> table) {
    // Knots divide each octave [2^e, 2^(e+1)) evenly.
    const auto knot_of = [table](long double s) {
        const int e = std::ilogb(s);
        return std::ldexp(static_cast<long double>(e), table->fineness) +
               std::floor(std::ldexp(std::ldexp(s, -e) - 1, table->fineness));
    };
    const auto segment = [table, knot_of](long double r, auto&& evaluate) {
        const long double s = r * r;
        // Slopes and scales are also needed at the cut-off, where the last cubic continues.
        const long double last =
            knot_of(table->begin) + static_cast<long double>(table->numbers.size() / 4) - 1;
        const long double knot =
            std::min(knot_of(std::max(s, static_cast<long double>(table->begin))), last);
        const auto e = static_cast<int>(std::floor(std::ldexp(knot, -table->fineness)));
        const long double within = knot - std::ldexp(static_cast<long double>(e), table->fineness);
        const long double x = s - std::ldexp(1 + std::ldexp(within, -table->fineness), e);
        const auto k = static_cast<std::size_t>(knot - knot_of(table->begin));
        return evaluate(table->numbers.data() + 4 * k, x);
    };
    return {[segment](long double r) {
                return segment(r, [](const double* c, long double x) {
                    return c[3] - x * c[0] / 2 - x * x * c[1] / 4 - x * x * x * c[2] / 6;
                });
            },
            [segment](long double r) {
                return segment(r, [r](const double* c, long double x) {
                    return r * (c[0] + x * c[1] + x * x * c[2]);
                });
            }};
}

/// A curve of the engine from one of the oracle.
inline std::shared_ptr<const PairCurve> curve_from(const Curve& of) {
    const auto curve = std::make_shared<PairCurve>();
    curve->at = [of](double r) {
        return differentiate([&of](double x) { return static_cast<double>(of.u(x)); }, r);
    };
    return curve;
}

} // namespace shadow::oracle
