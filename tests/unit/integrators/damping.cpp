// SPDX-License-Identifier: BSD-3-Clause
/// Friction without noise: what it takes is right, whatever the step (Modin and Söderlind 2011).
#include "support/catch.hpp"
#include "support/small_systems.hpp"

#include "shadow/core/error.hpp"
#include "shadow/integrators/registry.hpp"

#include <cmath>

using namespace shadow;
using namespace shadow::test;

namespace {

const std::vector<std::string> damped_methods{"damped-verlet", "damped-exponential", "damped-heun",
                                              "damped-midpoint", "damped-lobatto"};

std::unique_ptr<Integrator> damped_method(const std::string& name, double dt, double friction) {
    MethodSettings settings;
    settings.dt = dt;
    settings.friction = friction;
    return find_integrator(name)->make(settings);
}

/// A pendulum of unit mass and gravity, in motion at its lowest place.
SmallSystem swinging() {
    Problem problem = pendulum();
    problem.q = {0.0};
    problem.p = {1.5};
    return SmallSystem(problem);
}

double energy(SmallSystem& system) {
    return system.kinetic_energy() + system.potential_energy();
}

/// Its energy, step by step.
std::vector<double> energies(const std::string& name, double dt, double friction, double time) {
    SmallSystem system = swinging();
    const auto method = damped_method(name, dt, friction);
    std::vector<double> all{energy(system)};
    for (int k = 0; k < std::lround(time / dt); ++k) {
        method->step(system);
        all.push_back(energy(system));
    }
    return all;
}

double max_between(const std::vector<double>& a, const std::vector<double>& b) {
    double most = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
    return most;
}

/// What the energy comes to less than the exact one, at the end.
double off_at_end(const std::string& name, double dt, double friction, double time) {
    SmallSystem exact = swinging();
    exact.set_state(
        reference_solution(exact, {}, time, static_cast<int>(std::lround(400 * time)), friction),
        false);
    return energies(name, dt, friction, time).back() - energy(exact);
}

} // namespace

TEST_CASE("the energy that friction takes of a pendulum does not depend on how weak it is") {
    // The same in the time of 1 / friction: an error of dt^2, not of dt^2 / friction (Theorem 4.3).
    for (const std::string& name : damped_methods) {
        INFO(name);
        double largest[2] = {0.0, 0.0};
        for (const int k : {0, 1}) {
            const double friction = k == 0 ? 0.05 : 0.01, dt = 0.2, time = 1.0 / friction;
            const std::vector<double> fine = energies(name, dt / 16, friction, time),
                                      coarse = energies(name, dt, friction, time);
            for (std::size_t i = 0; i < coarse.size(); ++i)
                largest[k] = std::max(largest[k], std::abs(coarse[i] - fine[16 * i]));
        }
        CHECK(std::abs(largest[1] / largest[0] - 1.0) < 0.2);
        CHECK(largest[0] < 0.01);
    }
}

TEST_CASE("the shadow energy of a damped pendulum falls at each step") {
    // H + dt^2 (V'^2/12 - p^2 V''/24), of drift, kick and drift; H itself does not (Theorem 4.6).
    for (const double dt : {0.1, 0.2, 0.4}) {
        SmallSystem system = swinging();
        const auto method = damped_method("damped-verlet", dt, 0.01);
        const auto shadow = [&] {
            const double sine = std::sin(system.q()[0]), p = system.p()[0];
            return energy(system) +
                   dt * dt * (sine * sine / 12.0 - p * p * std::cos(system.q()[0]) / 24.0);
        };
        double last = shadow(), last_energy = energy(system);
        int rises = 0, rises_of_energy = 0;
        for (int k = 0; k < std::lround(100.0 / dt); ++k) {
            method->step(system);
            rises += shadow() > last ? 1 : 0;
            rises_of_energy += energy(system) > last_energy ? 1 : 0;
            last = shadow();
            last_energy = energy(system);
        }
        CHECK(rises == 0);
        CHECK(rises_of_energy > 0);
    }
}

