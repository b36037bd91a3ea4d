// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/flow_word.hpp"

#include "support/catch.hpp"

#include "shadow/core/error.hpp"
#include "shadow/integrators/composition.hpp"

#include <cmath>
#include <rapidcheck.h>

using namespace shadow;

namespace {

bool same(const Word& a, const Word& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Flow& x, const Flow& y) {
        return x.same_part(y) && std::abs(x.fraction - y.fraction) < 1e-15;
    });
}

} // namespace

TEST_CASE("words are read left to right with their fractions") {
    const Word verlet = {{FlowKind::kick, all_levels, 0.5},
                         {FlowKind::drift, all_levels, 1.0},
                         {FlowKind::kick, all_levels, 0.5}};
    for (const char* text : {"B½ A1 B½", "B1/2 A1 B1/2", "B0.5A1.0B.5", "  B5e-1 A* |", "V1",
                             "(B½ A1 B½)1", "B* A* B*", "(B½ A1 B½)^1"}) {
        INFO(text);
        CHECK(same(parse_word(text), verlet));
    }
    CHECK(same(parse_word("S½ (F½ A1 F½)^n S½", 2),
               parse_word("S0.5 F0.25 A0.5 F0.5 A0.5 F0.25 S0.5")));
    CHECK(same(parse_word("(B1 A1)^3"), parse_word("B1/3 A1/3 B1/3 A1/3 B1/3 A1/3")));
    CHECK(same(parse_word("(B1 A1)½ (A1 B1)½"), parse_word("B½ A1 B½")));
    CHECK(same(parse_word("(B1 A1)0.25 O1 |"), parse_word("B0.25 A0.25 O1 A0.25 B0.25")));
    CHECK(same(parse_word("B[1]½ A1 B[2]1 B[1]*"), parse_word("F½ A1 S1 F½")));
    CHECK(same(parse_word("S½ A1 |", 1, 3), parse_word("B[3]½ A1 |", 1, 3)));
    CHECK(same(parse_word("B[1]* B[2]½ A1 B[1]0.25 B[2]*"),
               parse_word("B[1]0.75 B[2]½ A1 B[1]0.25 B[2]½")));
    CHECK(same(parse_word("B1/6 A½ G[1/24]2/3 |"), parse_word("B* A½ G[1/24]2/3 A½ B*")));
    CHECK(same(parse_word("B1/6 A½ G[1/24]* |"), parse_word("B1/6 A½ G[1/24]2/3 |")));
    // Over a part of a step the gradient counts by its square.
    CHECK(same(parse_word("(A½ G[1/12]1 A½)^2"), parse_word("A0.25 G[1/48]½ A½ G[1/48]½ A0.25")));
    CHECK(same(parse_word("(G[1/2]1 A1)0.25 B0.75 A0.75"),
               parse_word("G[1/32]0.25 A0.25 B0.75 A0.75")));
    CHECK(same(parse_word("G[1/12]½ G[1/12]½ A1"), parse_word("G[1/12]1 A1")));
    CHECK_FALSE(same(parse_word("G[1/12]½ A1 |"), parse_word("G[1/13]½ A1 |")));
    CHECK_FALSE(same(parse_word("B½ A½ |"), verlet));
    CHECK_FALSE(same(parse_word("A½ B1 |"), verlet));
}

TEST_CASE("words of flows with implicit kicks have the order of these at most") {
    const Word implicit = parse_word("S½ I1 S½");
    CHECK(same(implicit, {{FlowKind::kick, 2, 0.5},
                          {FlowKind::drift, all_levels, 0.5},
                          {FlowKind::implicit_kick, 1, 1.0},
                          {FlowKind::drift, all_levels, 0.5},
                          {FlowKind::kick, 2, 0.5}}));
    CHECK(order_of(implicit) == 2);
    CHECK(parse_word("I½ I½").size() == 5); // two kicks are not one
    CHECK(parse_word("J½ J½").size() == 2);
    // Of order 4 where J is a flow.
    const std::string jump = "A0.675603595979828817 J1.351207191959657634 A* J* |";
    CHECK(order_of(parse_word(jump)) == 2);
    std::string kicks = jump;
    for (char& letter : kicks) letter = letter == 'J' ? 'B' : letter;
    CHECK(order_of(parse_word(kicks)) == 4);
    Word damped = parse_word("A½ J1 A½");
    CHECK(order_of(damped) == 2);
    damped[1].theta = 0.8;
    CHECK(order_of(damped) == 1);
    CHECK(claims_of_word(implicit, "").symplectic);
    CHECK_FALSE(claims_of_word(parse_word("A½ J1 A½"), "").symplectic);
    CHECK_FALSE(claims_of_word(parse_word("A½ J1 A½"), "").conserves_spin);
}

