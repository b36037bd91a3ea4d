// SPDX-License-Identifier: BSD-3-Clause
// Mollified kicks: their averages, and which steps they allow.
#include "shadow/integrators/mollifier.hpp"

#include "support/catch.hpp"
#include "support/contains.hpp"

#include "shadow/core/error.hpp"
#include "shadow/integrators/composition.hpp"
#include "shadow/integrators/step_stability.hpp"

#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

using namespace shadow;
using namespace shadow::test;

namespace {

std::string mollified_word(const std::vector<int>& inner) {
    return word_by_levels("M½ (F½ A1 F½)^n M½", inner);
}

/// In parts of the time between two kicks: the weight of times t and -t together, and what is left
/// of a vibration of frequency w.
struct KnownWindow {
    std::function<double(double)> at, left;
};

KnownWindow known_window(const std::string& name) {
    constexpr double pi = std::numbers::pi;
    const auto sinc = [](double x) { return std::sin(x) / x; };
    if (name == "short-average")
        return {[](double t) { return t < 0.5 ? 2.0 : 0.0; },
                [=](double w) { return sinc(0.5 * w); }};
    if (name == "long-average") return {[](double) { return 1.0; }, sinc};
    if (name == "linear-average")
        return {[](double t) { return 2.0 * (1.0 - t); },
                [=](double w) { return std::pow(sinc(0.5 * w), 2); }};
    if (name == "cosine-average")
        return {[](double t) { return 1.0 + std::cos(pi * t); },
                [=](double w) { return sinc(w) / (1.0 - std::pow(w / pi, 2)); }};
    FAIL("no window is known of " << name);
    return {};
}

std::vector<std::string> names_of_windows() {
    std::vector<std::string> names = mollifier_names();
    std::erase(names, equilibrium_mollifier);
    return names;
}

/// Of a vibration of frequency w.
double left_of(double w, const std::string& name, int steps) {
    const Mollifier m = make_mollifier(name, 1.0 / steps, steps);
    double left = 0.0;
    for (std::size_t k = 0; k < m.weight.size(); ++k)
        left += m.weight[k] * std::cos(w * static_cast<double>(k) * m.dt);
    return left;
}

/// The integral of a window times the lines from 1 at the place `k` of `steps` to its neighbours.
double under_lines(const std::function<double(double)>& window, int k, int steps) {
    constexpr int rectangles = 2000;
    double sum = 0.0;
    for (const int side : {-1, 1})
        for (int j = 0; j < rectangles; ++j) {
            const double away = (j + 0.5) / rectangles, t = (k + side * away) / steps;
            if (t > 0.0 && t < 1.0) sum += (1.0 - away) * window(t) / (rectangles * steps);
        }
    return sum;
}

} // namespace

TEST_CASE("averages leave of a vibration what their windows do") {
    for (const std::string& name : names_of_windows())
        for (const double w : {0.5, 2.0, 5.0, 2.0 * std::numbers::pi})
            for (const int steps : {400, 401}) { // half of it ends between two places
                CAPTURE(name, w, steps);
                // Lines between places leave up to (w / 400)^2 / 12 less.
                CHECK(left_of(w, name, steps) == Approx(known_window(name).left(w)).margin(2e-5));
            }
}

TEST_CASE("weights are those of lines between places under the window") {
    for (const std::string& name : names_of_windows())
        for (const int steps : {1, 2, 3, 8}) {
            const Mollifier m = make_mollifier(name, 1.0 / steps, steps);
            CAPTURE(name, steps);
            CHECK(std::accumulate(m.weight.begin(), m.weight.end(), 0.0) == Approx(1.0));
            for (int k = 0; k <= steps; ++k) {
                const auto place = static_cast<std::size_t>(k);
                const double weight = place < m.weight.size() ? m.weight[place] : 0.0;
                // Rectangles: 1/24 of the square of their width, 5e-4, times a second derivative
                // of up to 17.
                CHECK(weight == Approx(under_lines(known_window(name).at, k, steps)).margin(1e-6));
            }
        }
}

TEST_CASE("a cosine leaves half of the first resonance, and nothing of the others") {
    const double half_period = std::numbers::pi;
    CHECK(left_of(half_period, "cosine-average", 400) == Approx(0.5).margin(2e-5));
    for (const int k : {2, 3, 4})
        CHECK(left_of(k * half_period, "cosine-average", 400) == Approx(0.0).margin(2e-5));
}

