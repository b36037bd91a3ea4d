// SPDX-License-Identifier: BSD-3-Clause
/// Nosé's method in its separated form: steps that are s dt long, and averages with that weight.
#include "shadow/integrators/separated_nose.hpp"

#include "support/catch.hpp"
#include "support/small_systems.hpp"

#include <array>
#include <cmath>

using namespace shadow;
using namespace shadow::test;

namespace {

SeparatedNose separated_nose(double dt, const Ramp& kT = 1.0, double mass = 1.0) {
    MethodSettings settings;
    settings.dt = dt;
    settings.kT = kT;
    settings.mass = mass;
    return SeparatedNose(settings);
}

/// V = (x^4 + y^4) / 4 + 3 x^2 y^2 / 2: its mean is kT / 2, by the virial.
Problem quartic_wells() {
    return {"quartic wells",
            {1.0, 1.0},
            {0.4, -0.7},
            {1.1, 0.6},
            [](const double* q, ForceLevel) {
                const double a = q[0] * q[0], b = q[1] * q[1];
                return 0.25 * (a * a + b * b) + 1.5 * a * b;
            },
            [](const double* q, ForceLevel, double* g) {
                g[0] = q[0] * (q[0] * q[0] + 3.0 * q[1] * q[1]);
                g[1] = q[1] * (q[1] * q[1] + 3.0 * q[0] * q[0]);
            }};
}

} // namespace

TEST_CASE("separated Nosé steps are Verlet's in the logarithm of s") {
    SmallSystem system(unit_oscillator());
    SeparatedNose method = separated_nose(0.03, 0.7, 2.0);
    method.prepare(system);
    double q = 0.0, theta = 0.0, p = 1.0, momentum = 0.0, time = 0.0;
    const double energy = 0.5;
    const auto kick = [&] {
        const double square = std::exp(2.0 * theta);
        p -= 0.015 * square * q;
        momentum -= 0.015 * square * (2.0 * (0.5 * q * q + 0.7 * theta - energy) + 0.7);
    };
    for (int k = 0; k < 300; ++k) {
        method.step(system);
        kick();
        const double before = std::exp(theta);
        q += 0.03 * p;
        theta += 0.03 * momentum / 2.0;
        time += 0.015 * (before + std::exp(theta));
        kick();
    }
    // 300 steps rounded by some 1e-16.
    CHECK(std::abs(system.q()[0] - q) < 1e-12);
    CHECK(std::abs(system.p()[0] - p) < 1e-12);
    CHECK(std::abs(system.scalar(Scalar::s) - std::exp(theta)) < 1e-12);
    CHECK(std::abs(system.scalar(Scalar::pi) - momentum * std::exp(-theta)) < 1e-12);
    CHECK(std::abs(system.time() - time) < 1e-12);
    CHECK(system.scalar(Scalar::step_weight) == system.scalar(Scalar::s));
    CHECK(std::abs(theta) > 0.01);
    // Lengths of steps, as far as they have come.
    CHECK(system.scalar(Scalar::step_shortest) < 0.9 * 0.03);
    CHECK(system.scalar(Scalar::step_longest) >= 0.999 * 0.03);
}

TEST_CASE("a separated Nosé bath begins at s = 1, and where its Hamiltonian is zero") {
    SmallSystem system(pendulum());
    system.set_scalar(Scalar::s, 2.0);
    system.set_scalar(Scalar::pi, -1.0);
    SeparatedNose method = separated_nose(0.01, 0.7, 3.0);
    method.prepare(system);
    CHECK(system.scalar(Scalar::s) == 1.0);
    CHECK(system.scalar(Scalar::step_factor) == 1.0);
    CHECK(system.scalar(Scalar::energy_0) == system.kinetic_energy() + system.potential_energy());
    CHECK(system.conserved(method) == system.scalar(Scalar::energy_0));
    CHECK(method.adapts());
}

TEST_CASE("averages along separated Nosé steps are canonical with their lengths as weights") {
    SmallSystem system(quartic_wells());
    SeparatedNose method = separated_nose(0.005);
    method.prepare(system);
    constexpr int blocks = 40, steps = 2000000 / blocks;
    std::array<std::array<double, 3>, blocks> sum{}; // of weights, K and V
    double plain = 0.0;
    for (auto& block : sum)
        for (int k = 0; k < steps; ++k) {
            method.step(system);
            const double s = system.scalar(Scalar::s), kinetic = system.kinetic_energy();
            block[0] += s;
            block[1] += s * kinetic;
            block[2] += s * system.scalar(Scalar::potential);
            plain += kinetic / (blocks * steps);
        }
    REQUIRE(system.scalar(Scalar::failed) == 0.0);
    const double exact[] = {1.0, 0.5};
    for (std::size_t i = 0; i < 2; ++i) {
        double weight = 0.0, total = 0.0, square = 0.0;
        for (const auto& block : sum) weight += block[0], total += block[i + 1];
        const double mean = total / weight;
        for (const auto& block : sum) square += std::pow(block[i + 1] - mean * block[0], 2);
        const double error = std::sqrt(square) / weight;
        INFO((i == 0 ? "K " : "V ") << mean << " +- " << error);
        CHECK(error < 0.05 * exact[i]);
        CHECK(std::abs(mean - exact[i]) < 4.0 * error);
    }
    // Without weights what s is small for counts as much.
    CHECK(plain > 1.3);
}

TEST_CASE("what a changing temperature gives to a separated Nosé bath is accounted for") {
    double swing[2];
    for (const int finer : {1, 2}) {
        SmallSystem system(unit_oscillator());
        SeparatedNose method =
            separated_nose(0.01 / finer, Ramp({{0, 0.8}, {200 * finer, 1.6}}), 10.0);
        CHECK(method.steady_from() == 200 * finer);
        method.prepare(system);
        const double start = system.conserved(method);
        swing[finer - 1] = 0.0;
        for (int k = 0; k < 200 * finer; ++k) {
            method.step(system);
            swing[finer - 1] = larger(swing[finer - 1], std::abs(system.conserved(method) - start));
        }
        CHECK(std::abs(system.scalar(Scalar::work)) > 0.01);
    }
    CHECK(std::abs(std::log2(swing[0] / swing[1]) - 2.0) < 0.1);
}

TEST_CASE("a step too large for a separated Nosé bath is told") {
    SmallSystem system(unit_oscillator());
    SeparatedNose method = separated_nose(5.0, 1.0, 0.01);
    method.prepare(system);
    for (int k = 0; k < 3 && system.scalar(Scalar::failed) == 0.0; ++k) method.step(system);
    CHECK(system.scalar(Scalar::failed) == 1.0);
    CHECK(system.scalar(Scalar::s) > 0.0);
}
