// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/statistics/stopping.hpp"

#include "support/catch.hpp"
#include "support/correlated.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <vector>

using namespace shadow;

namespace {

Estimate known_to(double error, double independent = 400.0) {
    Estimate e;
    e.samples = 4000;
    e.error = error;
    e.autocorrelation_error = 1.1 * error;
    e.independent_samples = independent;
    e.plateau = true;
    return e;
}

/// Runs an autoregressive series about `mean` until its error is reached.
struct Stopped {
    std::int64_t samples = 0;
    Estimate estimate;
};

Stopped run_until(double a, double error, std::uint64_t seed, double mean = 0.0) {
    StopRule rule({{"x", error}}, 1);
    Correlated x(a, seed);
    BlockedSeries values;
    for (std::int64_t t = 1; t <= 1'000'000; ++t) {
        values.add(mean + x.next());
        if (!rule.due(t)) continue;
        const std::array estimates{settled_estimate(values)};
        if (rule.look(t, estimates)) return {t, estimates[0]};
    }
    return {};
}

} // namespace

TEST_CASE("looks are at steps which grow by a quarter, whatever is measured") {
    const StopRule rule({{"x", 1.0}}, 10);
    std::vector<std::int64_t> looks;
    for (std::int64_t step = 0; step <= 1'000'000; ++step)
        if (rule.due(step)) looks.push_back(step);
    REQUIRE(looks.size() > 10);
    CHECK(looks[0] == 1280);
    CHECK(looks[1] == 1600);
    CHECK(looks[2] == 2000);
    CHECK(looks[3] == 2500);
    CHECK(looks[4] == 3130); // whole samples
    for (std::size_t k = 1; k < looks.size(); ++k) {
        CHECK(looks[k] % 10 == 0);
        CHECK(looks[k] >= looks[k - 1] + looks[k - 1] / 4);
        CHECK(looks[k] <= looks[k - 1] + looks[k - 1] / 4 + 10);
    }
    CHECK_FALSE(StopRule().due(1280));
}

TEST_CASE("all must pass, and the last to pass decides") {
    StopRule rule({{"a", 0.1}, {"b", 0.1}, {"c", 0.2}}, 1);
    const auto look = [&rule](std::int64_t step, double a, double b, double c) {
        return rule.look(step, std::array{known_to(a), known_to(b), known_to(c)});
    };
    CHECK_FALSE(look(100, 0.05, 0.2, 0.3));
    CHECK_FALSE(look(125, 0.05, 0.05, 0.3));
    CHECK(rule.since() == std::vector<std::int64_t>{100, 125, -1});
    CHECK_FALSE(look(157, 0.2, 0.05, 0.1)); // an error may grow again
    CHECK(rule.since() == std::vector<std::int64_t>{-1, 125, 157});
    CHECK(rule.decided_by(std::array{known_to(0.2), known_to(0.05), known_to(0.1)}) == 0);
    CHECK_FALSE(look(197, 0.095, 0.05, 0.1)); // both errors count: 0.1045
    CHECK(look(247, 0.08, 0.05, 0.1));
    CHECK(rule.decided_by(std::array{known_to(0.08), known_to(0.05), known_to(0.1)}) == 0);
    StopRule same({{"a", 0.1}, {"b", 0.4}}, 1);
    const std::array both{known_to(0.01), known_to(0.3)};
    CHECK(same.look(100, both));
    CHECK(same.decided_by(both) == 1); // at the same look: nearer to its target
}

TEST_CASE("errors which are not known themselves do not stop a run") {
    const StopRule rule({{"x", 0.1}}, 1);
    CHECK(rule.passes(0, known_to(0.01)));
    CHECK_FALSE(rule.passes(0, known_to(0.01, 99.0)));
    Estimate e = known_to(0.01);
    e.plateau = false;
    CHECK_FALSE(rule.passes(0, e));
    e = known_to(0.01);
    e.autocorrelation_error = 0.03; // below the target, but uncertain
    CHECK_FALSE(rule.passes(0, e));
    CHECK_FALSE(rule.passes(0, Estimate{}));
    e = known_to(0.01);
    e.discarded = e.samples + 1; // equilibrium is young, or not there
    CHECK_FALSE(rule.passes(0, e));
}

