// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/statistics/drift.hpp"

#include "support/catch.hpp"

#include "shadow/core/error.hpp"

#include "kernels/philox.hpp"

#include <cmath>

using namespace shadow;

TEST_CASE("a straight line has its slope and no error") {
    const int samples = GENERATE(3, 10, 255, 256, 257, 5000);
    LinearDrift drift;
    // A value large against its drift, as total energies are.
    for (int k = 0; k < samples; ++k) drift.add(0.5 * k, -4000.0 + 0.25 * k);
    const Drift line = drift.estimate();
    CHECK(line.samples == samples);
    CHECK(line.first == -4000.0);
    CHECK(line.last == -4000.0 + 0.25 * (samples - 1));
    // Rounding: values have an error of 4.5e-13 over a time of at least 1.
    CHECK(std::abs(line.slope - 0.5) < 1e-12);
    CHECK(line.error < 1e-12);
    CHECK(line.fluctuation < 1e-5); // the root of a difference of squares
}

TEST_CASE("the slope of noise lies within its error") {
    // Correlation a per sample: inefficiency g = (1 + a) / (1 - a); the slope through n unit-spaced
    // values has variance g * 12 / n^3.
    const double a = GENERATE(0.0, 0.9);
    const int length = GENERATE(200, 3000), series = 300;
    if (a > 0.0 && length < 1000) return; // ten independent samples carry no error estimate
    const double exact = std::sqrt(12.0 * (1.0 + a) / (1.0 - a) / std::pow(length, 3));
    double error = 0.0, square = 0.0, fluctuation = 0.0;
    for (int k = 0; k < series; ++k) {
        LinearDrift drift;
        double x = 0.0, xi, spare;
        for (int t = -100; t < length; ++t) {
            Philox(static_cast<std::uint64_t>(k), 5, 0, static_cast<std::uint64_t>(t + 100))
                .normal(xi, spare);
            x = a * x + std::sqrt(1.0 - a * a) * xi;
            if (t >= 0) drift.add(t, 100.0 + x);
        }
        const Drift line = drift.estimate();
        error += line.error / series;
        square += line.slope * line.slope / series;
        fluctuation += line.fluctuation / series;
    }
    CAPTURE(a, length, error / exact, std::sqrt(square) / exact);
    CHECK(std::abs(std::sqrt(square) / exact - 1.0) < 0.17); // 4 / sqrt(2 * 300)
    CHECK(std::abs(error / exact - 1.0) < 0.12);
    CHECK(std::abs(fluctuation - 1.0) < 0.05);
}

TEST_CASE("the slope of a random walk lies within its error") {
    // A line takes 6 t (1 - t) of each step, t from 0 to 1: its slope has the variance 6/5 over n.
    const int length = GENERATE(200, 3000), series = 300;
    const double exact = std::sqrt(1.2 / length);
    double error = 0.0, square = 0.0;
    for (int k = 0; k < series; ++k) {
        LinearDrift drift;
        double x = 0.0, xi, spare;
        for (int t = 0; t < length; ++t) {
            Philox(static_cast<std::uint64_t>(k), 6, 0, static_cast<std::uint64_t>(t))
                .normal(xi, spare);
            drift.add(t, x += xi);
        }
        const Drift line = drift.estimate();
        error += line.error * line.error / series;
        square += line.slope * line.slope / series;
    }
    CAPTURE(length, std::sqrt(error) / exact, std::sqrt(square) / exact);
    CHECK(std::abs(std::sqrt(square) / exact - 1.0) < 0.17);
    // Changes over a quarter of a walk know its steps to a half: 4 * 0.5 / 2 / sqrt(300).
    CHECK(std::abs(std::sqrt(error) / exact - 1.0) < 0.12);
}

TEST_CASE("the error of a slope is that of least squares") {
    // 0, 1, 0 at 0, 1, 2: slope 0, residuals -1/3, 2/3, -1/3 with one degree of freedom, and a sum
    // of squared times of 2: (6/9) / 1 / 2.
    LinearDrift drift;
    for (int k = 0; k < 3; ++k) drift.add(k, k % 2);
    CHECK(drift.estimate().slope == 0.0);
    CHECK(std::abs(drift.estimate().error - std::sqrt(1.0 / 3.0)) < 1e-15);
    CHECK(std::abs(drift.estimate().fluctuation - std::sqrt(2.0 / 9.0)) < 1e-15);
}

TEST_CASE("fewer than three values have no slope error") {
    LinearDrift drift;
    CHECK(drift.estimate().samples == 0);
    drift.add(0.0, 1.0);
    CHECK(drift.estimate().slope == 0.0);
    CHECK(std::isinf(drift.estimate().error));
    drift.add(2.0, 2.0);
    CHECK(drift.estimate().slope == 0.5);
    CHECK(std::isinf(drift.estimate().error));
}

TEST_CASE("a restored drift goes on with the same bits") {
    LinearDrift whole, part;
    const auto value = [](int k) { return std::sin(0.1 * k) + 1e-3 * k; };
    for (int k = 0; k < 700; ++k) {
        whole.add(k, value(k));
        part.add(k, value(k));
    }
    LinearDrift resumed;
    resumed.restore(part.state());
    for (int k = 700; k < 2000; ++k) {
        whole.add(k, value(k));
        resumed.add(k, value(k));
    }
    CHECK(whole.state() == resumed.state());
    CHECK_THROWS_AS(resumed.restore(std::vector<double>(5)), InputError);
}
