// SPDX-License-Identifier: BSD-3-Clause
/// Damped motions: order, what is conserved, and Verlet's method where nothing is damped.
#include "src/models/radial_damping.hpp"

#include "support/catch.hpp"
#include "support/maps.hpp"

using namespace shadow;
using namespace shadow::models;

namespace {

constexpr RadialMethod radial_methods[] = {RadialMethod::outside, RadialMethod::exact,
                                           RadialMethod::heun};

Problem swinging() {
    return elastic_pendulum({1.0, 0.2, -1.5}, {0.1, 0.8, 0.3});
}

} // namespace

TEST_CASE("radially damped methods are of order two, and Verlet's method without damping") {
    const RadiallyDamped system(swinging(), 0.4), free(swinging(), 0.0);
    const State start = start_of(system.problem());
    const State exact = after(step_of(system.rate(), gauss(3), 0.01), start, 100);
    const State verlet = after(step_of(swinging(), "position-verlet", 0.1), start, 10);
    for (const RadialMethod method : radial_methods) {
        CAPTURE(static_cast<int>(method));
        const auto error = [&](int steps) {
            return distance(after(system.step(method, 1.0 / steps), start, steps), exact);
        };
        CHECK(std::abs(std::log2(error(32) / error(64)) - 2.0) < 0.15);
        CHECK(distance(after(free.step(method, 0.1), start, 10), verlet) < 1e-14);
    }
}

TEST_CASE("damping along a spring keeps the angular momentum, all damping does not") {
    const auto spin = [](const State& z) { return z[0] * z[4] - z[1] * z[3]; };
    const RadiallyDamped system(swinging(), 0.4);
    const State start = start_of(system.problem());
    for (const RadialMethod method : radial_methods) {
        CHECK(change_of(spin, system.step(method, 0.1), 100, start).largest < 1e-13);
        CHECK(change_of(energy_of(swinging()), system.step(method, 0.1), 500, start).last < -0.05);
    }
    MethodSettings settings;
    settings.dt = 0.1;
    settings.friction = 0.4;
    for (const char* method : {"damped-verlet", "damped-exponential", "damped-heun"})
        CHECK(change_of(spin, step_of(swinging(), method, settings), 100, start).largest > 0.1);
}

TEST_CASE("momenta are damped as by their equation") {
    const RadiallyDamped system(swinging(), 0.7);
    const double q[] = {0.5, -0.3, 0.8}, force[] = {0.2, 0.4, -0.9};
    double p[] = {1.0, 0.3, -0.2};
    State reference = {p[0], p[1], p[2], 0.0};
    const Rate rate = [&](const State& z, State& f) {
        for (std::size_t i = 0; i < 3; ++i) f[i] = force[i];
        f[3] = 0.0;
        system.add_damping(q, z.data(), f.data());
    };
    reference = after(step_of(rate, gauss(3), 0.05), reference, 20);
    system.damp(q, force, p, 1.0);
    for (std::size_t i = 0; i < 3; ++i) CHECK(std::abs(p[i] - reference[i]) < 1e-11);
}

TEST_CASE("the gradient of the elastic pendulum is the slope of its potential") {
    const Problem problem = swinging();
    std::vector<double> g(3);
    problem.gradient(problem.q.data(), all_levels, g.data());
    for (std::size_t i = 0; i < 3; ++i) {
        std::vector<double> up = problem.q, down = up;
        up[i] += 1e-4;
        down[i] -= 1e-4;
        const double slope = (problem.potential(up.data(), all_levels) -
                              problem.potential(down.data(), all_levels)) /
                             2e-4;
        CHECK(std::abs(g[i] - slope) < 1e-7);
    }
}
