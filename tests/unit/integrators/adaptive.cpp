// SPDX-License-Identifier: BSD-3-Clause
/// Steps that follow the motion, on small systems: lengths, order, reversal, energies, bounds.
#include "shadow/integrators/adaptive.hpp"

#include "src/models/adaptive.hpp"
#include "support/catch.hpp"
#include "support/small_systems.hpp"

#include "shadow/integrators/registry.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

using namespace shadow;
using namespace shadow::test;

namespace {

/// A method, and what its steps follow.
struct Following {
    std::string method;
    StepMeasure of;
    double power = 0.5, offset = 0.0;
    FactorRule rule = FactorRule::harmonic;

    [[nodiscard]] std::unique_ptr<Integrator> make(double dt, double shortest = 0.0,
                                                   double inverse_longest = 0.0,
                                                   double interval = 0.0) const {
        MethodSettings settings;
        settings.dt = dt;
        settings.steps.interval = interval;
        settings.steps.rule = rule;
        settings.steps.objective = {of, power, offset, 0.7, shortest, inverse_longest};
        return find_integrator(method)->make(settings);
    }
};

/// On orbits of Kepler, where all objectives change, and keep their sign.
std::vector<Following> all_following() {
    using enum StepMeasure;
    std::vector<Following> all;
    for (const StepMeasure of :
         {kinetic_energy, potential_energy, arclength, acceleration, largest_acceleration})
        for (const FactorRule rule : {FactorRule::mean, FactorRule::harmonic})
            all.push_back({"adaptive-verlet", of, 0.6, 0.0, rule});
    for (const char* method : {"step-density", "energy-scaled"})
        for (const StepMeasure of : {kinetic_energy, potential_energy})
            all.push_back({method, of, 0.6});
    for (const char* method : {"adaptive-verlet", "step-density"})
        all.push_back({method, pair_sum, 0.6, -0.1});
    all.push_back({"poincare", potential_energy, 0.6});
    return all;
}

/// From the place nearest to the sun.
Problem ellipse(double eccentricity) {
    Problem problem = kepler();
    problem.q = {1.0 - eccentricity, 0.0};
    problem.p = {0.0, std::sqrt((1.0 + eccentricity) / (1.0 - eccentricity))};
    return problem;
}

/// X by the book.
double followed(const Following& following, const SmallSystem& system) {
    const double r = std::hypot(system.q()[0], system.q()[1]),
                 v2 = system.p()[0] * system.p()[0] + system.p()[1] * system.p()[1];
    const double a[] = {system.q()[0] / (r * r * r), system.q()[1] / (r * r * r)};
    switch (following.of) {
    case StepMeasure::kinetic_energy:
        return 0.5 * v2;
    case StepMeasure::potential_energy:
        return -1.0 / r;
    case StepMeasure::arclength:
        return 0.5 * (v2 + 0.7 * 0.7 / std::pow(r, 4));
    case StepMeasure::acceleration:
        return std::sqrt(0.5) / (r * r);
    case StepMeasure::pair_sum: // the share of small systems, and the offset
        return -share(1) / r - 0.1;
    default:
        return std::pow(0.5 * (std::pow(a[0], 16) + std::pow(a[1], 16)), 1.0 / 16.0);
    }
}

} // namespace

TEST_CASE("steps are as long as what they follow says") {
    for (const Following& following : all_following()) {
        SmallSystem system(ellipse(0.5));
        const auto method = following.make(0.002);
        method->prepare(system);
        const double start = followed(following, system);
        double least = 1e3, most = 0.0, largest = 0.0;
        while (system.time() < 7.0) {
            const double before = system.time();
            method->step(system);
            const double wanted = std::pow(followed(following, system) / start, -following.power),
                         weight = system.scalar(Scalar::step_weight);
            largest = larger(largest, std::abs(weight / wanted - 1.0));
            least = std::min(least, (system.time() - before) / 0.002);
            most = std::max(most, (system.time() - before) / 0.002);
        }
        CAPTURE(following.method, static_cast<int>(following.of), static_cast<int>(following.rule),
                largest);
        // Steps are of order two: (0.002 / 0.35)^2 is 3e-5, with some derivatives.
        CHECK(largest < 2e-4);
        CHECK(most > 1.5);
        CHECK(system.scalar(Scalar::step_shortest) == Approx(0.002 * least).epsilon(1e-10));
        CHECK(system.scalar(Scalar::step_longest) == Approx(0.002 * most).epsilon(1e-10));
        CHECK(system.step() > 1000);
    }
}

