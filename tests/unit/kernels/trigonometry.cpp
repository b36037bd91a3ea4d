// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/bonded/trigonometry.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <numbers>

using namespace shadow;

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr long double pi = std::numbers::pi_v<long double>;

} // namespace

TEST_CASE("the angle of a point is that of atan2, to the last bits, all around") {
    double worst = 0.0;
    for (int k = -40'000; k <= 40'000; ++k) {
        const double angle = k * std::numbers::pi / 40'000.0;
        for (const double radius : {1e-150, 0.3, 7.0, 1e150}) {
            const double x = radius * std::cos(angle), y = radius * std::sin(angle);
            const auto exact = std::atan2(static_cast<long double>(y), static_cast<long double>(x));
            const auto off = static_cast<double>(std::abs(polar_angle(y, x) - exact));
            worst = std::max(worst, off / std::max(std::abs(static_cast<double>(exact)), 1e-300));
        }
    }
    CHECK(worst < 3 * epsilon);
    CHECK(polar_angle(0.0, 1.0) == 0.0);
    CHECK(polar_angle(0.0, -1.0) == std::numbers::pi);
    CHECK(polar_angle(1.0, 0.0) == std::numbers::pi / 2);
    CHECK(polar_angle(-1.0, 0.0) == -std::numbers::pi / 2);
    CHECK(std::isnan(polar_angle(0.0, 0.0)));
}

TEST_CASE("the arc of a cosine is that of acos") {
    double worst = 0.0;
    for (int k = -100'000; k <= 100'000; ++k) {
        const double x = k / 100'000.0;
        const auto exact = std::acos(static_cast<long double>(x));
        worst = std::max(worst, static_cast<double>(std::abs(arc_cosine(x) - exact)));
    }
    CHECK(worst < 3 * epsilon);
    CHECK(arc_cosine(1.0) == 0.0);
    CHECK(arc_cosine(-1.0) == std::numbers::pi);
}

TEST_CASE("sine and cosine are right within some turns") {
    double worst = 0.0;
    for (int k = -200'000; k <= 200'000; ++k) {
        const double x = 20.0 * std::numbers::pi * k / 200'000.0;
        const long double wide = x;
        worst = std::max({worst, static_cast<double>(std::abs(sine(x) - std::sin(wide))),
                          static_cast<double>(std::abs(cosine(x) - std::cos(wide)))});
    }
    CHECK(worst < 1.5 * epsilon);
    CHECK(sine(0.0) == 0.0);
    CHECK(cosine(0.0) == 1.0);
    CHECK(cosine(static_cast<double>(pi)) == -1.0);
    // What is small has its own last bits.
    CHECK(std::abs(sine(1e-9) - 1e-9) < 1e-24);
}
