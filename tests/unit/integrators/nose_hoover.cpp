// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/nose_hoover.hpp"

#include "support/catch.hpp"
#include "support/small_systems.hpp"

#include <cmath>
#include <numbers>

using namespace shadow;
using namespace shadow::test;

namespace {

NoseHoover thermostat(double dt, double period, int chain) {
    MethodSettings settings;
    settings.dt = dt;
    settings.kT = 1.0;
    settings.period = period;
    settings.chain = chain;
    return NoseHoover(settings);
}

struct ThermostatMoments {
    double q2 = 0.0, p2 = 0.0, p4 = 0.0;
};

ThermostatMoments sample(int chain, int steps) {
    SmallSystem system(unit_oscillator());
    // Q = 1: 2 kT (t / 2 pi)^2.
    NoseHoover bath = thermostat(0.02, std::numbers::sqrt2 * std::numbers::pi, chain);
    bath.prepare(system);
    ThermostatMoments sum;
    for (int k = 0; k < steps; ++k) {
        bath.step(system);
        const double q = system.q()[0], p = system.p()[0];
        sum.q2 += q * q / steps;
        sum.p2 += p * p / steps;
        sum.p4 += p * p * p * p / steps;
    }
    return sum;
}

} // namespace

TEST_CASE("a chain of Nosé-Hoover thermostats samples one oscillator, a single one does not") {
    // Canonical: 1, 1 and 3. Of a chain averages converge like those of noise with a correlation
    // time of some periods, 2 pi: over t = 40,000 errors are 0.02 of a square, 0.08 of a fourth
    // power. A single thermostat of mass 1 stays on a torus (Martyna, Klein and Tuckerman 1992).
    const ThermostatMoments chain = sample(3, 2000000);
    CAPTURE(chain.q2, chain.p2, chain.p4);
    CHECK(std::abs(chain.q2 - 1.0) < 0.06);
    CHECK(std::abs(chain.p2 - 1.0) < 0.06);
    CHECK(std::abs(chain.p4 - 3.0) < 0.3);
    const ThermostatMoments single = sample(1, 2000000);
    CAPTURE(single.q2, single.p2, single.p4);
    CHECK(std::abs(single.p2 - 1.0) < 1e-3); // v returns, so the mean of its drive is 0
    CHECK(std::abs(single.p4 - 3.0) > 0.5);
}

TEST_CASE("the temperature under a Nosé-Hoover thermostat swings with the period that was given") {
    // Free particles feel nothing but the thermostat: K' = -2 v K, Q v' = 2 K - g kT, of which
    // small swings have omega^2 = 2 g kT / Q.
    Problem free = free_particle();
    const double g = SmallSystem(free).degrees_of_freedom();
    for (std::size_t i = 0; i < 2; ++i) // 1 % above g kT
        free.p[i] = std::sqrt(0.5 * 1.01 * g * free.mass[i]);
    for (const double period : {0.7, 3.0}) {
        SmallSystem system(free);
        NoseHoover bath = thermostat(0.001 * period, period, 1);
        bath.prepare(system);
        CHECK(bath.bath_period(system.degrees_of_freedom()) == period);
        int crossings = 0;
        double before = 1.0;
        for (int k = 0; k < 10000; ++k) { // ten swings, from the top
            bath.step(system);
            const double above = 2.0 * system.kinetic_energy() - system.degrees_of_freedom();
            crossings += above * before < 0.0;
            before = above;
        }
        CAPTURE(period, system.degrees_of_freedom(), crossings);
        CHECK(crossings == 20);
    }
}

TEST_CASE("errors of Nosé-Hoover and of its energy fall fourfold when the step is halved") {
    const auto largest_error = [](double dt) {
        SmallSystem system(pendulum());
        NoseHoover bath = thermostat(dt, 4.0, 3);
        bath.prepare(system);
        const double start = system.conserved(bath);
        CHECK(std::abs(start - system.kinetic_energy() - system.potential_energy()) < 1e-15);
        double largest = 0.0;
        while (system.time() < 20.0 - 0.5 * dt) {
            bath.step(system);
            largest = larger(largest, std::abs(system.conserved(bath) - start));
        }
        return largest;
    };
    const double coarse = largest_error(0.02), fine = largest_error(0.01);
    CAPTURE(coarse, fine);
    CHECK(coarse > 1e-5);
    CHECK(coarse / fine > 3.8);
    CHECK(coarse / fine < 4.2);
}

TEST_CASE("prepare lets a chain begin at rest") {
    SmallSystem system(pendulum());
    NoseHoover bath = thermostat(0.05, 2.0, 4);
    for (int k = 0; k < max_chain; ++k) {
        system.set_scalar(of_row(Scalar::chain_velocity, k), 1.0);
        system.set_scalar(of_row(Scalar::chain_position, k), 2.0);
    }
    system.set_scalar(Scalar::work, 3.0);
    bath.prepare(system);
    CHECK(system.scalar(Scalar::chain_velocity) == 0.0);
    CHECK(bath.extended_energy(system).chain.length == 4);
    const double energy = system.kinetic_energy() + system.potential_energy();
    CHECK(system.conserved(bath) == energy);
    for (int k = 0; k < 100; ++k) bath.step(system);
    for (int k = 0; k < 4; ++k) CHECK(system.scalar(of_row(Scalar::chain_velocity, k)) != 0.0);
    CHECK(system.scalar(of_row(Scalar::chain_velocity, 4)) == 0.0);
}
