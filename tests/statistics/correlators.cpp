// SPDX-License-Identifier: BSD-3-Clause
#include "support/catch.hpp"
#include "support/correlated.hpp"

#include "shadow/core/error.hpp"
#include "shadow/statistics/time_correlator.hpp"

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

template <class Correlator>
void add(Correlator& correlator, const Rows& all, std::size_t first = 0,
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

/// Of one level.
TimeCorrelator linear(std::size_t channels, std::size_t window, std::size_t spacing,
                      const ChannelPairs& pairs) {
    return TimeCorrelator(
        {.channels = channels, .window = window, .levels = 1, .pairs = pairs, .spacing = spacing});
}

const ChannelPairs some_pairs = {{0, 0}, {0, 1}, {1, 0}, {2, 1}};

} // namespace

TEST_CASE("linear correlations are the direct sums") {
    const std::size_t spacing = GENERATE(1, 3, 7, 50), window = GENERATE(1, 20, 50);
    const Rows all = rows(GENERATE(15, 1000), 4);
    CAPTURE(spacing, window, all.size());
    TimeCorrelator correlator = linear(3, window, spacing, some_pairs);
    add(correlator, all);
    const Correlation c = correlator.result();
    CHECK(c.width == 4);
    CHECK(c.lag.size() == std::min(window, all.size()));
    for (std::size_t j = 0; j < c.lag.size(); ++j) {
        CHECK(c.lag[j] == static_cast<double>(j));
        for (std::size_t k = 0; k < 4; ++k) {
            const auto [value, count] =
                direct(all, some_pairs[k].first, some_pairs[k].second, j, spacing);
            CHECK(c.samples[j] == count);
            CHECK(std::abs(c.value[4 * j + k] - value) < 1e-12); // some 1000 roundings of 1e-16
        }
    }
    double mean = 0.0;
    for (const auto& row : all) mean += row[2] / static_cast<double>(all.size());
    CHECK(std::abs(c.mean[2] - mean) < 1e-12);
}

TEST_CASE("multiple-tau correlations are the averages that define them") {
    const auto [p, m] = GENERATE(std::pair<std::size_t, std::size_t>(8, 2), std::pair(16, 2),
                                 std::pair(9, 3), std::pair(4, 4));
    const std::size_t levels = GENERATE(1, 3, 20);
    const Rows all = rows(GENERATE(5, 3000), 6);
    CAPTURE(p, m, levels, all.size());
    TimeCorrelator correlator({3, p, m, levels, some_pairs});
    add(correlator, all);
    const Correlation c = correlator.result();
    std::size_t entry = 0, unit = 1;
    for (std::size_t level = 0; level < levels && unit <= all.size(); ++level, unit *= m) {
        const Rows means = averaged(all, unit);
        for (std::size_t j = level == 0 ? 0 : p / m; j < p && j < means.size(); ++j, ++entry) {
            REQUIRE(entry < c.lag.size());
            CHECK(c.lag[entry] == static_cast<double>(j * unit));
            for (std::size_t k = 0; k < 4; ++k) {
                const auto [value, count] =
                    direct(means, some_pairs[k].first, some_pairs[k].second, j);
                CHECK(c.samples[entry] == count);
                CHECK(std::abs(c.value[4 * entry + k] - value) < 1e-12);
            }
        }
    }
    CHECK(entry == c.lag.size());
}

