// SPDX-License-Identifier: BSD-3-Clause
#include "support/catch.hpp"
#include "support/small_systems.hpp"

#include "shadow/integrators/registry.hpp"

#include <cmath>

using namespace shadow;
using namespace shadow::test;

namespace {

constexpr double mass = 2.0, stiffness = 3.0, kT = 0.8, friction = 0.7;

std::unique_ptr<Integrator> make(const std::string& name, double dt) {
    MethodSettings settings;
    settings.dt = dt;
    settings.kT = kT;
    settings.friction = friction;
    return find_integrator(name)->make(settings);
}

OscillatorMoments equilibrium(const std::string& name, double dt) {
    OscillatorMoments moments(mass, stiffness);
    const auto method = make(name, dt);
    // Correlations decay at least as exp(-friction t / 2): below 1e-16 after t = 110.
    while (static_cast<double>(moments.step()) * dt < 200.0) method->step(moments);
    return moments;
}

/// Moments (qq, qp, pp) after time t of the Langevin equation itself, by Runge-Kutta.
std::array<double, 3> exact_moments(std::array<double, 3> x, double t) {
    auto rate = [](const std::array<double, 3>& y) -> std::array<double, 3> {
        return {2.0 * y[1] / mass, y[2] / mass - stiffness * y[0] - friction * y[1],
                -2.0 * stiffness * y[1] - 2.0 * friction * (y[2] - kT * mass)};
    };
    auto along = [](std::array<double, 3> y, const std::array<double, 3>& k, double h) {
        for (std::size_t i = 0; i < 3; ++i) y[i] += h * k[i];
        return y;
    };
    const int steps = 2000;
    const double h = t / steps;
    for (int n = 0; n < steps; ++n) {
        const auto a = rate(x), b = rate(along(x, a, h / 2)), c = rate(along(x, b, h / 2)),
                   d = rate(along(x, c, h));
        for (std::size_t i = 0; i < 3; ++i) x[i] += h / 6 * (a[i] + 2 * (b[i] + c[i]) + d[i]);
    }
    return x;
}

} // namespace

TEST_CASE("stochastic methods have the weak order which they claim") {
    const double t = 2.0;
    const auto exact = exact_moments({1.0, -0.3, 0.5}, t);
    auto error = [&](const IntegratorEntry& entry, int steps) {
        OscillatorMoments moments(mass, stiffness);
        moments.qq = 1.0, moments.qp = -0.3, moments.pp = 0.5;
        const auto method = make(entry.descriptor.name, t / steps);
        for (int k = 0; k < steps; ++k) method->step(moments);
        return larger(larger(std::abs(moments.qq - exact[0]), std::abs(moments.qp - exact[1])),
                      std::abs(moments.pp - exact[2]));
    };
    int found = 0;
    for (const IntegratorEntry& entry : integrators()) {
        if (entry.descriptor.name == "splitting") continue;
        const Claims claims = make(entry.descriptor.name, 0.1)->claims();
        if (!claims.stochastic) continue;
        ++found;
        const double order = std::log2(error(entry, 50) / error(entry, 100));
        INFO(entry.descriptor.name << ": weak order " << order);
        CHECK(std::abs(order - claims.order) < 0.1);
    }
    CHECK(found >= 3);
}

TEST_CASE("BAOAB samples harmonic positions exactly at any stable step") {
    // Leimkuhler and Matthews 2013; h omega up to 1.96 of 2. The momenta carry the bias
    // 1 - (h omega)^2 / 4 instead. OBABO keeps p Gaussian and Verlet's modified Hamiltonian
    // p^2/2m + (1 - (h omega)^2 / 4) k q^2 / 2, so its bias sits in the positions.
    const double omega = std::sqrt(stiffness / mass);
    for (const double dt : {0.1, 0.8, 1.6}) {
        const double shrink = 1.0 - dt * dt * omega * omega / 4.0;
        const OscillatorMoments exact = equilibrium("baoab", dt);
        CHECK(std::abs(exact.qq - kT / stiffness) < 1e-13);
        CHECK(std::abs(exact.pp - kT * mass * shrink) < 1e-13);
        const OscillatorMoments biased = equilibrium("obabo", dt);
        CHECK(std::abs(biased.qq - kT / (stiffness * shrink)) < 1e-12);
        CHECK(std::abs(biased.pp - kT * mass) < 1e-12);
    }
}

TEST_CASE("the noise of the bath has the temperature of the bath") {
    // t = 4e5, correlation time of q^2 about 2 / friction = 3: 1.3e5 independent samples, a
    // variance is good to sqrt(2 / 1.3e5) = 0.4 %; bounds are five of these.
    SmallSystem system(oscillator(), 42);
    const double dt = 0.8;
    const auto method = make("baoab", dt);
    double q2 = 0.0, p2 = 0.0;
    const int steps = 500000;
    for (int k = 0; k < steps; ++k) {
        method->step(system);
        q2 += system.q()[0] * system.q()[0] / steps;
        p2 += system.p()[0] * system.p()[0] / steps;
    }
    const double shrink = 1.0 - dt * dt * stiffness / mass / 4.0;
    CHECK(std::abs(q2 * stiffness / kT - 1.0) < 0.02);
    CHECK(std::abs(p2 / (kT * mass * shrink) - 1.0) < 0.02);
}

TEST_CASE("bath heat is what the bath does to the kinetic energy") {
    for (const char* name : {"baoab", "aboba", "obabo"}) {
        SmallSystem system(free_particle());
        const auto method = make(name, 0.1);
        const double start = system.conserved(*method);
        double heat = 0.0;
        for (int k = 0; k < 1000; ++k) {
            method->step(system);
            heat = larger(heat, std::abs(system.bath_heat()));
        }
        INFO(name);
        CHECK(heat > 0.1);
        // 2000 additions to a heat of a few: 2000 * 4e-16.
        CHECK(std::abs(system.conserved(*method) - start) < 1e-12);
    }
}
