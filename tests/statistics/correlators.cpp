// SPDX-License-Identifier: BSD-3-Clause
#include "support/catch.hpp"
#include "support/correlated.hpp"

#include "shadow/core/error.hpp"
#include "shadow/statistics/time_correlator.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

using namespace shadow;

namespace {

using Rows = std::vector<std::vector<double>>;

/// Three channels, of which the second follows the first.
Rows rows(std::size_t count, std::uint64_t seed, double a = 0.8) {
    Correlated x(a, seed), y(0.3, seed + 1000), z(-0.4, seed + 2000);
    Rows all;
    for (std::size_t t = 0; t < count; ++t) {
        const double before = all.empty() ? 0.0 : all.back()[0];
        all.push_back({x.next(), 0.5 * before + y.next(), 1.0 + z.next()});
    }
    return all;
}

void add(TimeCorrelator& correlator, const Rows& all, std::size_t first = 0,
         std::size_t last = SIZE_MAX) {
    for (std::size_t t = first; t < std::min(last, all.size()); ++t) correlator.add(all[t]);
}

/// <A(t) B(t + lag)> over origins `spacing` apart, and how many.
std::pair<double, std::int64_t> direct(const Rows& all, std::size_t a, std::size_t b,
                                       std::size_t lag, std::size_t spacing = 1) {
    double sum = 0.0;
    std::int64_t count = 0;
    for (std::size_t t = 0; t + lag < all.size(); t += spacing, ++count)
        sum += all[t][a] * all[t + lag][b];
    return {count > 0 ? sum / static_cast<double>(count) : 0.0, count};
}

/// Averages over consecutive `m`.
Rows averaged(const Rows& all, std::size_t m) {
    Rows means;
    for (std::size_t t = 0; t + m <= all.size(); t += m) {
        means.emplace_back(all[t].size());
        for (std::size_t k = 0; k < m; ++k)
            for (std::size_t c = 0; c < all[t].size(); ++c)
                means.back()[c] += all[t + k][c] / static_cast<double>(m);
    }
    return means;
}

using Curves = std::vector<TimeCorrelator::Curve>;

/// Of one level.
TimeCorrelator linear(std::size_t channels, std::size_t window, std::size_t spacing,
                      const Curves& curves) {
    return TimeCorrelator({.channels = channels,
                           .window = window,
                           .levels = 1,
                           .curves = curves,
                           .spacing = spacing});
}

/// Each pair by itself, then some together.
const Curves some_curves = {{{0, 0}}, {{0, 1}}, {{1, 0}}, {{2, 1}}, {{0, 0}, {1, 1}, {2, 0}}};

/// Of all curves.
std::vector<std::vector<LagValue>> curves_of(const TimeCorrelator& correlator) {
    std::vector<std::vector<LagValue>> all;
    for (std::size_t k = 0; k < some_curves.size(); ++k) all.push_back(correlator.curve(k));
    return all;
}

/// Whether each value is that of `direct`, from as many origins.
void check_lag(const std::vector<std::vector<LagValue>>& curves, std::size_t entry, double time,
               const Rows& all, std::size_t lag, std::size_t spacing = 1) {
    for (std::size_t k = 0; k < some_curves.size(); ++k) {
        const LagValue& found = curves[k].at(entry);
        double value = 0.0;
        for (const auto& [a, b] : some_curves[k])
            value +=
                direct(all, a, b, lag, spacing).first / static_cast<double>(some_curves[k].size());
        CHECK(found.time == time);
        CHECK(found.samples == direct(all, 0, 0, lag, spacing).second);
        if (found.samples == 0) CHECK((std::isnan(found.value) && std::isinf(found.error)));
        if (found.samples > 0) CHECK(std::abs(found.value - value) < 1e-12); // 1000 roundings
    }
}

} // namespace

TEST_CASE("linear correlations are the direct sums") {
    const std::size_t spacing = GENERATE(1, 3, 7, 50), window = GENERATE(1, 20, 50);
    const Rows all = rows(GENERATE(15, 1000), 4);
    CAPTURE(spacing, window, all.size());
    TimeCorrelator correlator = linear(3, window, spacing, some_curves);
    add(correlator, all);
    const auto curves = curves_of(correlator);
    CHECK(curves[0].size() == window);
    for (std::size_t j = 0; j < window; ++j)
        check_lag(curves, j, static_cast<double>(j), all, j, spacing);
}

