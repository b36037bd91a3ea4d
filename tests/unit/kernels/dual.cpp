// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/dual.hpp"

#include "support/catch.hpp"

#include <cmath>

using namespace shadow;

namespace {

/// Every operation that a formula of kernels/potentials may use.
template <class T>
T formula(T x) {
    const ErfcGauss<T> e = erfc_gauss(x * T(0.7));
    const T a = power(x, T(-2.5)) / (x + T(3)) - reciprocal(x) * inverse_sqrt(x);
    const T b = exponential(-x) * e.erfc + e.gauss * logarithm(x);
    return select(x < T(1.3), a * b, -(a - T(2) * b));
}

} // namespace

TEST_CASE("dual numbers carry the derivative of a formula") {
    for (const long double x : {0.4L, 1.2L, 1.4L, 3.0L}) {
        const auto f = formula(Dual<long double>(x, 1.0L));
        const long double h = 1e-5L;
        const long double slope =
            (8 * (formula(x + h) - formula(x - h)) - (formula(x + 2 * h) - formula(x - 2 * h))) /
            (12 * h);
        CHECK(std::abs(f.value - formula(x)) < 1e-18L); // a quotient is a reciprocal here
        // Differences: h^4 times a fifth derivative of 1e6 at most, and rounding 1e-19 / h.
        CHECK(std::abs(f.slope - slope) < 1e-13L * (1 + std::abs(slope)));
        CHECK(formula(Dual<long double>(x)).slope == 0.0L);
        CHECK(formula(Dual<double>(static_cast<double>(x), 2.0)).slope ==
              2.0 * formula(Dual<double>(static_cast<double>(x), 1.0)).slope);
    }
}
