// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/run/tuning.hpp"

#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

using namespace shadow;

namespace {

constexpr double not_timed = std::numeric_limits<double>::quiet_NaN();

/// The melt of inputs/lj_melt.toml on eight cores.
TuneFacts melt() {
    return {.dimension = 3,
            .particles = 32000,
            .cutoff = 2.5,
            .default_skin = 0.3,
            .density = 0.8442,
            .fastest_move = 0.027,
            .cores = 8};
}

double skin_of(const TuneFacts& facts) {
    return value_of(settings(TuneMode::quick, facts, {}), "skin", -1.0);
}

} // namespace

TEST_CASE("the shortest time wins, and the preferred candidate unless it is slower by 2%") {
    CHECK(choose({{3.0, 3.1, 9.0}, {2.0, 2.1, 2.2}, {9.5, 9.0, 1.6}}, 0) == 2);
    CHECK(choose({{1.0}, {0.99}}, 0) == 0);
    CHECK(choose({{1.0}, {0.97}}, 0) == 1);
    CHECK(choose({{1.0}, {1.01}}, 1) == 1);
    CHECK(choose({{1.0}, {1.0}, {1.0}}, 2) == 2); // ties stay
    CHECK(choose({{1.0}, {0.5}, {0.5}}, 0) == 1); // or go to the first
    CHECK(choose({{8.0, 1.0, 8.0}, {4.0, 4.0, 4.0}}, 1) == 0);
}

TEST_CASE("what was not timed does not win") {
    CHECK(choose({{1.0}, {not_timed}, {}}, 0) == 0);
    CHECK(choose({{1.0, not_timed, 1.0}, {0.5, not_timed, HUGE_VAL}}, 0) == 1);
    CHECK(choose({{not_timed}, {2.0}, {1.0}}, 0) == 2);
    CHECK(choose({{}, {}}, 1) == 1);
    CHECK(choose({}, 0) == 0);
    CHECK(std::isnan(least({})));
    CHECK(std::isnan(least({not_timed, HUGE_VAL})));
    CHECK(least({not_timed, 4.0, not_timed, 1.0, 3.0}) == 1.0);
}