TEST_CASE("each objective leaves Verlet's method its order, in places and in time") {
    for (const Following& following : all_following()) {
        const auto error = [&](int steps) {
            SmallSystem system(ellipse(0.3));
            const auto method = following.make(2.0 / steps);
            method->prepare(system);
            for (int k = 0; k < steps; ++k) method->step(system);
            const auto exact =
                reference_solution(SmallSystem(ellipse(0.3)), {}, system.time(), 24000);
            double largest = 0.0;
            for (std::size_t i = 0; i < exact.size(); ++i)
                largest = larger(largest, std::abs(system.state(false)[i] - exact[i]));
            return largest;
        };
        const double order = std::log2(error(400) / error(800));
        CAPTURE(following.method, static_cast<int>(following.of), static_cast<int>(following.rule),
                order);
        CHECK(std::abs(order - 2.0) < 0.1);
    }
}

TEST_CASE("steps go back to where they came from, with each objective") {
    for (const Following& following : all_following()) {
        SmallSystem system(ellipse(0.5));
        const auto method = following.make(0.02);
        if (!method->claims().symmetric) continue;
        method->prepare(system);
        const auto start = system.state(false);
        const int steps = 2000;
        for (int k = 0; k < steps; ++k) method->step(system);
        const double time = system.time();
        system.flip();
        for (int k = 0; k < steps; ++k) method->step(system);
        system.flip();
        double largest = 0.0;
        for (std::size_t i = 0; i < start.size(); ++i)
            largest = larger(largest, std::abs(system.state(false)[i] - start[i]));
        CAPTURE(following.method, static_cast<int>(following.of), static_cast<int>(following.rule),
                largest);
        // 4000 steps rounded by some 1e-16; errors of the phase grow with time, here to 30 and more
        // periods, and those of each step count as often as there are steps behind it.
        CHECK(largest < 1e-9);
        CHECK(system.time() == Approx(2.0 * time).epsilon(1e-12));
        CHECK(system.scalar(Scalar::step_weight) == Approx(1.0).epsilon(1e-9));
    }
}

TEST_CASE("adaptive Verlet is that of the model systems, with the drift first") {
    // X = V: the step is dt (r / r_0)^(3/2).
    for (const FactorRule rule : {FactorRule::mean, FactorRule::harmonic}) {
        const Problem problem = ellipse(0.6);
        const double r0 = problem.q[0], dt = 0.01;
        SmallSystem system(problem);
        const auto method =
            Following{"adaptive-verlet", StepMeasure::potential_energy, 1.5, 0.0, rule}.make(dt);
        method->prepare(system);
        models::AdaptiveMotion motion(problem, models::power_of_radius(1.5),
                                      rule == FactorRule::mean ? models::ScaleRule::mean
                                                               : models::ScaleRule::harmonic,
                                      dt / std::pow(r0, 1.5), parse_word("A1 B1"));
        for (int k = 0; k < 500; ++k) {
            method->step(system);
            motion.step();
        }
        for (std::size_t i = 0; i < 4; ++i)
            CHECK(system.state(false)[i] == Approx(motion.state()[i]).margin(1e-10));
        CHECK(system.time() == Approx(motion.time()).epsilon(1e-12));
        CHECK(system.step() == 500);
    }
}