TEST_CASE("a level of RESPA is a step of the levels below between two kicks") {
    const std::string respa = "S½ (F½ A1 F½)^n S½", four = word_by_levels(respa, {4});
    const Word two = parse_word("(" + four + ")½ (" + four + ")½", 1, 3);
    const Word three = parse_word(word_by_levels(respa, {4, 2}), 1, 3);
    REQUIRE(three.size() == two.size() + 2);
    CHECK(three.front().level == 3);
    CHECK(three.front().fraction == 0.5);
    CHECK(three.back().level == 3);
    CHECK(same({three.begin() + 1, three.end() - 1}, two));
    CHECK(same(parse_word(word_by_levels(respa, {3})), parse_word("S½ (F½ A1 F½)^3 S½")));
    CHECK(same(parse_word(word_by_levels("M½ (F½ A½ O1 A½ F½)^n M½", {2, 3}), 1, 3),
               parse_word("M½ (M[2]½ (F½ A½ O1 A½ F½)^2 M[2]½)^3 M½", 1, 3)));
    CHECK(same(parse_word(word_by_levels("O½ S½ (F½ A1 F½)^n S½ O½", {2, 3}), 1, 3),
               parse_word("O½ S½ (B[2]½ (F½ A1 F½)^2 B[2]½)^3 S½ O½", 1, 3)));
    CHECK(word_by_levels("B½ A1 B½", {2}) == "B½ A1 B½");
}

TEST_CASE("words that cannot be read are refused with the place") {
    for (const char* text : {"",          "|",           "B",        "B½ A1 B",
                             "Z1",        "B½ A1) B½",   "(B½ A1",   "B½ A1 B½ | A1",
                             "(A1 B1)^0", "(A1 B1)^2.5", "(A1 B1)^", "Bx",
                             "A1/0",      "()1",         "B[0]1",    "B[3]1",
                             "B[1.5]1",   "B[1",         "B[x]1",    "A[1]1",
                             "G1",        "G[1/24",      "G[x]1",    "G[1/0]1"}) {
        INFO(text);
        CHECK_THROWS_AS(parse_word(text), InputError);
    }
}

TEST_CASE("what runs back over itself is symmetric and of even order") {
    CHECK(rc::check("words with |", [] {
        const auto halves = *rc::gen::container<std::vector<int>>(rc::gen::inRange(-9, 10));
        std::string text;
        for (std::size_t k = 0; k < halves.size(); ++k) {
            text += k % 2 == 0 ? "B" : "A";
            text += std::to_string(0.1 * halves[k]) + " ";
        }
        const Word word = parse_word(text + "A* B* |");
        RC_ASSERT(is_symmetric(word));
        RC_ASSERT(order_of(word) % 2 == 0);
    }));
}

TEST_CASE("claims of a free word are found from its fractions") {
    CHECK(claims_of_word(parse_word("B½ A1 B½"), "").order == 2);
    CHECK(claims_of_word(parse_word("A1 B1"), "").order == 1);
    CHECK_FALSE(claims_of_word(parse_word("A1 B1"), "").symmetric);
    CHECK(claims_of_word(parse_word("V1.3512071919596578 V* |"), "").order == 4);
    CHECK(claims_of_word(parse_word("V1.3512071919 V* |"), "").order == 2);
    CHECK(claims_of_word(parse_word("B1/6 A½ G[1/24]2/3 |"), "").order == 4);
    CHECK(claims_of_word(parse_word("B1/6 A½ G[1/23]2/3 |"), "").order == 2);
    CHECK(claims_of_word(parse_word("G[1/24]1 A1"), "").order == 1);
    CHECK(claims_of_word(parse_word("(B1/6 A½ G[1/24]2/3 A½ B1/6)^3"), "").order == 4);
    CHECK(claims_of_word(parse_word("B1/6 A½ G[1/24]1/3 O1 |"), "").order == 2);
    CHECK(claims_of_word(parse_word("B½ A½ O1 |"), "").stochastic);
    for (const char* text : {"B½ A½ Q1 |", "Q½ B½ A1 B½ Q½", "A½ B½ L1 |"}) {
        const Claims of_pairs = claims_of_word(parse_word(text), "");
        CHECK((of_pairs.stochastic && of_pairs.symmetric && of_pairs.conserves_momentum));
        CHECK(of_pairs.order == 2);
    }
    CHECK(parse_word("A1 Q½ Q½ B1").size() == 4); // two are not one over the time of both
    for (const char* text : {"B½ A1 B0.4", "G[1/24]1", "F½ A1 G[1/24]1 S1 F½", "A1", "B1", "F1 A1",
                             "B1 F1 A1", "O2 A1 B1 O-1", "A1 O1", "B½ O½ A1 Q1 O½ B½",
                             "L½ B½ A1 B½ L½ Q1", "Q2 A1 B1 Q-1", "B½ D1 A1 L1 B½"}) {
        INFO(text);
        CHECK_THROWS_AS(claims_of_word(parse_word(text), ""), InputError);
    }
}
