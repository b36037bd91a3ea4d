// SPDX-License-Identifier: BSD-3-Clause
/// Small mechanical systems: forces are slopes, and what is left after averaging.
#include "support/small_systems.hpp"

#include "src/models/small_system.hpp"
#include "src/models/stiff_ring.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <numbers>

using namespace shadow;
using namespace shadow::models;

TEST_CASE("gradients of small systems are slopes of their potentials, level by level") {
    auto all = problems();
    all.insert(all.end(), {lj_oscillator(), unit_oscillator(), test::free_particle(),
                           slow_fast_pair(0.1), stiff_ring(0.2, 0.7, 0.5, 0.2)});
    for (const Problem& problem : all)
        for (const ForceLevel level : {all_levels, 1, 2}) {
            if (problem.name == "stiff-ring" && level != all_levels) continue; // one force
            CAPTURE(problem.name, level);
            std::vector<double> q = problem.q, g(q.size());
            for (std::size_t i = 0; i < q.size(); ++i) q[i] += 0.02 + 0.01 * static_cast<double>(i);
            problem.gradient(q.data(), level, g.data());
            for (std::size_t i = 0; i < q.size(); ++i) {
                constexpr double h = 1e-3;
                const auto at = [&](double by) {
                    auto moved = q;
                    moved[i] += by;
                    return problem.potential(moved.data(), level);
                };
                const double slope =
                    (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h);
                CHECK(std::abs(g[i] - slope) < 1e-8); // h^4 times the fifth derivative
            }
        }
}

TEST_CASE("steps of the engine's methods go through maps as through systems") {
    MethodSettings settings;
    settings.dt = 0.1;
    const Problem problem = kepler();
    State z = {problem.q[0], problem.q[1], problem.p[0], problem.p[1]};
    const Map step = step_of(problem, "verlet", 0.1);
    step(z);
    step(z);
    SmallSystem system(problem);
    for (int k = 0; k < 2; ++k) {
        system.kick(0.05, all_levels);
        system.drift(0.1);
        system.kick(0.05, all_levels);
    }
    for (std::size_t i = 0; i < 4; ++i) CHECK(std::abs(z[i] - system.state(false)[i]) < 1e-15);
}

TEST_CASE("a particle starts on the ring with the action it was given") {
    for (const double action : {0.0, 0.01}) {
        const Problem ring = stiff_ring(0.01, 0.7, 0.5, action);
        const State z = {ring.q[0], ring.q[1], ring.p[0], ring.p[1]};
        CHECK(std::abs(std::atan2(z[1], z[0]) - 0.7) < 1e-15);
        CHECK(std::abs(ring_action(0.01, z) - action) < 1e-15);
        // Along the ring it has the mass of the reduced motion.
        const double along = 0.25 * ReducedRing(0.01, action).mass(0.7);
        const double kinetic = 0.5 * (z[2] * z[2] + z[3] * z[3]);
        CHECK(std::abs(kinetic - 0.5 * along - action * RingRadius(0.7).frequency() / 0.01) <
              1e-14);
    }
}

TEST_CASE("the reduced ring conserves its energy") {
    const ReducedRing ring(0.01, 0.01);
    const auto energy = [&](const State& z) {
        const RingRadius here(z[0]);
        const double c = here.l * std::cos(z[0]);
        return 0.5 * z[1] * z[1] / ring.mass(z[0]) + 0.5 * c * c + here.frequency();
    };
    State z = {0.25 * std::numbers::pi, 0.5};
    const double start = energy(z);
    double most = 0.0, swing = 0.0;
    for (int k = 0; k < 2000; ++k) {
        ring.step(z, 0.01);
        most = std::max(most, std::abs(energy(z) - start));
        swing = std::max(swing, std::abs(RingRadius(z[0]).frequency() - 1.0));
    }
    CHECK(most < 1e-8); // order four: 1e-8 for steps of a hundredth
    CHECK(swing > 0.01);
}