TEST_CASE("the error of independent origins is that of their mean") {
    LagSums sums(1, 1);
    for (int origin = 0; origin < 8; ++origin) *sums.at(origin, 0) = origin + 1.0;
    Correlation found;
    sums.append_to(found, 0.0, 1.0, 1.0);
    // Squares of distances from the mean 4.5 sum to 42, over 8 * 7.
    CHECK(found.value.at(0) == 4.5);
    CHECK(std::abs(found.error.at(0) - std::sqrt(0.75)) < 1e-15);
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
        const Correlation c = all_lags.result(), d = tau.result();
        for (const std::size_t j : {0u, 1u, 5u, 20u, 59u}) {
            const double distance = c.value[j] - std::pow(a, j);
            sum[c.lag[j]] += c.value[j] / series;
            square[c.lag[j]] += distance * distance / series;
            error[c.lag[j]] += c.error[j] / series;
        }
        for (std::size_t j = 0; j < d.lag.size(); ++j) {
            if (d.lag[j] > 200.0) continue;
            slow_sum[d.lag[j]] += d.value[j] / series;
            slow_error[d.lag[j]] += d.error[j] / series;
        }
        CHECK(std::isinf(d.error.back())); // its lag is a good part of the series
    }
    for (const auto& [lag, value] : sum) {
        const double r = std::pow(a, 2.0 * lag);
        const double exact =
            std::sqrt(((1.0 + a * a) * (1.0 + r) / (1.0 - a * a) + 2.0 * lag * r) / length);
        const double spread = std::sqrt(square[lag]);
        CAPTURE(lag, value, spread / exact, error[lag] / exact);
        CHECK(std::abs(value - std::pow(a, lag)) < 4.0 * exact / std::sqrt(series));
        CHECK(std::abs(spread / exact - 1.0) < 4.0 / std::sqrt(2.0 * series));
        // From 16 to 31 blocks, each known to 20%; the average of the series is known to 3%, and
        // roots of noisy squares are too small by 1/64.
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

TEST_CASE("merged correlations are the pooled averages") {
    const Rows a = rows(701, 20), b = rows(3001, 21); // odd: averages of two are half done
    const auto check = [&](auto one, auto two) {
        add(one, a);
        add(two, b);
        const Correlation ca = one.result(), cb = two.result();
        auto all = one;
        all.merge(two);
        const Correlation c = all.result();
        REQUIRE(c.lag == cb.lag);
        for (std::size_t j = 0; j < c.lag.size(); ++j) {
            const bool both = j < ca.lag.size();
            const double na = both ? static_cast<double>(ca.samples[j]) : 0.0;
            const auto nb = static_cast<double>(cb.samples[j]);
            CHECK(c.samples[j] == static_cast<std::int64_t>(na + nb));
            for (std::size_t k = 4 * j; k < 4 * j + 4; ++k)
                CHECK(std::abs(c.value[k] - ((both ? na * ca.value[k] : 0.0) + nb * cb.value[k]) /
                                                (na + nb)) < 1e-12);
        }
        CHECK(std::abs(c.mean[2] - (701.0 * ca.mean[2] + 3001.0 * cb.mean[2]) / 3702.0) < 1e-13);
        // The other way round, and going on: nothing is correlated across the seam.
        two.merge(one);
        CHECK(two.result().samples == c.samples);
        auto three = all;
        three.merge(one);
        add(all, a);
        const Correlation on = all.result(), separate = three.result();
        CHECK(on.samples == separate.samples);
        REQUIRE(on.value.size() == separate.value.size());
        for (std::size_t k = 0; k < on.value.size(); ++k)
            CHECK(std::abs(on.value[k] - separate.value[k]) < 1e-12);
    };
    check(linear(3, 40, 1, some_pairs), linear(3, 40, 1, some_pairs));
    check(linear(3, 40, 9, some_pairs), linear(3, 40, 9, some_pairs));
    check(TimeCorrelator({3, 8, 2, 20, some_pairs}), TimeCorrelator({3, 8, 2, 20, some_pairs}));
}

TEST_CASE("the error of merged correlations is that of all origins") {
    const double a = 0.8;
    const int parts = 16;
    TimeCorrelator all = linear(1, 10, 1, {});
    double square = 0.0;
    for (int s = 0; s < parts; ++s) {
        TimeCorrelator one = linear(1, 10, 1, {});
        Correlated x(a, 60 + static_cast<std::uint64_t>(s));
        for (int t = 0; t < 20000; ++t) {
            const double value = x.next();
            one.add({&value, 1});
        }
        square += std::pow(one.result().error[3], 2) / parts;
        all.merge(one);
    }
    // 16 to 32 blocks: known to 25% and less.
    CHECK(std::abs(all.result().error[3] / std::sqrt(square / parts) - 1.0) < 0.6);
}

TEST_CASE("restored correlators go on with the same bits") {
    const Rows all = rows(2500, 30);
    const auto check = [&](const auto& fresh) {
        auto whole = fresh, part = fresh, resumed = fresh;
        add(whole, all);
        add(part, all, 0, 1111);
        add(resumed, all, 0, 5);
        resumed.restore(part.state());
        CHECK(resumed.state() == part.state());
        add(resumed, all, 1111);
        CHECK(resumed.state() == whole.state());
        CHECK(resumed.result().error == whole.result().error);
        std::vector<double> state = whole.state();
        state.pop_back();
        CHECK_THROWS_AS(resumed.restore(state), InputError);
        CHECK(resumed.state() == whole.state());
    };
    check(linear(3, 30, 4, some_pairs));
    check(TimeCorrelator({3, 8, 2, 6, some_pairs}));
}

TEST_CASE("memory of correlators is bounded") {
    TimeCorrelator tau({1, 8, 2, 5, {}});
    const double one = 1.0;
    for (int t = 0; t < 1000; ++t) tau.add({&one, 1});
    const std::size_t numbers = tau.state().size();
    for (int t = 0; t < 20000; ++t) tau.add({&one, 1});
    CHECK(tau.state().size() == numbers);
    CHECK(tau.result().lag.back() == 7.0 * 16.0);
    for (const double value : tau.result().value) CHECK(value == 1.0);
    for (const double error : tau.result().error) CHECK(error == 0.0);
}

TEST_CASE("correlators that make no sense are refused") {
    using Settings = TimeCorrelator::Settings;
    CHECK_THROWS_AS(TimeCorrelator(Settings{.channels = 0, .levels = 1}), InputError);
    CHECK_THROWS_AS(TimeCorrelator(Settings{.window = 0, .levels = 1}), InputError);
    CHECK_THROWS_AS(TimeCorrelator(Settings{.levels = 1, .spacing = 0}), InputError);
    CHECK_THROWS_AS(TimeCorrelator(Settings{.levels = 1, .pairs = {{0, 1}}}), InputError);
    CHECK_THROWS_AS(TimeCorrelator(Settings{.window = 9}), InputError);
    CHECK_THROWS_AS(TimeCorrelator(Settings{.averaging = 1}), InputError);
    CHECK_THROWS_AS(TimeCorrelator(Settings{.levels = 0}), InputError);
    TimeCorrelator small = linear(1, 5, 1, {}), large = linear(1, 6, 1, {});
    CHECK_THROWS_AS(small.merge(large), InputError);
    TimeCorrelator coarse({1, 16, 4, 9, {}}), fine({1, 16, 2, 9, {}});
    CHECK_THROWS_AS(coarse.merge(fine), InputError);
    CHECK(fine.result().lag.empty());
}