TEST_CASE("multiple-tau correlations are the averages that define them") {
    const auto [p, m] = GENERATE(std::pair<std::size_t, std::size_t>(8, 2), std::pair(16, 2),
                                 std::pair(9, 3), std::pair(4, 4));
    const std::size_t levels = GENERATE(1, 3, 20);
    const Rows all = rows(GENERATE(5, 3000), 6);
    CAPTURE(p, m, levels, all.size());
    const double interval = 0.25;
    TimeCorrelator correlator({3, p, m, levels, some_curves, 1, interval});
    add(correlator, all);
    const auto curves = curves_of(correlator);
    std::size_t entry = 0, unit = 1;
    for (std::size_t level = 0; level < levels; ++level, unit *= m) {
        const Rows means = averaged(all, unit);
        for (std::size_t j = level == 0 ? 0 : p / m; j < p; ++j, ++entry)
            check_lag(curves, entry, interval * static_cast<double>(j * unit), means, j);
    }
    CHECK(entry == curves[0].size());
}

TEST_CASE("the error of independent origins is that of their mean") {
    TimeCorrelator correlator = linear(1, 1, 1, {});
    for (int origin = 0; origin < 8; ++origin) {
        const double value = std::sqrt(origin + 1.0);
        correlator.add({&value, 1});
    }
    // Squares of distances from the mean 4.5 sum to 42, over 8 * 7.
    const LagValue found = correlator.curve().at(0);
    CHECK(std::abs(found.value - 4.5) < 1e-14);
    CHECK(std::abs(found.error - std::sqrt(0.75)) < 1e-14);
}

TEST_CASE("errors of a correlation know that channels of a curve move together") {
    TimeCorrelator one = linear(1, 20, 1, {}), same = linear(2, 20, 1, {}),
                   apart = linear(2, 20, 1, {});
    Correlated x(0.5, 41), y(0.5, 42);
    for (int t = 0; t < 20000; ++t) {
        const double a = x.next(), b = y.next();
        one.add(std::array{a});
        same.add(std::array{a, a});
        apart.add(std::array{a, b});
    }
    for (const std::size_t lag : {0u, 3u, 19u}) {
        const double error = one.curve()[lag].error;
        CHECK(same.curve()[lag].error == error);
        // Of two that are independent it is less by the root of 2; known to 10 %.
        CHECK(std::abs(apart.curve()[lag].error / error - std::sqrt(0.5)) < 0.2);
    }
}

TEST_CASE("errors of a correlation are from blocks as long as the lag") {
    // Of a lag of eight rows 64 origins in turn are eight blocks, and 63 are fewer.
    TimeCorrelator short_one = linear(1, 9, 1, {}), long_one = linear(1, 9, 1, {});
    Correlated x(0.5, 43);
    for (int t = 0; t < 72; ++t) {
        const double value = x.next();
        if (t < 71) short_one.add({&value, 1});
        long_one.add({&value, 1});
    }
    CHECK(std::isinf(short_one.curve().at(8).error)); // 63 origins
    CHECK(std::isfinite(long_one.curve().at(8).error));
    TimeCorrelator sparse = linear(1, 9, 4, {}); // eight origins are four lags
    for (int t = 0; t < 63; ++t) {
        const double value = x.next();
        sparse.add({&value, 1});
    }
    CHECK(sparse.curve().at(8).samples == 14);
    CHECK(std::isinf(sparse.curve().at(8).error));
    CHECK(std::isfinite(sparse.curve().at(1).error));
}

TEST_CASE("correlations of an autoregressive series and their errors") {
    // <x(t) x(t + k)> = a^k; a multiple-tau value differs by the average over a triangle of the
    // exponential, at most (m^l)^2 / 6 of its second derivative. The error of Bartlett (1946) for
    // n origins is sqrt(((1 + a^2) (1 + a^2k) / (1 - a^2) + 2 k a^2k) / n) ; for a known mean.
    const double a = 0.9;
    const int length = 20000, series = 60;
    std::map<double, double> sum, square, error;
    std::map<double, double> slow_sum, slow_error, slow_square;
    for (int s = 0; s < series; ++s) {
        Correlated x(a, 300 + static_cast<std::uint64_t>(s));
        TimeCorrelator all_lags = linear(1, 60, 1, {});
        TimeCorrelator tau({1, 16, 2, 20, {}});
        for (int t = 0; t < length; ++t) {
            const double value = x.next();
            all_lags.add({&value, 1});
            tau.add({&value, 1});
        }
        const std::vector<LagValue> c = all_lags.curve(), d = tau.curve();
        for (const std::size_t j : {0u, 1u, 5u, 20u, 59u}) {
            const double distance = c[j].value - std::pow(a, j);
            sum[c[j].time] += c[j].value / series;
            square[c[j].time] += distance * distance / series;
            error[c[j].time] += c[j].error / series;
        }
        bool known = true;
        for (const LagValue& lag : d) {
            if (lag.samples > 0) known = std::isfinite(lag.error);
            if (lag.time > 200.0) continue;
            slow_sum[lag.time] += lag.value / series;
            slow_error[lag.time] += lag.error / series;
        }
        CHECK(!known); // the longest lag is a good part of the series
    }
    for (const auto& [lag, value] : sum) {
        const double r = std::pow(a, 2.0 * lag);
        const double exact =
            std::sqrt(((1.0 + a * a) * (1.0 + r) / (1.0 - a * a) + 2.0 * lag * r) / length);
        const double spread = std::sqrt(square[lag]);
        CAPTURE(lag, value, spread / exact, error[lag] / exact);
        CHECK(std::abs(value - std::pow(a, lag)) < 4.0 * exact / std::sqrt(series));
        CHECK(std::abs(spread / exact - 1.0) < 4.0 / std::sqrt(2.0 * series));
        // Blocks leave out some of the correlation; the average of the series is known to 3%.
        CHECK(std::abs(error[lag] / exact - 1.0) < 0.12);
    }
    for (const auto& [lag, value] : slow_sum) {
        const double unit = lag < 16.0 ? 0.0 : std::exp2(std::floor(std::log2(lag / 8.0)));
        const double curve = std::pow(a, lag) * std::pow(std::log(a) * unit, 2) / 6.0;
        CAPTURE(lag, value, curve, slow_error[lag]);
        CHECK(std::abs(value - std::pow(a, lag)) <
              1.2 * curve + 4.5 * slow_error[lag] / std::sqrt(series));
    }
}

