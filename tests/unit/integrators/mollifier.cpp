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

} // namespace

TEST_CASE("averages leave of a vibration what their windows do") {
    const double between = 1.0;
    const auto sinc = [](double x) { return std::sin(x) / x; };
    for (const double w : {0.5, 2.0, 5.0, 2.0 * std::numbers::pi}) {
        const std::function<double()> expected[] = {
            [&] { return sinc(0.5 * w * between); }, [&] { return sinc(w * between); },
            [&] { return std::pow(sinc(0.5 * w * between), 2); }};
        for (std::size_t k = 0; k < 3; ++k) {
            const std::string& name = mollifier_names()[k];
            CAPTURE(name, w);
            for (const int steps : {400, 401}) { // half of it ends between two places
                const Mollifier m = make_mollifier(name, between / steps, steps);
                double left = 0.0;
                for (std::size_t j = 0; j < m.weight.size(); ++j)
                    left += m.weight[j] * std::cos(w * static_cast<double>(j) * m.dt);
                CHECK(left == Approx(expected[k]()).margin(2e-5));
            }
            for (const int steps : {1, 2, 3, 8}) {
                const Mollifier m = make_mollifier(name, between / steps, steps);
                CHECK(std::accumulate(m.weight.begin(), m.weight.end(), 0.0) == Approx(1.0));
            }
        }
    }
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
