// SPDX-License-Identifier: BSD-3-Clause
#include "support/catch.hpp"
#include "support/correlated.hpp"

#include "shadow/statistics/blocked_series.hpp"
#include "shadow/statistics/time_correlator.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

using namespace shadow;

namespace {

using Numbers = std::vector<std::vector<double>>;

/// Two channels, of which the second follows the first.
Numbers two_channels(std::size_t count, std::uint64_t seed) {
    Correlated x(0.8, seed), y(0.3, seed + 1000);
    Numbers all;
    for (std::size_t t = 0; t < count; ++t) {
        const double before = all.empty() ? 0.0 : all.back()[0];
        all.push_back({x.next(), 1.0 + 0.5 * before + y.next()});
    }
    return all;
}

/// What each row is away from the mean of those before, with the variance of independent rows.
Numbers residuals(const Numbers& all) {
    Numbers found;
    for (std::size_t t = 1; t < all.size(); ++t) {
        found.emplace_back(all[t].size());
        const auto n = static_cast<double>(t);
        for (std::size_t c = 0; c < all[t].size(); ++c) {
            double mean = 0.0;
            for (std::size_t k = 0; k < t; ++k) mean += all[k][c] / n;
            found.back()[c] = (all[t][c] - mean) * std::sqrt(n / (n + 1.0));
        }
    }
    return found;
}

TimeCorrelator of_fluctuations(std::size_t channels, std::size_t window,
                               const std::vector<TimeCorrelator::Curve>& curves) {
    return TimeCorrelator({.channels = channels,
                           .window = window,
                           .levels = 1,
                           .curves = curves,
                           .fluctuations = true});
}

} // namespace

TEST_CASE("correlations of fluctuations are those of residuals") {
    const std::size_t levels = GENERATE(1, 5);
    const Numbers all = two_channels(GENERATE(1, 2, 700), 12);
    CAPTURE(levels, all.size());
    TimeCorrelator::Settings settings{.channels = 2,
                                      .window = 8,
                                      .levels = levels,
                                      .curves = {{{0, 0}}, {{0, 1}}, {{1, 0}}, {{0, 0}, {1, 1}}}};
    TimeCorrelator of_residuals(settings);
    settings.fluctuations = true;
    TimeCorrelator found(settings);
    for (const auto& row : all) found.add(row);
    for (const auto& row : residuals(all)) of_residuals.add(row);
    for (std::size_t k = 0; k < settings.curves.size(); ++k)
        for (std::size_t j = 0; j < found.curve(k).size(); ++j) {
            const LagValue a = found.curve(k)[j], b = of_residuals.curve(k)[j];
            CHECK(a.samples == b.samples);
            CHECK(a.time == b.time);
            if (a.samples > 0) CHECK(std::abs(a.value - b.value) < 1e-12);
            if (std::isfinite(b.error)) CHECK(std::abs(a.error - b.error) < 1e-12);
        }
}

TEST_CASE("at lag 0 fluctuations have the variance of n - 1, however far off their mean") {
    const double mean = GENERATE(0.0, -1e5, 1e9);
    const Numbers all = two_channels(500, 14);
    TimeCorrelator found = of_fluctuations(1, 3, {});
    Moments moments;
    for (const auto& row : all) {
        found.add(std::array{mean + row[0]});
        moments.add({&row[0], 1});
    }
    // A row is rounded by 1e-16 of its mean, and moves sums of products by as much of a deviation.
    const double exact = moments.variance() * 500.0 / 499.0;
    CHECK(std::abs(found.curve()[0].value - exact) < 1e-12 + 1e-15 * std::abs(mean));
    CHECK(found.curve()[0].samples == 499);
}

TEST_CASE("correlations of fluctuations about an unknown mean, and their errors") {
    // As of a known one: what the mean adds is of order 1/n, where 2 (1 + a) / (1 - a) / n, some
    // 38 / n, of an autocorrelation, is the most that is allowed.
    const double a = 0.9;
    const int length = 4000, series = 300;
    const std::array<std::size_t, 5> lags{0, 3, 10, 20, 59};
    // The second channel follows the first by three rows: its own, too.
    struct Sums {
        double value = 0.0, square = 0.0, error = 0.0;
        int within = 0;
    };
    std::map<std::pair<int, std::size_t>, Sums> all;
    const auto exact = [a](int curve, std::size_t lag) {
        const double delay = curve == 0 ? 0.0 : curve == 1 ? 3.0 : -3.0;
        return std::pow(a, std::abs(static_cast<double>(lag) - delay));
    };
    for (int s = 0; s < series; ++s) {
        Correlated x(a, 5000 + static_cast<std::uint64_t>(s));
        TimeCorrelator found = of_fluctuations(2, 60, {{{0, 0}}, {{0, 1}}, {{1, 0}}});
        std::array<double, 4> last{x.next(), x.next(), x.next()};
        for (int t = 0; t < length; ++t) {
            last[static_cast<std::size_t>(t + 3) % 4] = x.next();
            const double now = last[static_cast<std::size_t>(t + 3) % 4],
                         before = last[static_cast<std::size_t>(t) % 4];
            found.add(std::array{-1e4 + now, 300.0 + before});
        }
        for (int curve = 0; curve < 3; ++curve) {
            const auto values = found.curve(static_cast<std::size_t>(curve));
            for (const std::size_t lag : lags) {
                const double distance = values[lag].value - exact(curve, lag);
                Sums& sums = all[{curve, lag}];
                sums.value += distance / series;
                sums.square += distance * distance / series;
                sums.error += values[lag].error / series;
                sums.within += std::abs(distance) < values[lag].error;
            }
        }
    }
    for (const auto& [place, sums] : all) {
        const auto& [curve, lag] = place;
        const double spread = std::sqrt(sums.square), covered = sums.within / double(series);
        CAPTURE(curve, lag, sums.value, spread, sums.error / spread, covered);
        CHECK(std::abs(sums.value) < 38.0 / length + 4.0 * spread / std::sqrt(series));
        // The spread is known to 4 %, three times; blocks leave out some of the correlation.
        CHECK(std::abs(sums.error / spread - 1.0) < 0.16);
        // 0.683 of Gaussian ones, known to 0.027; of skew ones and of errors that vary some less.
        CHECK(covered > 0.57);
        CHECK(covered < 0.77);
    }
}
