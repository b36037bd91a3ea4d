// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/statistics/jackknife.hpp"

#include "support/catch.hpp"
#include "support/correlated.hpp"

#include "shadow/statistics/estimate.hpp"

#include <array>
#include <cmath>

using namespace shadow;

namespace {

/// Values and errors over many series, against what is exact.
struct JackknifeLaw {
    double mean = 0.0, spread = 0.0, error = 0.0, bias = 0.0;
    int unreliable = 0;
};

/// Two channels: x with mean `center`, autocorrelation a; y = 2 + x / 2 + noise / 4.
template <class Function>
JackknifeLaw law_of_jackknife(double a, double center, int length, int series, double exact,
                              Function function) {
    JackknifeLaw v;
    for (int k = 0; k < series; ++k) {
        Correlated x(a, 500 + static_cast<std::uint64_t>(k)),
            y(a, 90000 + static_cast<std::uint64_t>(k));
        BlockedSeries values(2, 512);
        for (int t = 0; t < length; ++t) {
            const double first = center + x.next();
            values.add(std::array{first, 2.0 + 0.5 * first + 0.25 * y.next()});
        }
        const DerivedEstimate e = jackknife(values, function);
        v.mean += e.value / series;
        v.spread += (e.value - exact) * (e.value - exact) / series;
        v.error += e.error / series;
        v.bias += e.bias / series;
        v.unreliable += e.reliable ? 0 : 1;
    }
    v.spread = std::sqrt(v.spread);
    return v;
}

} // namespace

TEST_CASE("of a mean the jackknife is the mean and its error") {
    Correlated x(0.8, 4);
    BlockedSeries values;
    for (int t = 0; t < 4000; ++t) values.add(x.next());
    const Estimate direct = estimate(values, 100);
    const DerivedEstimate e = jackknife(
        values, [](const Moments& m) { return m.mean(); }, 100);
    // The bias is n times a difference of means: n roundings of 1e-16, and g = 9 of them.
    CHECK(std::abs(e.bias) < 1e-11);
    CHECK(std::abs(e.value - direct.mean) < 1e-11);
    CHECK(std::abs(e.error / direct.autocorrelation_error - 1.0) < 1e-8);
    CHECK(e.blocks == 3900);
    CHECK(e.reliable);
}

TEST_CASE("the jackknife takes the bias away") {
    Correlated x(0.8, 4);
    BlockedSeries values;
    Moments all(1);
    for (int t = 0; t < 4000; ++t) {
        const std::array value{x.next()};
        values.add(value);
        all.add(value);
    }
    const DerivedEstimate e = jackknife(values, [](const Moments& m) { return m.variance(); });
    // With n instead of n - 1: -g / n of it, g = 9 of values with this correlation, or nearly.
    CHECK(e.bias < -0.001);
    CHECK(e.bias > -0.004);
    CHECK(std::abs(e.value - (all.variance() - e.bias)) < 1e-11);
}

TEST_CASE("functions of means have the errors and no longer the bias of theory") {
    // Of n values with inefficiency g, variance 1: <x>^2 has error 2 mu sqrt(g / n), bias g / n.
    const double a = GENERATE(0.0, 0.8);
    const int length = GENERATE(300, 6000), series = 300;
    const double g = Correlated::inefficiency(a), n = length, mu = 0.3;
    if (n < 100.0 * g) return;
    const JackknifeLaw v = law_of_jackknife(a, mu, length, series, mu * mu,
                                            [](const Moments& m) { return m.mean(0) * m.mean(0); });
    CAPTURE(a, length, v.mean, v.spread, v.error, v.bias);
    // To first order in g / n; of second order is the variance of (x - mu)^2, 2 (g / n)^2.
    const double exact = std::sqrt(4.0 * mu * mu * g / n + 2.0 * g * g / n / n);
    CHECK(std::abs(v.spread / exact - 1.0) < 4.0 / std::sqrt(2.0 * series));
    CHECK(std::abs(v.error / v.spread - 1.0) < 4.0 / std::sqrt(2.0 * series));
    CHECK(std::abs(v.mean - mu * mu) < 4.0 * exact / std::sqrt(series));
    // The bias itself is known as well as g.
    CHECK(std::abs(v.bias / (g / n) - 1.0) < 0.1);
    CHECK(v.unreliable == 0);
}

TEST_CASE("fluctuations have the errors of theory") {
    // The variance of a Gaussian AR(1): error sqrt(2 / n (1 + a^2) / (1 - a^2)), and by n instead
    // of n - 1 a bias of -g / n. The ratio of a covariance to a variance, here 1/2, has that of a
    // regression: sqrt(1 / n (1 + a^2) / (1 - a^2)) / 4.
    const double a = GENERATE(0.0, 0.8);
    const int length = 6000, series = 300;
    const double slow = (1.0 + a * a) / (1.0 - a * a);
    const JackknifeLaw variance = law_of_jackknife(a, 1e3, length, series, 1.0,
                                                   [](const Moments& m) { return m.variance(0); });
    CAPTURE(a, variance.mean, variance.spread, variance.error);
    const double exact = std::sqrt(2.0 * slow / length);
    CHECK(std::abs(variance.spread / exact - 1.0) < 4.0 / std::sqrt(2.0 * series));
    CHECK(std::abs(variance.error / exact - 1.0) < 0.08);
    CHECK(std::abs(variance.mean - 1.0) < 4.0 * exact / std::sqrt(series));
    const JackknifeLaw slope = law_of_jackknife(a, 1e3, length, series, 0.5, [](const Moments& m) {
        return m.covariance(0, 1) / m.variance(0);
    });
    CAPTURE(slope.mean, slope.spread, slope.error);
    const double exact_slope = 0.25 * std::sqrt(slow / length);
    CHECK(std::abs(slope.spread / exact_slope - 1.0) < 4.0 / std::sqrt(2.0 * series));
    CHECK(std::abs(slope.error / exact_slope - 1.0) < 0.08);
    CHECK(std::abs(slope.mean - 0.5) < 4.0 * exact_slope / std::sqrt(series));
}

TEST_CASE("the fewest blocks have no error") {
    BlockedSeries values;
    for (int t = 0; t < 7; ++t) values.add(t);
    const DerivedEstimate e = jackknife(values, [](const Moments& m) { return m.mean(); });
    CHECK(e.value == 3.0);
    CHECK(std::isinf(e.error));
    CHECK_FALSE(e.reliable);
    for (int t = 7; t < 500; ++t) values.add(t);
    CHECK_FALSE(jackknife(values, [](const Moments& m) { return m.variance(); }).reliable);
}