TEST_CASE("a density of steps has the errors of the literature on an ellipse") {
    // Modin 2009, Paper III, example 1: e = 0.8, Q = |V|^(3/2) and eps = 0.02 from rho = Q on. As
    // run anew over 2e5 steps: errors of the energy up to 3.4e-4, log(Q / rho) up to 3.6e-4, steps
    // from 0.0018 to 0.048 and 0.01667 on average.
    const Problem problem = ellipse(0.8);
    SmallSystem system(problem);
    const double dt = 0.02 * std::pow(0.2, 1.5);
    const auto method = Following{"step-density", StepMeasure::potential_energy, 1.5}.make(dt);
    method->prepare(system);
    const double start = system.conserved(*method);
    double error[2] = {0.0, 0.0}, mean[2] = {0.0, 0.0}, apart = 0.0;
    const int steps = 200000;
    for (int k = 0; k < steps; ++k) {
        method->step(system);
        const int half = 2 * k / steps;
        const double change = system.conserved(*method) - start;
        error[half] = larger(error[half], std::abs(change));
        mean[half] += 2.0 * change / steps;
        const double r = std::hypot(system.q()[0], system.q()[1]);
        apart = larger(
            apart, std::abs(std::log(std::pow(0.2 / r, 1.5) * system.scalar(Scalar::step_weight))));
    }
    CHECK(error[0] == Approx(3.4e-4).epsilon(0.02));
    CHECK(error[1] == Approx(error[0]).epsilon(0.02));
    CHECK(std::abs(mean[1] - mean[0]) < 0.01 * error[0]);
    CHECK(apart == Approx(3.6e-4).epsilon(0.03));
    CHECK(system.time() / steps == Approx(0.01667).epsilon(1e-3));
    CHECK(system.scalar(Scalar::step_longest) == Approx(0.048).epsilon(0.01));
    CHECK(system.scalar(Scalar::step_shortest) == Approx(0.0018).epsilon(0.01));
}

TEST_CASE("steps scaled by energies have the errors of the literature on an ellipse") {
    // The same with steps by powers of V and of E - T: errors of the energy up to 2.9e-5, and both
    // scales apart by up to 3.7e-5.
    const Problem problem = ellipse(0.8);
    SmallSystem system(problem);
    const double dt = 0.02 * std::pow(0.2, 1.5);
    const auto method = Following{"energy-scaled", StepMeasure::potential_energy, 1.5}.make(dt);
    method->prepare(system);
    const double start = system.conserved(*method);
    double error[2] = {0.0, 0.0}, apart = 0.0;
    const int steps = 200000;
    for (int k = 0; k < steps; ++k) {
        method->step(system);
        const int half = 2 * k / steps;
        error[half] = larger(error[half], std::abs(system.conserved(*method) - start));
        const double of_kinetic = system.kinetic_energy() - start,
                     of_potential = -system.potential_energy();
        apart = larger(apart, std::abs(std::pow(of_potential / of_kinetic, 1.5) - 1.0));
    }
    CHECK(error[0] == Approx(2.9e-5).epsilon(0.03));
    CHECK(error[1] == Approx(error[0]).epsilon(0.02));
    CHECK(apart == Approx(3.7e-5).epsilon(0.03));
    CHECK(system.time() / steps == Approx(0.01667).epsilon(1e-3));
    CHECK(system.scalar(Scalar::step_longest) == Approx(0.048).epsilon(0.01));
    CHECK(system.scalar(Scalar::step_shortest) == Approx(0.0018).epsilon(0.01));
    // Of a central force that is scaled the angular momentum stays.
    CHECK(system.q()[0] * system.p()[1] - system.q()[1] * system.p()[0] ==
          Approx(0.6).epsilon(1e-12));
}

TEST_CASE("Poincaré's steps have the errors of those of the book on an ellipse") {
    // seed-002, M9.14: e = 0.6, g = |q|, 200 periods of 100, 200 and 400 steps by half of a
    // symplectic Euler step and half of its adjoint: errors of the energy up to 7.7e-4, 1.9e-4,
    // 4.8e-5. This step has the same shadow Hamiltonian but for its third order, and one force.
    const double error_of_book[] = {7.7e-4, 1.9e-4, 4.8e-5};
    for (int k = 0; k < 3; ++k) {
        SmallSystem system(ellipse(0.6));
        const double period = 2.0 * 3.14159265358979324, dt = 0.4 * period / (100 << k);
        const auto method = Following{"poincare", StepMeasure::potential_energy, 1.0}.make(dt);
        method->prepare(system);
        const double start = system.conserved(*method);
        double error = 0.0;
        for (int step = 0; step < 200 * (100 << k); ++step) {
            method->step(system);
            error = larger(error, std::abs(system.conserved(*method) - start));
        }
        CAPTURE(k, error);
        CHECK(error == Approx(error_of_book[k]).epsilon(0.07)); // fourth powers of the step
        CHECK(system.q()[0] * system.p()[1] - system.q()[1] * system.p()[0] ==
              Approx(0.8).epsilon(1e-11));
    }
}

