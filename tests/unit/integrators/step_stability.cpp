// SPDX-License-Identifier: BSD-3-Clause
// The steps for which a method is unstable against what is known of them.
#include "shadow/integrators/step_stability.hpp"

#include "support/catch.hpp"

#include <array>
#include <cmath>
#include <numbers>

using namespace shadow;

TEST_CASE("Verlet is stable up to 2 over the frequency") {
    const double curvature[] = {9.0, 0.0}; // frequency 3
    for (const char* word : {"B½ A1 B½", "A½ B1 A½", "B½ A½ O1 A½ B½"}) {
        const Word steps = parse_word(word);
        CHECK(half_trace(steps, curvature, 0.1) == Approx(1.0 - 0.5 * 9.0 * 0.01).epsilon(1e-14));
        const auto unstable = unstable_steps(steps, curvature, 1.0);
        REQUIRE(unstable.size() == 1);
        CHECK(unstable[0].from == Approx(2.0 / 3.0).epsilon(1e-7));
        CHECK(unstable[0].to == 1.0);
        // Looked for with a step of thousands of periods.
        const auto far = unstable_steps(steps, curvature, 1e4);
        REQUIRE(far.size() == 1);
        CHECK(far[0].from == Approx(2.0 / 3.0).epsilon(1e-7));
        CHECK(far[0].to == 1e4);
    }
}

TEST_CASE("gradient kicks are those of an oscillator") {
    // Kicks a = x/6, b = 2/3 x (1 - x/24) of x = (w dt)^2 about two halves of a drift.
    const double curvature[] = {9.0, 0.0};
    const Word word = parse_word("B1/6 A½ G[1/24]2/3 |");
    for (const double dt : {0.1, 0.5, 1.0}) {
        const double x = 9.0 * dt * dt, a = x / 6.0, b = 2.0 / 3.0 * x * (1.0 - x / 24.0);
        CHECK(half_trace(word, curvature, dt) ==
              Approx(1.0 - a - 0.5 * b + 0.25 * a * b).epsilon(1e-13));
    }
    // Where that is -1: x = 12, from where it leaves with the third power, so that rounding by
    // 1e-16 shows as its cube root.
    const auto unstable = unstable_steps(word, curvature, 1.3);
    REQUIRE(unstable.size() == 1);
    CHECK(unstable[0].from == Approx(std::sqrt(12.0) / 3.0).epsilon(1e-5));
}

TEST_CASE("impulses are unstable below multiples of half a period of the fast motion") {
    // Kicks of a spring W^2 on a vibration w that is followed exactly: cos(w dt) - W^2 dt/(2 w)
    // sin(w dt), unstable where k pi - 2 arctan(W^2 dt/(2 w)) < w dt < k pi.
    constexpr double w = 10.0, square = 10.0, pi = std::numbers::pi;
    const double curvature[] = {w * w, square};
    const Word word = parse_word("S½ (F½ A1 F½)^n S½", 400);
    for (const double dt : {0.05, 0.2, 0.61})
        CHECK(half_trace(word, curvature, dt) ==
              Approx(std::cos(w * dt) - square * dt / (2.0 * w) * std::sin(w * dt)).margin(1e-4));
    const auto unstable = unstable_steps(word, curvature, 1.0);
    REQUIRE(unstable.size() == 3);
    const double lower[] = {2.85774, 5.72555, 8.61160}; // of w dt
    for (std::size_t k = 0; k < 3; ++k) {
        CHECK(w * unstable[k].from == Approx(lower[k]).margin(1e-3));
        CHECK(w * unstable[k].to == Approx((static_cast<double>(k) + 1.0) * pi).margin(1e-3));
    }
    // Without slow forces there is no resonance.
    const double fast_alone[] = {w * w, 0.0};
    CHECK(unstable_steps(word, fast_alone, 1.0).empty());
}

TEST_CASE("implicit forces leave slow ones their own limit, and have no resonance") {
    // Stern and Grinspun 2009, section 3; Modin 2009, Paper V, theorem 6.
    constexpr double w = 10.0, slow = 1.5;
    const double curvature[] = {w * w, slow * slow}, backwards[] = {w * w, -slow * slow};
    for (const char* text : {"S½ I1 S½", "A½ J1 A½", "O½ S½ I1 S½ O½"}) {
        CAPTURE(text);
        const Word word = parse_word(text);
        const auto unstable = unstable_steps(word, curvature, 3.0);
        REQUIRE(unstable.size() == 1);
        CHECK(unstable[0].from == Approx(2.0 / slow));
        CHECK(unstable[0].to == 3.0);
        CHECK(unstable_steps(word, backwards, 3.0).empty());
        CHECK(balance_at_whole_steps(word, curvature, 0.3) == Approx(1.0).epsilon(1e-12));
    }
    // Two such motions between kicks have one: they turn by more than half a period.
    CHECK(unstable_steps(parse_word("S½ I½ I½ S½"), curvature, 3.0).size() == 2);
    // The midpoint rule turns by 2 arctan(w dt / 2).
    CHECK(half_trace(parse_word("S½ I1 S½"), std::array{w * w, 0.0}, 0.3) ==
          Approx(std::cos(2.0 * std::atan(1.5))).epsilon(1e-14));
}

TEST_CASE("kicks around an exact motion are unstable where they are known to be") {
    // As above, without the error of inner steps; Leimkuhler and Reich 2004, figure 10.1.
    constexpr double w = 50.0, square = 50.0, pi = std::numbers::pi;
    const double curvature[] = {w * w, square};
    const auto unstable = unstable_steps(parse_word("S½ H1 S½"), curvature, 0.2);
    REQUIRE(unstable.size() == 3);
    const double lower[] = {3.08001, 6.16014, 9.24049}; // of w dt
    for (std::size_t k = 0; k < 3; ++k) {
        CHECK(w * unstable[k].from == Approx(lower[k]).margin(6e-6));
        CHECK(w * unstable[k].to == Approx((static_cast<double>(k) + 1.0) * pi).margin(1e-6));
    }
}

TEST_CASE("whole steps of impulses balance a part of slow forces") {
    // Between two kicks the oscillator swings about q = 0, its velocity changes by T W at each.
    constexpr double w = 10.0;
    const double curvature[] = {w * w, 0.0};
    const Word impulse = parse_word("S½ (F½ A1 F½)^n S½", 400);
    for (const double dt : {0.05, 0.1, 0.25})
        CHECK(balance_at_whole_steps(impulse, curvature, dt) ==
              Approx(0.5 * w * dt / std::tan(0.5 * w * dt)).epsilon(1e-4));
    for (const char* together : {"B½ A1 B½", "A½ B1 A½", "S½ F½ A1 F½ S½"})
        CHECK(balance_at_whole_steps(parse_word(together), curvature, 0.1) ==
              Approx(1.0).epsilon(1e-12));
    // What a mollified kick gives to the vibration is less by its average.
    const Word mollified = parse_word("M½ (F½ A1 F½)^n M½", 400);
    CHECK(balance_at_whole_steps(mollified, curvature, 0.25, "short-average") ==
          Approx(std::cos(0.5 * w * 0.25)).epsilon(1e-3));
}
