// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/fire.hpp"

#include "support/catch.hpp"
#include "support/small_systems.hpp"

#include <cmath>
#include <numeric>

using namespace shadow;
using namespace shadow::test;

namespace {

/// A problem at rest.
Problem at_rest(Problem problem) {
    problem.p.assign(problem.p.size(), 0.0);
    return problem;
}

double largest_slope(const SmallSystem& system) {
    std::vector<double> slope(system.q().size());
    system.problem().gradient(system.q().data(), all_levels, slope.data());
    double largest = 0.0;
    for (const double component : slope) largest = larger(largest, std::abs(component));
    return largest;
}

/// What is said in the end, after at most so many steps.
Arrival minimise(Integrator& method, SmallSystem& system, std::int64_t most) {
    method.prepare(system);
    for (std::int64_t steps = 1;; ++steps) {
        method.step(system);
        if (Arrival end = method.arrival(system, steps, most); !end.text.empty()) return end;
    }
}

} // namespace

TEST_CASE("FIRE comes to the minimum of small systems") {
    MethodSettings settings;
    settings.descent.force_tolerance = 1e-9;
    const struct {
        Problem problem;
        double lowest;
    } cases[] = {{oscillator(), 0.0}, {pendulum(), -1.0}, {lj_oscillator(), -1.0}};
    for (const auto& [problem, lowest] : cases) {
        INFO(problem.name);
        Fire method(settings);
        SmallSystem system(at_rest(problem));
        REQUIRE(system.potential_energy() > lowest + 1e-3);
        const Arrival end = minimise(method, system, 100000);
        CHECK(end.reached);
        CHECK(end.text.starts_with("minimised in " + std::to_string(system.step()) + " steps"));
        CHECK(system.step() % 32 == 0);
        CHECK(system.time() == 0.0);
        // Curvatures are from 1 to 72: the slope of the last step, and what that one moves.
        CHECK(largest_slope(system) < 1e-7);
        CHECK(std::abs(system.potential_energy() - lowest) < 1e-14);
    }
}

TEST_CASE("FIRE says how far it is from a minimum after its last step") {
    MethodSettings settings;
    settings.descent.force_tolerance = 1e-9;
    Fire method(settings);
    SmallSystem system(at_rest(oscillator()));
    const Arrival end = minimise(method, system, 5);
    CHECK_FALSE(end.reached);
    CHECK(end.text.find("stopped after 5 steps") != std::string::npos);
    CHECK(system.step() == 5);
}

TEST_CASE("FIRE leaves the whole at rest where it is, and goes no farther than it may") {
    MethodSettings settings;
    Fire method(settings);
    SmallSystem system(at_rest(chain()));
    const auto sum = [](const std::vector<double>& x) {
        return std::accumulate(x.begin(), x.end(), 0.0);
    };
    const double centre = sum(system.q());
    // Rounding of 10000 steps.
    CHECK(minimise(method, system, 10000).reached);
    CHECK(std::abs(sum(system.p())) < 1e-12);
    CHECK(std::abs(sum(system.q()) - centre) < 1e-12);

    settings.descent.longest_move = 1e-3;
    Fire slow(settings);
    SmallSystem other(at_rest(chain()));
    slow.prepare(other);
    for (int k = 0; k < 50; ++k) {
        const std::vector<double> before = other.q();
        slow.step(other);
        for (std::size_t i = 0; i < before.size(); ++i)
            CHECK(std::abs(other.q()[i] - before[i]) < 1.0000001e-3);
    }
}

TEST_CASE("FIRE turns momenta towards forces while the energy falls, and stops where it rises") {
    std::vector<double> values(Scalar::count, 0.0);
    const Scalars x{values.data()};
    x[Scalar::descent_step] = 0.01;
    x[Scalar::descent_mixing] = 0.1;
    x[Scalar::descent_power] = 1.0;
    x[Scalar::descent_speed] = 4.0;
    x[Scalar::descent_force] = 16.0;
    const ControlFire control{0.1};
    for (int k = 1; k <= 5; ++k) {
        control(x);
        CHECK(x[Scalar::descent_keep] == 0.9);
        CHECK(x[Scalar::descent_turn] == Approx(0.05).epsilon(1e-15)); // 0.1 (4/16)^1/2
        CHECK(x[Scalar::descent_step] == 0.01);
    }
    control(x); // the sixth in turn
    CHECK(x[Scalar::descent_step] == Approx(0.011).epsilon(1e-15));
    CHECK(x[Scalar::descent_mixing] == Approx(0.099).epsilon(1e-15));
    for (int k = 0; k < 100; ++k) control(x);
    CHECK(x[Scalar::descent_step] == 0.1);
    x[Scalar::descent_power] = -1.0;
    control(x);
    CHECK(x[Scalar::descent_keep] == 0.0);
    CHECK(x[Scalar::descent_turn] == 0.0);
    CHECK(x[Scalar::descent_step] == 0.05);
    CHECK(x[Scalar::descent_mixing] == 0.1);
    control(x); // it has not gone downhill since
    CHECK(x[Scalar::descent_step] == 0.05);
}
