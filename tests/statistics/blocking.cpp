// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/statistics/blocking.hpp"

#include "support/catch.hpp"
#include "support/correlated.hpp"

#include "shadow/core/error.hpp"

#include <cmath>

using namespace shadow;

TEST_CASE("errors of one of many numbers are those of the known autocorrelation") {
    const double a = GENERATE(0.0, 0.5, 0.9, 0.97, -0.5);
    const double inefficiency = (1.0 + a) / (1.0 - a);
    const int length = 1 << 14, series = 200;
    const double exact = std::sqrt(inefficiency / length);
    double error = 0.0, square = 0.0, factor = 0.0;
    int unreliable = 0;
    for (int k = 0; k < series; ++k) {
        Correlated x(a, 1000 + static_cast<std::uint64_t>(k));
        BlockingAverage average;
        for (int t = 0; t < length; ++t) average.add(x.next());
        const Estimate e = average.estimate();
        error += e.error / series;
        square += e.mean * e.mean / series;
        factor += e.inefficiency / series;
        unreliable += e.reliable() ? 0 : 1;
        CHECK(e.samples == length);
        CHECK(e.independent_samples == length / e.inefficiency);
    }
    CAPTURE(a, error / exact, std::sqrt(square) / exact, factor / inefficiency);
    // The true spread of 200 means is known to 1/sqrt(400) = 5%: four of that. The estimated error
    // has a bias below 5% from the finite block length, and little noise over 200 series.
    CHECK(std::abs(std::sqrt(square) / exact - 1.0) < 0.2);
    CHECK(std::abs(error / exact - 1.0) < 0.08);
    CHECK(std::abs(factor / inefficiency - 1.0) < 0.15);
    CHECK(unreliable == 0);
}

TEST_CASE("the mean of one of many numbers lies within its error as often as it should") {
    // Normal: 68.3% within one, 95.4% within two; 400 series: sigma 2.3% and 1.05%; four of them,
    // and the error itself is uncertain by about 10%, which costs 1%.
    int one = 0, two = 0;
    for (int k = 0; k < 400; ++k) {
        Correlated x(0.8, 7 + static_cast<std::uint64_t>(k));
        BlockingAverage average;
        for (int t = 0; t < 4096; ++t) average.add(x.next());
        const Estimate e = average.estimate();
        one += std::abs(e.mean) < e.error ? 1 : 0;
        two += std::abs(e.mean) < 2.0 * e.error ? 1 : 0;
    }
    CHECK(std::abs(one / 400.0 - 0.683) < 0.1);
    CHECK(std::abs(two / 400.0 - 0.954) < 0.055);
}

TEST_CASE("what only the last values have, which fill no block, has an error") {
    const int last = GENERATE(240, 250);
    BlockingAverage average;
    for (int t = 0; t < 251; ++t) average.add(t == last ? 1.0 : 0.0);
    const Estimate e = average.estimate();
    // One event of 251: its mean and, but for 1/251 of it, its error are 1/251.
    CHECK(e.mean == Approx(1.0 / 251.0));
    CHECK(e.error == Approx(1.0 / 251.0).epsilon(0.05));
}

TEST_CASE("one of many numbers in a short series is called unreliable") {
    int reliable = 0;
    for (int k = 0; k < 100; ++k) {
        Correlated x(0.999, 50 + static_cast<std::uint64_t>(k)); // inefficiency 2000
        BlockingAverage average;
        for (int t = 0; t < 1000; ++t) average.add(x.next());
        reliable += average.estimate().reliable() ? 1 : 0;
    }
    CAPTURE(reliable);
    // No rule can tell from half a correlation time; a few random walks look like noise.
    CHECK(reliable <= 6);
}

TEST_CASE("the shortest series and constants of one of many numbers") {
    BlockingAverage average;
    CHECK(average.estimate().samples == 0);
    CHECK_FALSE(average.estimate().reliable());
    average.add(3.0);
    CHECK(average.estimate().mean == 3.0);
    CHECK(std::isinf(average.estimate().error));
    CHECK_FALSE(average.estimate().reliable());
    average.add(5.0);
    CHECK(average.estimate().mean == 4.0);
    CHECK(std::abs(average.estimate().deviation - std::sqrt(2.0)) < 1e-15);
    CHECK(std::isinf(average.estimate().error)); // of fewer than eight it is not known
    for (int k = 0; k < 6; ++k) average.add(k % 2 == 0 ? 3.0 : 5.0);
    CHECK(std::abs(average.estimate().error - 1.0 / std::sqrt(7.0)) < 1e-15);
    CHECK_FALSE(average.estimate().reliable());
    CHECK(std::isinf(average.estimate(2.0).error)); // eight that are worth four

    BlockingAverage constant;
    for (int t = 0; t < 1000; ++t) constant.add(0.1);
    CHECK(constant.estimate().mean == 0.1);
    CHECK(constant.estimate().error == 0.0);
    CHECK(constant.estimate().inefficiency == 1.0);
}

TEST_CASE("a restored average goes on with the same bits") {
    Correlated x(0.7, 3);
    BlockingAverage whole, part;
    for (int t = 0; t < 777; ++t) {
        const double value = x.next();
        whole.add(value);
        part.add(value);
    }
    BlockingAverage resumed;
    resumed.add(9.0);
    resumed.restore(part.state());
    for (int t = 0; t < 1234; ++t) {
        const double value = x.next();
        whole.add(value);
        resumed.add(value);
    }
    CHECK(whole.state() == resumed.state());
    CHECK(whole.estimate().error == resumed.estimate().error);
    CHECK_THROWS_AS(resumed.restore(std::vector<double>(3)), InputError);
}