TEST_CASE("Poincaré's equation without a solution ends the run") {
    SmallSystem system(ellipse(0.6));
    const auto method = Following{"poincare", StepMeasure::potential_energy, 1.5}.make(2.0);
    method->prepare(system);
    for (int k = 0; k < 10; ++k) method->step(system);
    CHECK(system.scalar(Scalar::failed) == no_step_length);
}

TEST_CASE("output is at even times, of the order of the method, and steps do not know of it") {
    for (const Following& following : all_following()) {
        const double interval = 0.1;
        const int outputs = 20;
        const auto largest_error = [&](double dt) {
            SmallSystem system(ellipse(0.3)), undisturbed(ellipse(0.3));
            const auto method = following.make(dt, 0.0, 0.0, interval),
                       alone = following.make(dt, 0.0, 0.0, interval), steps = following.make(dt);
            CHECK(method->dt() == interval);
            CHECK(method->flow_time() == dt);
            CHECK(method->is_even());
            CHECK_FALSE(steps->is_even());
            method->prepare(system);
            alone->prepare(undisturbed);
            double error = 0.0;
            for (int k = 1; k <= outputs; ++k) {
                method->step(system);
                alone->step(undisturbed);
                CHECK(system.step() == k);
                CHECK(system.time() >= k * interval);
                system.keep();
                method->go_to_output(system);
                CHECK(system.time() == Approx(k * interval).epsilon(1e-14));
                CHECK(system.scalar(Scalar::step_weight) == 1.0);
                const auto exact =
                    reference_solution(SmallSystem(ellipse(0.3)), {}, k * interval, 2000);
                for (std::size_t i = 0; i < exact.size(); ++i)
                    error = larger(error, std::abs(system.state(false)[i] - exact[i]));
                system.put_back();
                CHECK(system.state(false) == undisturbed.state(false));
            }
            return error;
        };
        const double order = std::log2(largest_error(0.01) / largest_error(0.005));
        CAPTURE(following.method, static_cast<int>(following.of), static_cast<int>(following.rule),
                order);
        CHECK(std::abs(order - 2.0) < 0.2);
    }
}

TEST_CASE("an interval shorter than a step has its outputs, too, and one that never ends an end") {
    const Following following{"step-density", StepMeasure::potential_energy, 1.5};
    SmallSystem system(ellipse(0.3));
    const auto method = following.make(0.01, 0.0, 0.0, 0.003);
    method->prepare(system);
    for (int k = 1; k <= 100; ++k) {
        method->step(system);
        CHECK(system.time() >= 0.003 * k);
        CHECK(system.time() < 0.003 * k + 0.02);
    }
    SmallSystem slow(ellipse(0.3));
    const auto never = following.make(1e-9, 0.0, 0.0, 1.0);
    never->prepare(slow);
    CHECK_THROWS_WITH(never->step(slow),
                      Catch::Contains("have not reached the end of an interval"));
    // With a longest step the time is looked at when it may have come.
    SmallSystem bound(ellipse(0.3)), free(ellipse(0.3));
    const auto rarely = following.make(0.001, 0.0, 0.5, 0.3),
               each = following.make(0.001, 0.0, 0.5);
    rarely->prepare(bound);
    each->prepare(free);
    rarely->step(bound);
    while (free.time() < 0.3) each->step(free);
    CHECK(bound.state(false) == free.state(false));
}

