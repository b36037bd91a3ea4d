// SPDX-License-Identifier: BSD-3-Clause
#include "support/catch.hpp"

#include "shadow/core/error.hpp"
#include "shadow/statistics/blocking.hpp"

#include <cmath>
#include <random>

using namespace shadow;

TEST_CASE("each number of a profile has the mean and error of a series of its own") {
    std::mt19937_64 random(3);
    std::normal_distribution<> normal;
    BlockingAverage profile(3), resumed(3);
    BlockingAverage single[3];
    CHECK(profile.samples() == 0);
    CHECK(profile.mean() == std::vector<double>(3));
    CHECK(std::isinf(profile.error().at(1)));
    double correlated = 0.0;
    for (int n = 0; n < 3000; ++n) {
        correlated = 0.9 * correlated + normal(random);
        const std::vector<double> row{normal(random), correlated, 2.0};
        if (n == 1234) resumed.restore(profile.state());
        profile.add(row);
        if (n >= 1234) resumed.add(row);
        for (std::size_t k = 0; k < 3; ++k) single[k].add(row[k]);
    }
    CHECK(profile.samples() == 3000);
    CHECK(resumed.state() == profile.state());
    for (std::size_t k = 0; k < 3; ++k) {
        const Estimate e = single[k].estimate();
        CHECK(profile.mean()[k] == e.mean);
        CHECK(profile.error()[k] == e.error);
    }
    CHECK_THROWS_AS(BlockingAverage(4).restore(profile.state()), InputError);
}
