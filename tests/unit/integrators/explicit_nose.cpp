// SPDX-License-Identifier: BSD-3-Clause
/// Nosé-Poincaré in exact flows, with one thermostat and with several.
#include "shadow/integrators/explicit_nose.hpp"

#include "support/catch.hpp"
#include "support/small_systems.hpp"

#include <array>
#include <cmath>

using namespace shadow;
using namespace shadow::test;

namespace {

ExplicitNose explicit_nose(double dt, int chain, const Ramp& kT = 1.0, double mass = 1.0) {
    MethodSettings settings;
    settings.dt = dt;
    settings.kT = kT;
    settings.mass = mass;
    settings.chain = chain;
    return ExplicitNose(settings);
}

double distance_between(const std::vector<double>& a, const std::vector<double>& b) {
    double most = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) most = larger(most, std::abs(a[i] - b[i]));
    return most;
}

/// One step of flows that are written out (Leimkuhler and Reich 2004, section 11.4), of a state
/// (q, s, p, pi) of an oscillator with mass, stiffness, Q and kT of 1.
void written_out(std::vector<double>& z, double h, double energy_0) {
    double &q = z[0], &s = z[1], &p = z[2], &pi = z[3];
    const auto bath = [&] {
        const double c = 1.0 + 0.25 * h * pi;
        s *= c * c;
        pi /= c;
    };
    const auto kick = [&] {
        p -= 0.5 * h * s * q;
        pi -= 0.5 * h * 0.5 * q * q;
    };
    bath();
    kick();
    q += h * p / s;
    pi += h * (0.5 * p * p / (s * s) - (1.0 + std::log(s)) + energy_0);
    kick();
    bath();
}

} // namespace

TEST_CASE("explicit Nosé steps of one thermostat are the flows of the book") {
    SmallSystem system(unit_oscillator());
    ExplicitNose method = explicit_nose(0.05, 1);
    method.prepare(system);
    system.set_state({0.3, 1.0, 1.1, 0.2}, true);
    const double energy_0 = 0.5 * (1.1 * 1.1 + 0.3 * 0.3 + 0.2 * 0.2);
    system.set_scalar(Scalar::energy_0, energy_0);
    std::vector<double> z = system.state(true);
    for (int k = 0; k < 200; ++k) {
        method.step(system);
        written_out(z, 0.05, energy_0);
    }
    CHECK(distance_between(system.state(true), z) < 1e-12); // 200 steps rounded by some 1e-16

    // The sum of its errors at the time 10 is known: 3.5e-3.
    SmallSystem start(unit_oscillator());
    method.prepare(start);
    start.set_state({0.3, 1.0, 1.1, 0.2}, true);
    start.set_scalar(Scalar::energy_0, energy_0);
    const auto exact = reference_solution(start, method.extended_energy(start), 10.0, 20000);
    double error = 0.0;
    for (std::size_t i = 0; i < z.size(); ++i) error += std::abs(z[i] - exact[i]);
    CHECK(std::abs(error - 3.5e-3) < 5e-5);
}

TEST_CASE("an explicit Nosé bath begins on its energy surface, each thermostat with kT/2") {
    for (const int chain : {1, 2, 5}) {
        SmallSystem system(pendulum());
        system.set_scalar(Scalar::s, 2.0);
        system.set_scalar(Scalar::pi, -1.0);
        ExplicitNose method = explicit_nose(0.01, chain, 0.7, 3.0);
        method.prepare(system);
        CHECK(system.scalar(Scalar::s) == 1.0);
        CHECK(std::abs(system.scalar(Scalar::energy_0) - system.conserved(method)) < 1e-14);
        const double own =
            system.conserved(method) - system.kinetic_energy() - system.potential_energy();
        CHECK(std::abs(own - 0.35 * (chain - 1)) < 1e-14);
        CHECK(system.state(true).size() == 2 * static_cast<std::size_t>(chain + 1));
    }
}

