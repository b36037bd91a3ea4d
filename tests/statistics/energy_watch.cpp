// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/statistics/energy_watch.hpp"

#include "support/catch.hpp"

#include "shadow/core/error.hpp"

#include <cmath>
#include <limits>

using namespace shadow;

namespace {

/// A liquid of 500 particles: K = 750, U = -2500.
constexpr EnergyLook liquid{0, 750.0, -2500.0, -1750.0};

EnergyWatch watching(const EnergyLook& start, double bath_kinetic = 0.0) {
    EnergyWatch watch;
    watch.begin(start, bath_kinetic);
    return watch;
}

} // namespace

TEST_CASE("an explosion is judged by the energies before it") {
    EnergyWatch watch = watching(liquid);
    watch.look({50, 700.0, -2450.0, -1750.0});
    CHECK_FALSE(watch.exploded());
    watch.look({100, 1e40, 1e30, 1e40});
    REQUIRE(watch.exploded());
    CHECK(watch.explosion().find("between steps 50 and 100 (") != std::string::npos);
    // What comes later does not move it.
    watch.look({150, 700.0, -2450.0, -1750.0});
    CHECK(watch.last_good().step == 50);
}

TEST_CASE("what is not finite has exploded") {
    const double bad =
        GENERATE(std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity());
    const int which = GENERATE(0, 1, 2);
    EnergyWatch watch = watching(liquid);
    EnergyLook look{50, 750.0, -2500.0, -1750.0};
    (which == 0 ? look.kinetic : which == 1 ? look.potential : look.conserved) = bad;
    watch.look(look);
    CHECK(watch.exploded());
    CHECK_FALSE(watch.plausible(bad));
}

TEST_CASE("heat that can be accounted for is no explosion") {
    // A crystal at rest that collapses: all of K comes from U.
    EnergyWatch cold = watching({0, 0.0, -100.0, -100.0});
    cold.look({50, 5e4, -5.01e4, -100.0});
    CHECK_FALSE(cold.exploded());
    // A bath warms what is at rest without any force; rounding is all that the conserved quantity
    // shows.
    EnergyWatch warmed = watching({0, 0.0, 0.0, 0.0}, 750.0);
    warmed.look({50, 740.0, 0.0, 1e-13});
    CHECK_FALSE(warmed.exploded());
    // A perfect lattice at rest moves by rounding alone.
    EnergyWatch still = watching({0, 0.0, -2500.0, -2500.0});
    still.look({50, 1e-20, -2500.0, -2500.0 + 1e-9});
    CHECK_FALSE(still.exploded());
    // Nothing moves, nothing acts.
    EnergyWatch nothing = watching({0, 0.0, 0.0, 0.0});
    nothing.look({50, 0.0, 0.0, 0.0});
    CHECK_FALSE(nothing.exploded());
}

TEST_CASE("energy that comes step by step is found at a hundred times the start") {
    EnergyWatch watch = watching(liquid);
    EnergyLook look = liquid;
    while (!watch.exploded() && look.step < 100'000) {
        look.step += 50; // a resonance that adds a fifth each time
        look.kinetic *= 1.2;
        look.conserved = look.kinetic + look.potential;
        watch.look(look);
    }
    CHECK(watch.exploded());
    CHECK(look.kinetic < 1.2 * (100.0 * 750.0 + 2500.0));
}

TEST_CASE("a bath that takes the energy of a collision away does not hide it") {
    EnergyWatch watch = watching(liquid, 750.0);
    watch.look({50, 760.0, -2480.0, 1e5});
    CHECK(watch.exploded());
}

TEST_CASE("a slow drift of the conserved quantity is none, however far apart the looks are") {
    // 0.1 kT per degree of freedom and thousand steps, which friction takes away.
    const std::int64_t every = GENERATE(50, 1000, 1'000'000);
    EnergyWatch watch = watching(liquid, 750.0);
    for (std::int64_t step = every; step <= 20 * every; step += every)
        watch.look({step, 750.0, -2500.0, -1750.0 + 0.15 * static_cast<double>(step)});
    CHECK_FALSE(watch.exploded());
}

TEST_CASE("what a few degrees of freedom exchange with a bath in a long step is no explosion") {
    const EnergyLook oscillator{0, 0.1, 0.2, 0.3};
    const auto explodes = [&](double conserved, double degrees_of_freedom) {
        EnergyWatch watch;
        watch.begin(oscillator, 0.5, false, degrees_of_freedom);
        watch.look({10, 0.4, 0.3, conserved});
        EnergyWatch other;
        other.begin(oscillator, 0.5, false, 1e6);
        other.restore(other.state(), degrees_of_freedom);
        other.look({10, 0.4, 0.3, conserved});
        CHECK(watch.exploded() == other.exploded());
        return watch.exploded();
    };
    // The energy is 0.8 with the bath.
    CHECK_FALSE(explodes(0.3 + 4.4 * 0.8, 1.0));
    CHECK(explodes(0.3 + 4.6 * 0.8, 1.0));
    CHECK_FALSE(explodes(0.3 + 0.89 * 0.8, 100.0));
    CHECK(explodes(0.3 + 0.91 * 0.8, 100.0));
    CHECK(explodes(0.3 + 0.6 * 0.8, 3000.0));
}

TEST_CASE("a restored watch finds the same") {
    EnergyWatch watch = watching(liquid, 700.0);
    watch.look({50, 800.0, -2500.0, -1740.0});
    EnergyWatch copy;
    copy.restore(watch.state());
    CHECK(copy.last_good().step == 50);
    CHECK(copy.state() == watch.state());
    // 100 (750 + 700) + 2500 is the most.
    CHECK(copy.plausible(147'500.0));
    CHECK_FALSE(copy.plausible(147'500.1));
    for (EnergyWatch* one : {&watch, &copy}) one->look({100, 1e9, -2500.0, 1e9});
    CHECK(copy.explosion() == watch.explosion());
    CHECK_THROWS_AS(copy.restore(std::vector{1.0, 2.0}), InputError);
}