TEST_CASE("a trial takes at most a twentieth of a run, or is left out") {
    for (const std::int64_t run : {0L, 1000L, 30'000L, 50'000L, 1'000'000L, 1'000'000'000L})
        for (const std::size_t candidates : {1U, 2U, 7U}) {
            const std::int64_t steps = trial_steps(run, candidates);
            const auto all = static_cast<std::int64_t>(candidates) * (trial_rounds + 1) * steps;
            CHECK((steps == 0 || trial_warm_up + all <= run / 20));
            CHECK((steps == 0 || steps >= 40));
        }
    CHECK(trial_steps(1'000'000, 7) > 0);
    CHECK(trial_steps(1'000'000, 0) == 0);
    CHECK(trial_steps(10'000, 2) == 0);
}

TEST_CASE("the rule gives the skin where its cost is least") {
    // cost(s) of the source of the rule, by search.
    for (const bool pair_is_double : {false, true})
        for (const int dimension : {1, 2, 3})
            for (const double density : {0.3, 0.8}) {
                TuneFacts f = melt();
                f.dimension = dimension;
                f.density = density;
                f.pair_is_double = pair_is_double;
                const double ball[] = {2.0, M_PI, 4.0 / 3.0 * M_PI};
                const auto cost = [&](double s) {
                    const double n =
                        ball[dimension - 1] * density * std::pow(f.cutoff + s, dimension);
                    return n + 2.0 * f.fastest_move * (pair_is_double ? 1.2 : 2.0) * (n + 15.0) / s;
                };
                double best = 0.01;
                for (double s = 0.01; s < 2.0 * f.cutoff; s += 0.001)
                    if (cost(s) < cost(best)) best = s;
                CAPTURE(dimension, density, pair_is_double);
                CHECK(skin_of(f) == Approx(best).epsilon(0.01)); // three digits and the search
            }
}

TEST_CASE("the rule has a positive skin within bounds for whatever it is given") {
    for (const int dimension : {1, 2, 3})
        for (const double density : {1e-9, 1.0, 1e9})
            for (const double move : {0.0, 1e-12, 1.0, 1e12}) {
                TuneFacts f = melt();
                f.dimension = dimension;
                f.density = density;
                f.fastest_move = move;
                CAPTURE(dimension, density, move);
                CHECK(skin_of(f) > 0.0);
                CHECK(skin_of(f) <= 2.0 * f.cutoff * 1.01);
            }
}

TEST_CASE("the same input gives the same choice in any unit of length") {
    TuneFacts angstrom = melt();
    angstrom.cutoff *= 4.0;
    angstrom.density /= 64.0;
    angstrom.fastest_move *= 4.0;
    CHECK(skin_of(angstrom) == Approx(4.0 * skin_of(melt())).epsilon(0.01));
    CHECK(skin_of(melt()) == skin_of(melt()));
}

TEST_CASE("few particles get few threads, and never more than there are") {
    const auto threads = [](std::int64_t particles) {
        TuneFacts f = melt();
        f.particles = particles;
        return value_of(settings(TuneMode::quick, f, {}), "threads", -1.0);
    };
    CHECK(threads(0) == 1.0);
    CHECK(threads(1) == 1.0);
    CHECK(threads(500) == 1.0);
    CHECK(threads(4000) == 7.0);
    CHECK(threads(1'000'000'000) == 8.0);
    for (std::int64_t n = 1; n < 100'000; n *= 2) CHECK(threads(n) <= threads(2 * n));

    TuneFacts cluster = melt(); // 400 particles, each with all others
    cluster.particles = 400;
    cluster.cutoff = cluster.density = 0.0;
    cluster.all_pairs = true;
    CHECK(value_of(settings(TuneMode::quick, cluster, {}), "threads", -1.0) == 4.0);
}

TEST_CASE("what the input gives is never overridden, and off is plain") {
    const std::map<std::string, double> given{{"skin", 0.7}, {"threads", 3.0}};
    for (const TuneMode mode : {TuneMode::off, TuneMode::quick, TuneMode::full})
        for (const TunedSetting& s : settings(mode, melt(), given)) {
            CHECK(s.value == given.at(s.name));
            CHECK(s.by == "input");
        }
    const auto plain = settings(TuneMode::off, melt(), {});
    CHECK(value_of(plain, "skin", -1.0) == 0.3);
    CHECK(value_of(plain, "threads", -1.0) == 8.0);
}

TEST_CASE("settings that mean nothing are left out") {
    TuneFacts f = melt();
    f.cutoff = 0.0;
    f.density = 0.0;
    f.takes_threads = false;
    CHECK(settings(TuneMode::full, f, {}).empty());
    CHECK(value_of({}, "skin", 1.0) == 1.0);
}

TEST_CASE("candidates are distinct, possible, and have the rule among them") {
    for (const int cores : {1, 2, 3, 64})
        for (const std::int64_t particles : {1, 5000, 1'000'000}) {
            TuneFacts f = melt();
            f.cores = cores;
            f.particles = particles;
            for (const Tunable& t : tunables()) {
                const double rule = t.rule(f);
                const auto all = t.candidates(f, rule);
                CAPTURE(t.name, cores, particles);
                CHECK(std::count(all.begin(), all.end(), rule) == 1);
                for (const double x : all) {
                    CHECK(std::count(all.begin(), all.end(), x) == 1);
                    CHECK(x > 0.0);
                    if (std::string(t.name) == "threads") CHECK(x <= cores);
                }
            }
        }
}

TEST_CASE("lists that no force needs last as long as a cut-off takes") {
    TuneFacts facts = melt();
    facts.forces_need_lists = false;
    CHECK(skin_of(facts) == facts.cutoff);
    CHECK(find_tunable("skin").candidates(facts, facts.cutoff) == std::vector{facts.cutoff});
}
