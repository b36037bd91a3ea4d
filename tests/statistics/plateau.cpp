// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/statistics/plateau.hpp"

#include "support/catch.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace shadow;

namespace {

/// 3 (1 - exp(-t)) with errors and, from Gaussian steps, noise that grow as the root of the lag.
struct Running {
    std::vector<double> lag, value, error;
    Running(double longest, double size, unsigned seed) {
        std::mt19937 random(seed);
        std::normal_distribution<double> gauss;
        double walk = 0.0;
        for (double t = 0.0; t <= longest; t += 0.05) {
            lag.push_back(t);
            value.push_back(3.0 * -std::expm1(-t) + walk);
            error.push_back(size * std::sqrt(t));
            walk += size * std::sqrt(0.05) * gauss(random);
        }
    }
    [[nodiscard]] auto plateau() const { return find_plateau(lag, value, error); }
};

} // namespace

TEST_CASE("a plateau is read where the approach to it is over") {
    const std::vector<double> lag{1, 2, 4, 8, 16}, value{1.0, 1.8, 2.0, 2.05, 1.9},
        error{0.01, 0.02, 0.05, 0.1, 0.2};
    // From 2 on the value at 4 is 0.2 away, four of its errors; from 4 on 0.05 of 0.1 and 0.1 of
    // 0.2. Read at 8; at 16 it is 0.15 less.
    const auto found = find_plateau(lag, value, error);
    REQUIRE(found);
    CHECK(found->lag == 8.0);
    CHECK(found->value == 2.05);
    CHECK(found->error == Approx(0.15));
    CHECK(found->settled);
}

TEST_CASE("what rises by less than the noise of each lag is seen in the mean of all") {
    const std::vector<double> lag{1, 2, 4, 8, 16, 32}, error(6, 0.1);
    const std::vector<double> value{1.0, 1.25, 1.25, 1.25, 1.25, 1.25};
    CHECK(find_plateau(lag, value, error)->lag == 4.0);
    // One that strays by two and a half of its errors is chance.
    const std::vector<double> strays{1.0, 1.0, 1.0, 1.0, 1.0, 1.25};
    CHECK(find_plateau(lag, strays, error)->lag == 2.0);
}

TEST_CASE("plateaus of noisy integrals are the limit within their errors") {
    for (const double size : {0.01, 0.05, 0.2}) {
        double sum = 0.0, squares = 0.0;
        constexpr int runs = 200;
        for (unsigned seed = 0; seed < runs; ++seed) {
            const auto found = Running(30.0, size, seed).plateau();
            REQUIRE(found);
            sum += found->value;
            squares += std::pow((found->value - 3.0) / found->error, 2);
        }
        // The bias is below the error of one run at two relaxation times. Errors are as large as
        // the scatter where noise is small; where it is not, which lag is read varies, too.
        CHECK(std::abs(sum / runs - 3.0) < size * std::sqrt(2.0));
        CHECK(std::sqrt(squares / runs) < (size < 0.1 ? 1.25 : 1.75));
    }
}

TEST_CASE("an integral that still rises has not settled") {
    const auto found = Running(1.0, 1e-3, 1).plateau();
    REQUIRE(found);
    CHECK_FALSE(found->settled);
}

TEST_CASE("lags without an error do not count") {
    const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
    const std::vector<double> lag{0, 1, 2, 4}, value{0.0, 1.0, 1.0, nan},
        error{0.0, 0.1, 0.1, infinity};
    const auto found = find_plateau(lag, value, error);
    REQUIRE(found);
    CHECK(found->lag == 2.0);
    CHECK_FALSE(find_plateau(std::vector{1.0, 2.0}, std::vector{1.0, 1.0}, std::vector{0.1, 0.0}));
    CHECK_FALSE(find_plateau({}, {}, {}));
}
