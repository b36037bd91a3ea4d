// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/momentum_rescaling.hpp"

#include "support/catch.hpp"
#include "support/small_systems.hpp"

#include "kernels/chi_square.hpp"

#include <cmath>

using namespace shadow;
using namespace shadow::test;

namespace {

StochasticRescaling thermostat(double dt, double time) {
    MethodSettings settings;
    settings.dt = dt;
    settings.kT = 0.8;
    settings.time = time;
    return StochasticRescaling(settings);
}

/// `count` free particles on a line, all with momentum p.
Problem free_particles(std::size_t count, double p) {
    Problem free = free_particle();
    free.mass.assign(count, 1.0);
    free.q.assign(count, 0.0);
    free.p.assign(count, p);
    free.gradient = [](const double*, ForceLevel, double*) {}; // stays 0
    free.translation_invariant = false;
    return free;
}

} // namespace

TEST_CASE("sums of squares of normal numbers have the moments of chi-square") {
    // Of k degrees of freedom: mean k, variance 2 k, third central moment 8 k.
    constexpr int n = 200000;
    for (const double k : {0.5, 1.0, 2.0, 3.0, 14.0, 1499.0}) {
        double mean = 0.0, square = 0.0, cube = 0.0;
        for (int i = 0; i < n; ++i) {
            const double x = chi_square(k, 5, 8, static_cast<std::uint64_t>(i), 2) - k;
            mean += x / n;
            square += x * x / n;
            cube += x * x * x / n;
        }
        CAPTURE(k, mean, square, cube);
        // Their variances over n: 2 k, 8 k^2 + 48 k, and for the third below 120 k^3 + 6000 k^2 +
        // 4e4 k.
        CHECK(std::abs(mean) < 4.5 * std::sqrt(2.0 * k / n));
        CHECK(std::abs(square - 2.0 * k) < 4.5 * std::sqrt((8.0 * k * k + 48.0 * k) / n));
        CHECK(std::abs(cube - 8.0 * k) <
              4.5 * std::sqrt((120.0 * k * k * k + 6000.0 * k * k + 4e4 * k) / n));
    }
}

TEST_CASE("the kinetic energy of free particles relaxes to a canonical one, at any step") {
    // <K> - g kT/2 falls as exp(-t / time), and K is a sum of squares in the end.
    for (const std::size_t g : {1UL, 2UL, 7UL})
        for (const double dt : {0.1, 1.5}) {
            CAPTURE(g, dt);
            constexpr int runs = 20000;
            const int steps = static_cast<int>(std::lround(1.5 / dt));
            const double wanted = 0.5 * static_cast<double>(g) * 0.8,
                         start = 0.5 * static_cast<double>(g) * 4.0;
            double mean = 0.0, square = 0.0;
            for (int r = 0; r < runs; ++r) {
                SmallSystem system(free_particles(g, 2.0), static_cast<std::uint64_t>(r));
                StochasticRescaling bath = thermostat(dt, 1.0);
                bath.prepare(system);
                for (int k = 0; k < steps; ++k) bath.step(system);
                mean += system.kinetic_energy() / runs;
                square += system.kinetic_energy() * system.kinetic_energy() / runs;
            }
            const double error = std::sqrt((square - mean * mean) / runs);
            CHECK(std::abs(mean - wanted - (start - wanted) * std::exp(-1.5)) < 4.5 * error);

            SmallSystem system(free_particles(g, 2.0), 3);
            StochasticRescaling bath = thermostat(dt, 0.5 * dt);
            bath.prepare(system);
            double first = 0.0, second = 0.0;
            constexpr int samples = 100000; // correlated by exp(-2)
            for (int k = 0; k < samples; ++k) {
                bath.step(system);
                const double x = system.kinetic_energy() / wanted;
                first += x / samples;
                second += x * x / samples;
            }
            const double variance = 2.0 / static_cast<double>(g);
            CHECK(std::abs(first - 1.0) < 6.0 * std::sqrt(variance / samples));
            CHECK(std::abs(second - first * first - variance) <
                  6.0 * std::sqrt((variance * variance * (2.0 + 6.0 * variance)) / samples));
        }
}

TEST_CASE(
    "an oscillator under stochastic rescaling is canonical, and its energy is accounted for") {
    SmallSystem system(unit_oscillator(), 11);
    StochasticRescaling bath = thermostat(0.05, 0.5);
    bath.prepare(system);
    const double start = system.conserved(bath);
    double q2 = 0.0, p2 = 0.0, p4 = 0.0, worst = 0.0;
    constexpr int steps = 1000000; // t = 50,000; energies are correlated over some 2
    for (int k = 0; k < steps; ++k) {
        bath.step(system);
        const double q = system.q()[0], p = system.p()[0];
        q2 += q * q / steps;
        p2 += p * p / steps;
        p4 += p * p * p * p / steps;
        worst = larger(worst, std::abs(system.conserved(bath) - start));
    }
    CAPTURE(q2, p2, p4, worst);
    CHECK(std::abs(q2 - 0.8) < 0.03);
    CHECK(std::abs(p2 - 0.8) < 0.03);
    CHECK(std::abs(p4 - 3.0 * 0.64) < 0.15);
    // Verlet's energy swings by (omega dt)^2 / 8 of itself; what is left of that at each change of
    // the energy adds up at random.
    CHECK(worst < 0.5);
    CHECK(std::abs(system.scalar(Scalar::bath_heat)) > 0.0);
}

TEST_CASE("weak coupling brings the kinetic energy to its mean by dt / time in a step") {
    MethodSettings settings;
    settings.dt = 0.1;
    settings.kT = 0.8;
    settings.time = 0.5;
    WeakCoupling bath(settings);
    SmallSystem system(free_particles(7, 2.0));
    bath.prepare(system);
    const double start = system.conserved(bath), wanted = 0.5 * 7.0 * 0.8;
    double expected = system.kinetic_energy();
    for (int k = 0; k < 50; ++k) {
        bath.step(system);
        expected += 0.2 * (wanted - expected);
        CHECK(std::abs(system.kinetic_energy() - expected) < 1e-13 * expected);
    }
    CHECK(std::abs(system.conserved(bath) - start) < 1e-12);
    CHECK_FALSE(bath.samples_ensemble());
    SmallSystem still(free_particles(3, 0.0));
    bath.step(still);
    CHECK(still.kinetic_energy() == 0.0);
}

TEST_CASE("weak coupling has the order which it claims") {
    const auto end = [](int steps) {
        MethodSettings settings;
        settings.dt = 2.0 / steps;
        settings.kT = 0.3;
        settings.time = 1.0;
        WeakCoupling bath(settings);
        SmallSystem system(unit_oscillator());
        bath.prepare(system);
        for (int k = 0; k < steps; ++k) bath.step(system);
        return system.q()[0];
    };
    const double order = std::log2((end(100) - end(200)) / (end(200) - end(400)));
    CHECK(std::abs(order - WeakCoupling({}).claims().order) < 0.1);
}