TEST_CASE("the long average has the weights of the trapezoidal rule") {
    const Mollifier m = make_mollifier("long-average", 0.1, 4);
    REQUIRE(m.weight.size() == 5);
    for (std::size_t k = 0; k < 5; ++k)
        CHECK(m.weight[k] == Approx(k == 0 || k == 4 ? 0.125 : 0.25));
}

TEST_CASE("kicks are averaged over the time between them") {
    const auto two = mollifiers_of(parse_word(mollified_word({4})), "long-average", 0.8);
    REQUIRE(two.size() == 2);
    CHECK(two[0].weight.empty());
    CHECK(two[1].weight.size() == 5);
    CHECK(two[1].dt == Approx(0.2));
    const auto three = mollifiers_of(parse_word(mollified_word({2, 3}), 1, 3), "long-average", 0.6);
    REQUIRE(three.size() == 3);
    CHECK(three[1].weight.size() == 3); // between kicks of level 2: 0.2, in two steps
    CHECK(three[2].weight.size() == 7);
    CHECK(three[1].dt == Approx(0.1));
    CHECK(three[2].dt == Approx(0.1));
}

TEST_CASE("baths and kicks of other levels do not part kicks") {
    const Word plain = parse_word(mollified_word({4}));
    for (const char* word :
         {"O½ M½ (F½ A1 F½)^4 M½ O½", "M½ (F½ A1 F½)^4 M½ O1", "M½ (F½ A1 F½)^4 O1 M½"}) {
        CAPTURE(word);
        const auto expected = mollifiers_of(plain, "short-average", 0.8),
                   found = mollifiers_of(parse_word(word), "short-average", 0.8);
        REQUIRE(found.size() == 2);
        CHECK(found[1].weight == expected[1].weight);
        CHECK(found[1].dt == Approx(expected[1].dt));
    }
    const auto once = mollifiers_of(parse_word(mollified_word({2, 1}), 1, 3), "long-average", 0.6);
    CHECK(once[1].weight == once[2].weight);
    CHECK(once[1].weight.size() == 3);
}

TEST_CASE("a mollified kick is stable where the impulse is in resonance") {
    // Slow forces of a hundredth of the stiffness, the period 2 pi, steps around half of it.
    const double curvature[] = {1.0, 0.01};
    const Word impulse = parse_word("S½ (F½ A1 F½)^20 S½"),
               mollified = parse_word(mollified_word({20}));
    const double longest = 6.0;
    const auto plain = unstable_steps(impulse, curvature, longest);
    REQUIRE(!plain.empty());
    CHECK(plain.front().from == Approx(std::numbers::pi - 0.03).epsilon(0.01));
    CHECK(unstable_steps(mollified, curvature, longest, "long-average").empty());
    CHECK(unstable_steps(mollified, curvature, longest, "equilibrium").empty());
    // Its half is no zero of the short average.
    CHECK(!unstable_steps(mollified, curvature, longest, "short-average").empty());
    CHECK(unstable_steps(mollified, curvature, longest, "linear-average").size() <= 1);
    // The cosine leaves a half of it, a quarter of the kick's stiffness, and no later one up to 10.
    const auto cosine = unstable_steps(mollified, curvature, 10.0, "cosine-average");
    REQUIRE(cosine.size() == 1);
    CHECK(cosine.front().to - cosine.front().from ==
          Approx(0.25 * (plain.front().to - plain.front().from)).epsilon(0.05));
}

TEST_CASE("words with mollified kicks count each force once") {
    const auto refused = [](const char* word) {
        try {
            (void)claims_of_word(parse_word(word), "test");
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(refused("M½ F½ A1 F½ M½").empty());
    CHECK(contains(refused("M½ S½ F½ A1 F½ S½ M½"), "twice"));
    CHECK(contains(refused("M½ B½ A1 B½ M½"), "twice"));
    CHECK(contains(refused("M[1]½ S½ A1 S½ M[1]½"), "levels of forces are 2 to 2"));
    CHECK(contains(refused("M½ A1 M½"), "lacks"));
}