TEST_CASE("methods with friction differ from each other by less than they err") {
    // Largest differences of the energy at friction 0.01 in a time of 100, dt = 0.1: the first of
    // the methods is apart from the others.
    const std::vector<double> first = energies("damped-verlet", 0.1, 0.01, 100.0),
                              second = energies("damped-exponential", 0.1, 0.01, 100.0),
                              third = energies("damped-heun", 0.1, 0.01, 100.0);
    CHECK(std::abs(max_between(first, second) / 2.4e-5 - 1.0) < 0.03);
    CHECK(std::abs(max_between(second, third) / 1.9e-7 - 1.0) < 0.03);
    CHECK(std::abs(off_at_end("damped-verlet", 0.1, 0.01, 100.0) / -7.7e-4 - 1.0) < 0.03);
    // The midpoint rule and the pair of Lobatto's methods are conjugate: half a drift of each
    // other.
    SmallSystem one = swinging(), other = swinging();
    const auto midpoint = damped_method("damped-midpoint", 0.1, 0.3),
               lobatto = damped_method("damped-lobatto", 0.1, 0.3);
    const BathFlow backward{BathKind::backward, 0.05, 0.3, 0.0},
        forward{BathKind::forward, 0.05, 0.3, 0.0};
    one.kick(0.05, all_levels); // as Lobatto's begins, to where the midpoint rule has gone half
    one.bath(backward, 0);
    one.drift(0.05);
    for (int k = 0; k < 50; ++k) midpoint->step(one);
    one.drift(0.05);
    one.bath(forward, 0);
    one.kick(0.05, all_levels);
    for (int k = 0; k < 51; ++k) lobatto->step(other);
    CHECK(std::abs(one.q()[0] - other.q()[0]) < 1e-13);
    CHECK(std::abs(one.p()[0] - other.p()[0]) < 1e-13);
}

TEST_CASE("what friction takes is counted to second order") {
    for (const std::string& name : damped_methods) {
        INFO(name);
        const auto most = [&name](double dt) {
            SmallSystem system = swinging();
            const auto method = damped_method(name, dt, 0.4);
            const double before = system.conserved(*method);
            double largest = 0.0;
            for (int k = 0; k < std::lround(8.0 / dt); ++k) {
                method->step(system);
                largest = std::max(largest, std::abs(system.conserved(*method) - before));
            }
            CHECK(system.bath_heat() < -0.5);
            return largest;
        };
        CHECK(std::abs(std::log2(most(0.04) / most(0.02)) - 2.0) < 0.1);
    }
}

TEST_CASE("particles fall through a medium at their own velocity") {
    // p = F / friction stays as it is where friction and forces are one flow.
    for (const std::string name : {"damped-exponential", "damped-heun", "damped-midpoint"}) {
        INFO(name);
        Problem fall = free_particle();
        fall.mass = {2.0};
        fall.q = {0.1};
        fall.p = {5.0};
        fall.potential = [](const double* q, ForceLevel f) {
            return -models::share(f) * 3.0 * q[0];
        };
        fall.gradient = [](const double*, ForceLevel f, double* g) {
            g[0] = -models::share(f) * 3.0;
        };
        SmallSystem system(fall);
        const auto method = damped_method(name, 0.5, 0.6);
        for (int k = 0; k < 200; ++k) method->step(system);
        CHECK(std::abs(system.p()[0] - 5.0) < 1e-13);
    }
}

TEST_CASE("words with friction of one kind") {
    const auto claims = [](const char* word) { return claims_of_word(parse_word(word), ""); };
    CHECK(claims("D½ A½ B1 A½ D½").damped);
    CHECK(claims("A½ K1 A½").order == 2);
    CHECK(claims("K1 A1").order == 1);
    CHECK_FALSE(claims("K1 A1").symmetric);
    CHECK(claims("B½ Y½ A1 X½ B½").symmetric);
    CHECK(claims("B½ X1 A1 B½").order == 1);
    CHECK_FALSE(claims("B½ X½ A1 X½ B½").symmetric);
    CHECK(claims("B½ X½ A1 X½ B½").order == 1);
    CHECK(parse_word("X½ X½ A1 B1").size() == 4); // two steps of Euler's method are not one
    CHECK(parse_word("R½ R½ A1").size() == 3);
    CHECK(parse_word("K½ K½ A1").size() == 2);
    for (const char* word : {"D½ A½ B1 A½ D½ O1", "K1 A1 D1", "A½ K½ B½ A½", "A½ B1 A½ D½"})
        CHECK_THROWS_AS(claims(word), InputError);
}