TEST_CASE("a rule that stops at an error is as right as a fixed length") {
    // Needed for an error e with inefficiency g: g / e^2 samples. The mean may not be biased, nor
    // may it scatter by more than the error that is reported. Stopping early where the error seems
    // small costs about 1 / (number of independent samples).
    const double a = GENERATE(0.0, 0.9), error = GENERATE(0.07, 0.04);
    const double needed = Correlated::inefficiency(a) / (error * error);
    const int runs = 150;
    double mean = 0.0, spread = 0.0, reported = 0.0, length = 0.0, within = 0.0;
    for (int k = 0; k < runs; ++k) {
        const Stopped s = run_until(a, error, 5000 + static_cast<std::uint64_t>(k));
        REQUIRE(s.samples > 0);
        CHECK(s.estimate.larger_error() <= error);
        mean += s.estimate.mean / runs;
        spread += s.estimate.mean * s.estimate.mean / runs;
        reported += std::pow(s.estimate.larger_error(), 2) / runs;
        length += static_cast<double>(s.samples) / runs;
        within += (std::abs(s.estimate.mean) < 2.0 * s.estimate.larger_error() ? 1.0 : 0.0) / runs;
    }
    spread = std::sqrt(spread);
    reported = std::sqrt(reported);
    CAPTURE(a, error, mean, spread / reported, reported / error, length / needed, within);
    CHECK(std::abs(mean) < 4.0 * spread / std::sqrt(runs));
    CHECK(std::abs(spread / reported - 1.0) < 4.0 / std::sqrt(2.0 * runs));
    CHECK(std::abs(within - 0.954) < 4.0 * std::sqrt(0.954 * 0.046 / runs));
    // Looks are a quarter apart, so it takes between 1 and 1.25 times what is needed, and the
    // larger of two noisy errors somewhat more.
    CHECK(length / needed > 0.95);
    CHECK(length / needed < 1.5);
}

TEST_CASE("a slow quantity keeps those from stopping in which it hides") {
    // Nine tenths of the variance are noise that is gone at once, and of the rest 99% last from one
    // sample to the next: of a few hundred samples the error looks known, and is 2.6 times too
    // small. `slow` is another quantity that shows the slow part alone.
    const auto squares = [](bool with_slow) {
        const int runs = 100;
        double sum = 0.0;
        for (std::uint64_t seed = 0; seed < runs; ++seed) {
            StopRule rule({{"x", 0.1}}, 1);
            if (with_slow)
                rule = StopRule({{"x", 0.1}, {"slow", std::numeric_limits<double>::infinity()}}, 1);
            Correlated noise(0.0, 900 + seed), slow(0.99, 7900 + seed);
            BlockedSeries x, companion;
            for (std::int64_t t = 1;; ++t) {
                const double y = slow.next();
                x.add(std::sqrt(0.9) * noise.next() + std::sqrt(0.1) * y);
                companion.add(y);
                if (!rule.due(t)) continue;
                std::vector<Estimate> estimates;
                if (with_slow) estimates.push_back(settled_estimate(companion));
                const double memory = with_slow ? 2.0 * estimates[0].inefficiency : 0.0;
                estimates.insert(estimates.begin(), settled_estimate(x, 0, memory));
                if (!rule.look(t, estimates)) continue;
                sum += std::pow(estimates[0].mean / estimates[0].larger_error(), 2) / runs;
                break;
            }
        }
        return std::sqrt(sum);
    };
    const double alone = squares(false), together = squares(true);
    CAPTURE(alone, together);
    CHECK(alone > 1.5);
    CHECK(std::abs(together - 1.0) < 0.3);
}

TEST_CASE("the mean plays no part in the decision") {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Stopped at_zero = run_until(0.8, 0.05, seed),
                      far = run_until(0.8, 0.05, seed, 1024.0);
        CHECK(at_zero.samples == far.samples);
        CHECK(std::abs(far.estimate.mean - 1024.0 - at_zero.estimate.mean) < 1e-9);
    }
}
