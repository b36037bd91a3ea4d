// SPDX-License-Identifier: BSD-3-Clause
/// Steps that follow the motion: order, reversal, what is symplectic and what is conserved.
#include "src/models/adaptive.hpp"

#include "src/models/differentiated_control.hpp"
#include "src/models/following.hpp"
#include "support/catch.hpp"
#include "support/maps.hpp"

#include <stdexcept>
#include <utility>

using namespace shadow;
using namespace shadow::models;

namespace {

constexpr ScaleRule rules[] = {ScaleRule::mean, ScaleRule::harmonic, ScaleRule::ends};

/// How far the state is from the exact motion at the time that it has come to.
double error_at(const State& z, double time) {
    const Problem problem = kepler();
    return distance(z, after(step_of(problem, "mclachlan-8", time / 200), start_of(problem), 200));
}

} // namespace

TEST_CASE("adaptive steps are of order two, in places and in time") {
    const Problem problem = kepler();
    for (const ScaleRule rule : rules) {
        CAPTURE(static_cast<int>(rule));
        const auto error = [&](int steps) {
            AdaptiveMotion motion(problem, power_of_radius(1.5), rule, 2.0 / steps);
            for (int k = 0; k < steps; ++k) motion.step();
            return error_at(motion.state(), motion.time());
        };
        CHECK(std::abs(std::log2(error(64) / error(128)) - 2.0) < 0.15);
    }
    const Poincare transformed(problem, power_of_radius(1.0));
    using Step = void (Poincare::*)(TimedState&, double) const;
    const std::pair<Step, double> steps[] = {{&Poincare::euler, 1.0},
                                             {&Poincare::adjoint, 1.0},
                                             {&Poincare::symmetric, 2.0},
                                             {&Poincare::midpoint, 2.0}};
    for (const auto& [step, order] : steps) {
        CAPTURE(order);
        const auto error = [&, step = step](int n) {
            TimedState s{start_of(problem), 0.0};
            for (int k = 0; k < n; ++k) (transformed.*step)(s, 2.0 / n);
            return error_at(s.z, s.time);
        };
        CHECK(std::abs(std::log2(error(256) / error(512)) - order) < 0.15);
    }
}

TEST_CASE("adaptive steps go back where they came from, and keep the angular momentum") {
    const Problem problem = kepler();
    const auto spin = [](const State& z) { return z[0] * z[3] - z[1] * z[2]; };
    for (const ScaleRule rule : rules) {
        AdaptiveMotion motion(problem, power_of_radius(1.5), rule, 0.1);
        const State start = motion.state();
        for (int k = 0; k < 100; ++k) motion.step();
        CHECK(distance(motion.state(), start) > 0.1);
        CHECK(std::abs(spin(motion.state()) - spin(start)) < 1e-13);
        motion.flip();
        for (int k = 0; k < 100; ++k) motion.step();
        CHECK(distance(motion.state(), flipped(start)) < 1e-11);
        if (rule == ScaleRule::ends)
            CHECK(std::abs(motion.wobble()) < 1e-14);
        else
            CHECK(std::abs(motion.wobble()) < 1e-2);
    }
    // The rule of arithmetic means may make the factor of time negative; then nothing moves any
    // more.
    AdaptiveMotion broken(started_at(problem, {1.99, 0.0}, {0.0, std::sqrt(0.01 / 1.99)}),
                          power_of_radius(1.5), ScaleRule::mean, 0.1);
    for (int k = 0; k < 100; ++k) broken.step();
    CHECK(broken.broken());
    const State there = broken.state();
    broken.step();
    CHECK(distance(broken.state(), there) == 0.0);
}

TEST_CASE("steps of Poincaré's Hamiltonian are symplectic, adaptive ones are not") {
    const Problem problem = kepler();
    const State z = {0.6, 0.3, -0.4, 1.2};
    const Poincare transformed(problem, power_of_radius(1.0));
    using Step = void (Poincare::*)(TimedState&, double) const;
    for (const Step step : {Step{&Poincare::euler}, Step{&Poincare::adjoint},
                            Step{&Poincare::symmetric}, Step{&Poincare::midpoint}})
        CHECK(defect_at(
                  [&](State& y) {
                      TimedState s{y, 0.0};
                      (transformed.*step)(s, 0.1);
                      y = s.z;
                  },
                  z) < 1e-8);
    CHECK(defect_at(
              [&](State& y) {
                  AdaptiveMotion motion(started_at(problem, {y[0], y[1]}, {y[2], y[3]}),
                                        power_of_radius(1.0), ScaleRule::ends, 0.1);
                  motion.step();
                  y = motion.state();
              },
              z) > 1e-3);
    // One undoes the other backwards.
    TimedState s{z, 0.0};
    transformed.euler(s, 0.1);
    transformed.adjoint(s, -0.1);
    CHECK(distance(s.z, z) < 1e-14);
    CHECK(std::abs(s.time) < 1e-15);
    TimedState far{start_of(problem), 0.0};
    CHECK_THROWS_AS(transformed.euler(far, -1.2), std::runtime_error);
}

TEST_CASE("the density of steps follows what it is to, and goes back") {
    const Problem problem = kepler();
    const auto verlet = [&](State& z, double dt) { step_of(problem, "verlet", dt)(z); };
    const auto rate = [](const State& z) {
        return -1.5 * (z[0] * z[2] + z[1] * z[3]) / (z[0] * z[0] + z[1] * z[1]);
    };
    const auto wanted = [](const State& z) { return std::pow(std::hypot(z[0], z[1]), -1.5); };
    const State start = start_of(problem);
    StepDensity there(verlet, rate, 0.05, wanted(start));
    TimedState s{start, 0.0};
    for (int k = 0; k < 200; ++k) there.step(s);
    CHECK(std::abs(there.density() / wanted(s.z) - 1.0) < 1e-3);
    CHECK(error_at(s.z, s.time) < 0.05);
    StepDensity back(verlet, rate, 0.05, there.density());
    s.z = flipped(s.z);
    for (int k = 0; k < 200; ++k) back.step(s);
    CHECK(distance(s.z, flipped(start)) < 1e-11);
}

TEST_CASE("steps with a control that is carried along are of order two, and go back") {
    const Problem problem = kepler();
    const auto of_force = [](const double* q, double* g) {
        const double r2 = q[0] * q[0] + q[1] * q[1];
        for (std::size_t i = 0; i < 2; ++i) g[i] = -2.0 * q[i] / (r2 * r2 * r2);
    };
    const auto error = [&](int steps) {
        DifferentiatedControl motion(problem, of_force, 4.0 / steps);
        for (int k = 0; k < steps; ++k) motion.step();
        return error_at(motion.state(), motion.time());
    };
    CHECK(std::abs(std::log2(error(128) / error(256)) - 2.0) < 0.15);
    DifferentiatedControl motion(problem, of_force, 0.1);
    const State start = motion.state();
    CHECK(std::abs(motion.misfit()) < 1e-15);
    for (int k = 0; k < 100; ++k) motion.step();
    CHECK(distance(motion.state(), start) > 0.1);
    CHECK(std::abs(motion.misfit()) < 0.05);
    motion.flip();
    for (int k = 0; k < 100; ++k) motion.step();
    CHECK(distance(motion.state(), flipped(start)) < 1e-11);
}
