// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/system/nearest_partner.hpp"

#include "support/catch.hpp"

#include <limits>

using namespace shadow;

TEST_CASE("the nearest partner is found through the walls of the box") {
    Snapshot<2> s;
    s.position = {{0.5, 5.0}, {9.75, 5.0}, {2.0, 5.0}, {0.5, 9.5}};
    const Box<2> periodic({10.0, 10.0}, {true, true});
    CHECK(nearest_partner(s, periodic, 0).id == 1);
    CHECK(nearest_partner(s, periodic, 0).distance == 0.75);
    CHECK(nearest_partner(s, Box<2>{}, 0).id == 2);
    CHECK(nearest_partner(s, Box<2>{}, 0).distance == 1.5);
    CHECK(surroundings(s, periodic, 0) == "its nearest partner is particle 1 at distance 0.75");
    s.position.resize(1);
    CHECK(nearest_partner(s, periodic, 0).distance == std::numeric_limits<double>::infinity());
    CHECK(surroundings(s, periodic, 0) == "it has no partner");
}

TEST_CASE("a lost particle is no partner and has none") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    Snapshot<2> s;
    s.position = {{nan, nan}, {2.0, 5.0}, {3.5, 5.0}, {5.0, nan}};
    const Box<2> periodic({10.0, 10.0}, {true, true});
    CHECK(nearest_partner(s, periodic, 1).id == 2);
    CHECK(nearest_partner(s, periodic, 1).distance == 1.5);
    CHECK(nearest_partner(s, periodic, 0).distance == std::numeric_limits<double>::infinity());
    CHECK(surroundings(s, periodic, 0)
              .starts_with("2 of 4 particles have no place any more, so which of them collided is "
                           "not known"));
    // One that crossed more boxes than a number holds may be anywhere.
    s.position = {{1.0, 5.0}, {1.0, 5.0}, {3.5, 5.0}, {5.0, nan}};
    s.image = {{2'000'000'000, 0}, {0, 0}, {-3, 8}, {0, 0}};
    CHECK(nearest_partner(s, periodic, 1).id == 2);
    CHECK(nearest_partner(s, periodic, 0).distance == std::numeric_limits<double>::infinity());
}
