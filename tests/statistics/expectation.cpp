// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/statistics/expectation.hpp"

#include "support/catch.hpp"

#include <cmath>
#include <random>

using namespace shadow;

TEST_CASE("the chance of a mean is that of its error") {
    std::mt19937_64 random(17);
    std::normal_distribution<> unit;
    int seldom = 0;
    for (int run = 0; run < 400; ++run) {
        BlockedSeries series;
        for (int k = 0; k < 500; ++k) series.add(2.0 + unit(random));
        const Estimate e = estimate(series);
        seldom += chance_of(e, {2.0, 1.0}) < 0.1;
        CHECK(chance_of(e, {2.0, 1.0}) > 1e-6);
        CHECK(chance_of(e, {2.3, 1.0}) < 1e-3); // 6.7 errors
    }
    CHECK(seldom > 12); // 40 +- 6, some fewer as the larger of two errors is taken
    CHECK(seldom < 64);
}

TEST_CASE("a series that does not move is one measurement") {
    BlockedSeries series;
    for (int k = 0; k < 1000; ++k) series.add(3.0);
    CHECK(std::abs(chance_of(estimate(series), {0.0, 1.0}) - 0.0026998) < 1e-6);
    CHECK(std::abs(chance_of(estimate(series), {0.0, 3.0}) - 0.3173105) < 1e-6);
    CHECK(chance_of(Estimate{}, {0.0, 1.0}) == 1.0);
}