TEST_CASE("energies of adaptive steps do not drift") {
    for (const Following& following : all_following()) {
        // That of single coordinates is not turned with the ellipse, which turns slowly.
        if (following.of == StepMeasure::largest_acceleration) continue;
        SmallSystem system(ellipse(0.7));
        const auto method = following.make(0.004);
        method->prepare(system);
        const double start = system.conserved(*method);
        double error[2] = {0.0, 0.0}, mean[2] = {0.0, 0.0};
        const int steps = 200000;
        for (int k = 0; k < steps; ++k) {
            method->step(system);
            const int half = 2 * k / steps;
            const double change = system.conserved(*method) - start;
            error[half] = larger(error[half], std::abs(change));
            mean[half] += 2.0 * change / steps;
        }
        CAPTURE(following.method, static_cast<int>(following.of), static_cast<int>(following.rule),
                error[0], error[1], mean[0], mean[1]);
        // Halves of more than a hundred periods differ by how these fall on the steps.
        CHECK(error[0] < 0.02);
        CHECK(error[1] < 1.1 * error[0]);
        CHECK(std::abs(mean[1] - mean[0]) < 0.05 * error[0]);
    }
}

TEST_CASE("steps lie between the shortest and the longest that are wanted") {
    // The wish alone would have steps from 1 to 1000^0.9 = 500 times dt and more.
    for (const Following& following :
         {Following{"adaptive-verlet", StepMeasure::potential_energy, 1.5},
          Following{"step-density", StepMeasure::potential_energy, 1.5},
          Following{"step-density", StepMeasure::kinetic_energy, 1.5},
          Following{"energy-scaled", StepMeasure::potential_energy, 1.5},
          Following{"poincare", StepMeasure::potential_energy, 1.5},
          Following{"adaptive-verlet", StepMeasure::pair_sum, 1.5},
          Following{"adaptive-verlet", StepMeasure::acceleration, 0.75}}) {
        SmallSystem free(ellipse(0.9)), bound(ellipse(0.9));
        const auto without = following.make(0.0005), with = following.make(0.0005, 0.5, 0.2);
        without->prepare(free);
        with->prepare(bound);
        for (int k = 0; k < 20000; ++k) {
            without->step(free);
            with->step(bound);
        }
        const double shortest = bound.scalar(Scalar::step_shortest) / 0.0005,
                     longest = bound.scalar(Scalar::step_longest) / 0.0005;
        CAPTURE(following.method, static_cast<int>(following.of), shortest, longest);
        CHECK(free.scalar(Scalar::step_longest) / 0.0005 > 20.0);
        CHECK(longest < 5.0 * 1.01);
        CHECK(longest > 4.5);
        CHECK(shortest > 0.5);
        // (1 + a Q) / (Q + 1 / b) at the start, where Q = 1.
        CHECK(shortest == Approx(1.5 / 1.2).epsilon(0.01));
    }
}

TEST_CASE("steps that come to an end say so, and leave what was there") {
    // Leimkuhler and Reich 2004, section 9.2.5: the rule of means breaks down near a singularity.
    Problem comet = ellipse(0.99);
    comet.q = {1.99, 0.0};
    comet.p = {0.0, std::sqrt(0.01 / 1.99)};
    for (const FactorRule rule : {FactorRule::mean, FactorRule::harmonic}) {
        SmallSystem system(comet);
        const auto method =
            Following{"adaptive-verlet", StepMeasure::potential_energy, 1.5, 0.0, rule}.make(0.1);
        method->prepare(system);
        for (int k = 0; k < 200; ++k) method->step(system);
        const bool failed = system.scalar(Scalar::failed) == no_step_length;
        CHECK(failed == (rule == FactorRule::mean));
        CHECK(system.scalar(Scalar::step_factor) > 0.0);
    }
    // A body at rest has no kinetic energy that steps could follow.
    Problem still = ellipse(0.5);
    still.p = {0.0, 0.0};
    for (const char* name : {"adaptive-verlet", "step-density", "energy-scaled"}) {
        SmallSystem system(still);
        CHECK_THROWS_WITH(Following({name, StepMeasure::kinetic_energy}).make(0.1)->prepare(system),
                          Catch::Contains("no first step"));
    }
}
