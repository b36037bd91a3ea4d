// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/brownian.hpp"

#include "support/catch.hpp"
#include "support/small_systems.hpp"
#include "support/world.hpp"

#include "shadow/integrators/registry.hpp"

#include <cmath>

using namespace shadow;
using namespace shadow::test;

namespace {

constexpr double heavy = 2.0, spring = 3.0, warmth = 0.8, drag = 5.0;

Brownian brownian(double dt) {
    MethodSettings settings;
    settings.dt = dt;
    settings.kT = warmth;
    settings.friction = drag;
    return Brownian(settings);
}

/// Of an oscillator that starts at rest, without a spread, after so many steps.
OscillatorMoments after(int steps, double dt, double stiffness) {
    OscillatorMoments moments(heavy, stiffness);
    Brownian method = brownian(dt);
    method.prepare(moments);
    for (int k = 0; k < steps; ++k) method.step(moments);
    return moments;
}

} // namespace

TEST_CASE("Brownian dynamics samples harmonic positions exactly at any stable step") {
    // Stable while k dt / (m gamma) < 2.
    for (const double part : {0.01, 0.5, 1.9}) {
        const OscillatorMoments moments = after(5000, part * heavy * drag / spring, spring);
        CHECK(std::abs(moments.qq - warmth / spring) < 1e-12);
        CHECK(std::abs(moments.pp - warmth * heavy) < 1e-12);
    }
    CHECK(after(5000, 2.05 * heavy * drag / spring, spring).qq > 1e3);
}

TEST_CASE("without inertia an oscillator relaxes with its spring over its drag, to order one") {
    const double t = 2.0,
                 exact = warmth / spring * (1.0 - std::exp(-2.0 * spring * t / heavy / drag));
    const auto error = [&](int steps) { return after(steps, t / steps, spring).qq - exact; };
    CHECK(std::abs(std::log2(error(200) / error(400)) - 1.0) < 0.02);
    CHECK(std::abs(error(400)) < 1e-3);
}

TEST_CASE("a particle alone diffuses with kT over its drag, but for half a step") {
    const double d = warmth / (heavy * drag);
    for (const double dt : {0.01, 3.0})
        CHECK(std::abs(after(100, dt, 0.0).qq / (2.0 * d * dt * 99.5) - 1.0) < 1e-12);
}

TEST_CASE("steps of Brownian dynamics and of its flows belong to each other") {
    const Brownian method = brownian(0.3);
    CHECK(std::abs(method.flow_time() - std::sqrt(2.0 * 0.3 / drag)) < 1e-15);
    CHECK(std::abs(method.step_of(method.flow_time()) - 0.3) < 1e-15);
    CHECK_FALSE(method.moves_with_momenta());
    CHECK(method.bath_kT() == warmth);
}

TEMPLATE_TEST_CASE_SIG("particles of Brownian dynamics diffuse by their masses on every backend",
                       "", ((int Dim), Dim), 1, 2, 3) {
    const auto where = GENERATE(from_range(every_processor()));
    CAPTURE(where.name);
    const char* const lattice = Dim == 1   ? "\"chain\", repeat = [4096]"
                                : Dim == 2 ? "\"square\", repeat = [64, 64]"
                                           : "\"sc\", repeat = [16, 16, 16]";
    const Setup<Dim> setup = read_setup<Dim>(
        "[system]\ndimension = " + std::to_string(Dim) + "\nlattice = { type = " + lattice +
        ", constant = 1.0 }\n[[species]]\nname = \"A\"\nfraction = 0.5\nmass = 1.0\n[[species]]\n"
        "name = \"B\"\nfraction = 0.5\nmass = 4.0\n");
    World<Dim> world(where, setup, "");
    const auto method = read_integrator("method = \"brownian\"\ndt = 1e-4\ntemperature = 0.5\n"
                                        "friction = 20\n");
    method->prepare(world.system());
    const int steps = 50;
    const auto before = world.system().snapshot();
    world.run(*method, steps);
    const auto now = world.system().snapshot();
    double sum[2] = {0.0, 0.0}, square[2] = {0.0, 0.0}, count[2] = {0.0, 0.0};
    for (std::size_t i = 0; i < now.size(); ++i) {
        const auto id = static_cast<std::uint32_t>(i);
        const int kind = now.mass(id) > 2.0 ? 1 : 0;
        for (std::size_t d = 0; d < Dim; ++d) {
            double dx = now.position[i][d] - before.position[i][d];
            dx -= setup.box.lengths()[d] * std::nearbyint(dx / setup.box.lengths()[d]);
            sum[kind] += dx;
            square[kind] += dx * dx;
            count[kind] += 1.0;
        }
    }
    for (const int kind : {0, 1}) {
        const double expected = 2.0 * 0.5 / ((kind == 0 ? 1.0 : 4.0) * 20.0) * 1e-4 * (steps - 0.5);
        CAPTURE(kind);
        CHECK(std::abs(square[kind] / count[kind] / expected - 1.0) <
              5.0 * std::sqrt(2.0 / count[kind]));
        CHECK(std::abs(sum[kind]) < 5.0 * std::sqrt(expected * count[kind]));
    }
}