TEST_CASE("restored correlators go on with the same bits") {
    const Rows all = rows(2500, 30);
    const auto check = [&](const TimeCorrelator& fresh) {
        TimeCorrelator whole = fresh, part = fresh, resumed = fresh;
        add(whole, all);
        add(part, all, 0, 1111);
        add(resumed, all, 0, 5);
        resumed.restore(part.state());
        CHECK(resumed.state() == part.state());
        add(resumed, all, 1111);
        CHECK(resumed.state() == whole.state());
        for (std::size_t k = 0; k < whole.curve(4).size(); ++k)
            if (whole.curve(4)[k].samples > 0) {
                CHECK(resumed.curve(4)[k].value == whole.curve(4)[k].value);
                CHECK(resumed.curve(4)[k].error == whole.curve(4)[k].error);
            }
        std::vector<double> state = whole.state();
        state.pop_back();
        CHECK_THROWS_AS(resumed.restore(state), InputError);
        CHECK(resumed.state() == whole.state());
    };
    check(linear(3, 30, 4, some_curves));
    check(TimeCorrelator({3, 8, 2, 6, some_curves}));
    check(TimeCorrelator(
        {.channels = 3, .window = 8, .levels = 6, .curves = some_curves, .fluctuations = true}));
}

TEST_CASE("memory of correlators grows with the logarithm of the rows") {
    TimeCorrelator tau({1, 8, 2, 5, {}});
    const double one = 1.0;
    for (int t = 0; t < 2000; ++t) tau.add({&one, 1});
    std::size_t numbers = tau.state().size();
    for (int more : {2000, 4000, 8000}) { // a level of blocks at each lag with each doubling
        for (int t = 0; t < more; ++t) tau.add({&one, 1});
        const std::size_t now = tau.state().size();
        CHECK(now - numbers <= 5u * (8 + 4 * 4));
        numbers = now;
    }
    CHECK(tau.curve().back().time == 7.0 * 16.0);
    for (const LagValue& lag : tau.curve()) {
        CHECK(lag.value == 1.0);
        CHECK(lag.error == 0.0);
    }
}

TEST_CASE("the state of a correlator with sums in blocks is refused") {
    // As it was kept before: how many rows, their mean, then each level with 32 blocks of sums.
    std::vector<double> old{5.0, 0.1, 5.0, 0.0};
    old.resize(old.size() + 4, 0.5); // history
    old.insert(old.end(), {0.0, 5.0, 1.0, 0.0});
    old.resize(old.size() + std::size_t{32} * 4 * 2, 0.25);
    for (const double mean : {0.1, 0.0}) {
        old[1] = mean;
        CHECK_THROWS_AS(linear(1, 4, 1, {}).restore(old), InputError);
    }
}

TEST_CASE("correlators that make no sense are refused") {
    using Settings = TimeCorrelator::Settings;
    CHECK_THROWS_AS(TimeCorrelator(Settings{.channels = 0, .levels = 1}), InputError);
    CHECK_THROWS_AS(TimeCorrelator(Settings{.window = 0, .levels = 1}), InputError);
    CHECK_THROWS_AS(TimeCorrelator(Settings{.levels = 1, .spacing = 0}), InputError);
    CHECK_THROWS_AS(TimeCorrelator(Settings{.levels = 1, .curves = {{{0, 1}}}}), InputError);
    CHECK_THROWS_AS(TimeCorrelator(Settings{.levels = 1, .curves = {{}}}), InputError);
    CHECK_THROWS_AS(TimeCorrelator(Settings{.window = 9}), InputError);
    CHECK_THROWS_AS(TimeCorrelator(Settings{.averaging = 1}), InputError);
    CHECK_THROWS_AS(TimeCorrelator(Settings{.levels = 0}), InputError);
}
