// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/statistics/green_kubo.hpp"

#include "support/catch.hpp"
#include "support/correlated.hpp"

#include "shadow/core/error.hpp"

#include <cmath>
#include <vector>

using namespace shadow;

namespace {

constexpr double interval = 0.25;

GreenKubo::Settings settings(std::size_t components, std::int64_t window, std::int64_t origins,
                             std::int64_t longest) {
    return {components, interval, LagLadder(window, origins, longest)};
}

using Rows = std::vector<std::vector<double>>;

Rows fluxes(std::size_t count, double a, std::uint64_t seed) {
    Correlated x(a, seed), y(a, seed + 1'000'000);
    Rows all;
    for (std::size_t t = 0; t < count; ++t) all.push_back({x.next(), y.next()});
    return all;
}

GreenKubo of(const Rows& rows, const GreenKubo::Settings& chosen) {
    GreenKubo all(chosen);
    for (const auto& row : rows) all.add(row);
    return all;
}

/// Integral over k intervals of the autocovariance a^t by trapezoids.
double exact_integral(double a, int k) {
    double sum = 0.0;
    for (int t = 0; t < k; ++t) sum += 0.5 * interval * (std::pow(a, t) + std::pow(a, t + 1));
    return sum;
}

/// <(G(k) - G(0))^2> of the same, G by trapezoids: the sum of all covariances of its k + 1 terms.
double exact_square(double a, int k) {
    double sum = 0.0;
    for (int s = 0; s <= k; ++s)
        for (int t = 0; t <= k; ++t) {
            const double weight = (s == 0 || s == k ? 0.5 : 1.0) * (t == 0 || t == k ? 0.5 : 1.0);
            sum += weight * std::pow(a, std::abs(s - t));
        }
    return interval * interval * sum;
}

} // namespace

TEST_CASE("a constant flux has known integrals") {
    GreenKubo all(settings(1, 8, 2, 32));
    const double flux = 3.0;
    for (int t = 0; t < 200; ++t) all.add({&flux, 1});
    CHECK(all.rows() == 200);
    for (const GreenKubo::Lag& lag : all.correlation())
        if (lag.time <= 8 * interval) CHECK(lag.value == Approx(9.0));
    const auto integral = all.integral();
    REQUIRE(integral.size() == 9);
    for (std::size_t k = 0; k < 9; ++k) {
        CHECK(integral[k].time == Approx(static_cast<double>(k) * interval));
        CHECK(integral[k].value == Approx(9.0 * integral[k].time).margin(1e-12));
    }
    // 9 t^2 between 5/8 and all of a window rises by 9 (1 + 5/8) windows a time.
    const auto slope = all.half_slope();
    REQUIRE(slope.size() == 3);
    for (const GreenKubo::Lag& lag : slope)
        CHECK(lag.value == Approx(9.0 * 0.5 * (1.0 + 5.0 / 8.0) * lag.time));
}

TEST_CASE("a correlated flux has the integrals of its autocovariance") {
    const double a = GENERATE(0.0, 0.5, 0.9);
    const GreenKubo all = of(fluxes(60'000, a, 3), settings(2, 40, 10, 160));
    CAPTURE(a);
    const auto check = [&](const GreenKubo::Lag& lag, double exact) {
        CAPTURE(lag.time, lag.value, lag.error, exact);
        CHECK(std::abs(lag.value - exact) < 5.0 * lag.error + 1e-12);
    };
    const auto integral = all.integral();
    for (int k = 0; k <= 40; ++k)
        check(integral[static_cast<std::size_t>(k)], exact_integral(a, k));
    CHECK(integral[0].value == 0.0);
    for (const GreenKubo::Lag& lag : all.half_slope()) {
        const int window = static_cast<int>(std::lround(lag.time / interval));
        const int half = window / 40 * 21;
        check(lag, (exact_square(a, window) - exact_square(a, half)) /
                       (2.0 * (window - half) * interval));
    }
    for (const GreenKubo::Lag& lag : all.correlation())
        if (lag.time < 16 * interval) check(lag, std::pow(a, std::lround(lag.time / interval)));
}

TEST_CASE("errors of transport coefficients are as large as their scatter") {
    constexpr int runs = 200;
    double green_kubo = 0.0, helfand = 0.0;
    const double exact = exact_integral(0.8, 40);
    const double exact_slope =
        (exact_square(0.8, 40) - exact_square(0.8, 21)) / (2.0 * 19 * interval);
    for (int run = 0; run < runs; ++run) {
        const GreenKubo all =
            of(fluxes(10'000, 0.8, 10 + static_cast<std::uint64_t>(run)), settings(2, 40, 10, 40));
        const GreenKubo::Lag a = all.integral().back(), b = all.half_slope().front();
        green_kubo += std::pow((a.value - exact) / a.error, 2) / runs;
        helfand += std::pow((b.value - exact_slope) / b.error, 2) / runs;
    }
    // The variance of a ratio over 200 runs is known to a tenth.
    CAPTURE(green_kubo, helfand);
    CHECK(std::abs(std::sqrt(green_kubo) - 1.0) < 0.15);
    CHECK(std::abs(std::sqrt(helfand) - 1.0) < 0.15);
}

TEST_CASE("a restored transport coefficient goes on with the same bits") {
    const Rows rows = fluxes(700, 0.6, 8);
    const auto chosen = settings(2, 20, 4, 100);
    const GreenKubo whole = of(rows, chosen);
    GreenKubo first = of({rows.begin(), rows.begin() + 333}, chosen), second(chosen);
    second.restore(first.state());
    for (std::size_t t = 333; t < rows.size(); ++t) second.add(rows[t]);
    CHECK(second.state() == whole.state());
    const auto state = whole.state();
    CHECK_THROWS_AS(second.restore({state.data(), state.size() - 1}), InputError);
    CHECK_THROWS_AS(second.restore({}), InputError);
    CHECK(second.state() == state);
}