TEST_CASE("chains of any length conserve the energy of explicit Nosé steps, and go back") {
    for (const int chain : {1, 2, 3, 8}) {
        double swing[2];
        for (const int finer : {1, 2}) {
            SmallSystem system(pendulum());
            ExplicitNose method = explicit_nose(0.02 / finer, chain, 0.8, 20.0);
            method.prepare(system);
            const double start = system.conserved(method);
            const std::vector<double> from = system.state(true);
            swing[finer - 1] = 0.0;
            for (int k = 0; k < 500 * finer; ++k) {
                method.step(system);
                swing[finer - 1] =
                    larger(swing[finer - 1], std::abs(system.conserved(method) - start));
            }
            system.flip();
            for (int k = 0; k < 500 * finer; ++k) method.step(system);
            system.flip();
            CHECK(distance_between(system.state(true), from) < 1e-11);
        }
        INFO("chain " << chain << ": " << swing[0] << ", " << swing[1]);
        CHECK(std::abs(std::log2(swing[0] / swing[1]) - 2.0) < 0.1);
    }
}

TEST_CASE("what a changing temperature gives to an explicit Nosé bath is accounted for") {
    for (const int chain : {1, 3}) {
        double swing[2];
        for (const int finer : {1, 2}) {
            SmallSystem system(unit_oscillator());
            ExplicitNose method =
                explicit_nose(0.01 / finer, chain, Ramp({{0, 0.8}, {200 * finer, 1.6}}), 10.0);
            CHECK(method.steady_from() == 200 * finer);
            method.prepare(system);
            const double start = system.conserved(method);
            swing[finer - 1] = 0.0;
            for (int k = 0; k < 200 * finer; ++k) {
                method.step(system);
                swing[finer - 1] =
                    larger(swing[finer - 1], std::abs(system.conserved(method) - start));
            }
            CHECK(std::abs(system.scalar(Scalar::work)) > 0.01);
        }
        CHECK(std::abs(std::log2(swing[0] / swing[1]) - 2.0) < 0.1);
    }
}

TEST_CASE("a step too large for an explicit Nosé bath is told") {
    for (const int chain : {1, 3}) {
        SmallSystem system(unit_oscillator());
        ExplicitNose method = explicit_nose(5.0, chain, 1.0, 0.01);
        method.prepare(system);
        for (int k = 0; k < 3 && system.scalar(Scalar::failed) == 0.0; ++k) method.step(system);
        CHECK(system.scalar(Scalar::failed) == 1.0);
        CHECK(system.scalar(Scalar::s) > 0.0);
    }
}

TEST_CASE("two thermostats that scale each other make one oscillator canonical") {
    // Moments of q^2, p^2 in units of kT; one thermostat alone has 0.8255, 1, 1.834 and 2.175.
    const auto moments = [](int chain) {
        SmallSystem system(unit_oscillator());
        ExplicitNose method = explicit_nose(0.01, chain);
        method.prepare(system);
        double sum[4] = {};
        const int steps = 1000000;
        for (int k = 0; k < steps; ++k) {
            method.step(system);
            const double s = system.scalar(Scalar::s), p = system.p()[0] / s, q = system.q()[0];
            const double add[] = {q * q, p * p, q * q * q * q, p * p * p * p};
            for (int i = 0; i < 4; ++i) sum[i] += add[i] / steps;
        }
        REQUIRE(system.scalar(Scalar::failed) == 0.0);
        return std::array{sum[0], sum[1], sum[2] / (sum[0] * sum[0]), sum[3] / (sum[1] * sum[1])};
    };
    const auto one = moments(1), two = moments(2);
    const double torus[] = {0.8255, 1.0, 1.834, 2.175}, canonical[] = {1.0, 1.0, 3.0, 3.0};
    // By blocks: 0.03 of <q^2>, 0.15 of kurtoses.
    const double error[] = {0.12, 0.02, 0.6, 0.6};
    for (std::size_t i = 0; i < 4; ++i) {
        INFO(i << ": " << one[i] << ", " << two[i]);
        CHECK(std::abs(one[i] - torus[i]) < 2e-3);
        CHECK(std::abs(two[i] - canonical[i]) < error[i]);
    }
}
