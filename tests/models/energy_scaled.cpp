// SPDX-License-Identifier: BSD-3-Clause
/// Steps scaled by energies and doubled systems: Hamiltonian, of order two, reversible.
#include "src/models/energy_scaled.hpp"

#include "src/models/runge_kutta.hpp"
#include "support/catch.hpp"
#include "support/maps.hpp"

using namespace shadow;
using namespace shadow::models;

namespace {

/// One coordinate on a quartic spring, with a kinetic energy that is not even.
Separable uneven() {
    return {1, [](const double* p) { return p[0] * p[0] * (0.5 - 0.1 * p[0]); },
            [](const double* p, double* v) { v[0] = p[0] * (1.0 - 0.3 * p[0]); },
            [](const double* q) { return 1.0 + 0.25 * q[0] * q[0] * q[0] * q[0]; },
            [](const double* q, double* g) { g[0] = q[0] * q[0] * q[0]; }};
}

const State uneven_start = {0.8, 0.5};

} // namespace

TEST_CASE("steps scaled by energies are those of a Hamiltonian, and follow the motion") {
    const Separable h = uneven();
    const double energy = h.energy(uneven_start);
    const EnergyScaled scaled(
        h, [energy](double t) { return 1.0 / std::sqrt(energy - t); },
        [](double v) { return 1.0 / std::sqrt(v); });
    const EnergyScaled plain(h);
    const Map step = step_of(scaled, "verlet", 0.1);
    CHECK(defect_at(step, uneven_start) < 1e-8);
    const State there = after(step, uneven_start, 10);
    CHECK(distance(after(step_of(scaled, "verlet", -0.1), there, 10), uneven_start) < 1e-13);
    // In the time of the motion: of order two, since dt is known to that order alone.
    const auto error = [&](int steps) {
        const double dtau = 2.0 / steps;
        State z = uneven_start;
        double time = 0.0;
        const Map one = step_of(scaled, "verlet", dtau);
        for (int k = 0; k < steps; ++k) {
            const double before = 1.0 / std::sqrt(h.potential(z.data()));
            one(z);
            time += 0.5 * dtau * (before + 1.0 / std::sqrt(h.potential(z.data())));
        }
        return distance(z, after(step_of(plain, "mclachlan-8", time / 200), uneven_start, 200));
    };
    CHECK(std::abs(std::log2(error(64) / error(128)) - 2.0) < 0.1);
    // Without a scale the motion is that of the Hamiltonian.
    const Rate rate = [&](const State& z, State& f) {
        h.velocity(&z[1], &f[0]);
        h.gradient(&z[0], &f[1]);
        f[1] = -f[1];
    };
    CHECK(distance(after(step_of(plain, "mclachlan-8", 0.02), uneven_start, 50),
                   after(step_of(rate, gauss(3), 0.02), uneven_start, 50)) < 1e-10);
}

TEST_CASE("halves of a doubled system are Hamiltonian, and both together follow the motion") {
    const Separable h = uneven();
    const double energy = h.energy(uneven_start);
    const auto scale = [](double q) { return 1.0 / (1.0 + q * q); };
    const auto slope = [](double q) { return -2.0 * q / ((1.0 + q * q) * (1.0 + q * q)); };
    const DoubledHalf one(h, energy, scale, slope, 0), other(h, energy, scale, slope, 1);
    const State apart = {0.8, 0.7, 0.5, 0.6};
    for (const DoubledHalf* half : {&one, &other}) {
        CHECK(defect_at(step_of(*half, "verlet", 0.2), apart) < 1e-8);
        State z = apart;
        const double before = half->energy(z);
        z = after(step_of(*half, "mclachlan-8", 0.02), z, 50);
        CHECK(std::abs(half->energy(z) - before) < 1e-12);
        CHECK(distance(z, apart) > 0.1);
    }
    const auto error = [&](int steps) {
        const double eps = 2.0 / steps;
        const Map first = step_of(other, "position-verlet", eps),
                  second = step_of(one, "position-verlet", eps);
        State z = {0.8, 0.8, 0.5, 0.5};
        double largest = 0.0;
        for (int k = 0; k < steps; ++k) {
            first(z);
            second(z);
            const State mean = {0.5 * (z[0] + z[1]), 0.5 * (z[2] + z[3])};
            largest = std::max(largest, std::abs(h.energy(mean) - energy));
        }
        return largest;
    };
    CHECK(std::abs(std::log2(error(64) / error(128)) - 2.0) < 0.2);
}
