// SPDX-License-Identifier: BSD-3-Clause
/// Particles with steps that follow their motion.
#include "support/catch.hpp"
#include "support/world.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>

using namespace shadow;
using namespace shadow::test;

namespace {

const std::string pairs = R"(
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = 2.5
inner = 1.6
truncation = "smooth-c2"
)";
/// What is summed over pairs, as a force or as what steps follow.
const std::string soft_pairs = R"(
type = "gaussian-core"
epsilon = 1.0
sigma = 0.9
cutoff = 2.4
truncation = "shift"
)";
const std::string smooth_force = pairs + "[[step_sum]]" + soft_pairs;

/// What each method is made of in a table of the input; a bound at the end is so many dt.
const std::string followings[] = {
    R"(method = "adaptive-verlet"
objective = "kinetic-energy")",
    R"(method = "adaptive-verlet"
objective = "potential-energy"
power = 1.0)",
    R"(method = "adaptive-verlet"
objective = "arclength"
velocity_time = 0.05
rule = "mean")",
    R"(method = "adaptive-verlet"
objective = "rms-acceleration")",
    R"(method = "adaptive-verlet"
longest = )",
    R"(method = "step-density"
shortest = )",
    R"(method = "step-density"
objective = "potential-energy"
power = 1.0)",
    R"(method = "energy-scaled"
power = 1.0)",
    R"(method = "energy-scaled"
objective = "kinetic-energy"
shortest = )",
    R"(method = "adaptive-verlet"
objective = "pair-sum"
power = 1.0)",
    R"(method = "step-density"
objective = "pair-sum"
power = 1.0
longest = )",
    R"(method = "poincare"
power = 1.0)"};

std::unique_ptr<Integrator> follow(const std::string& table, double dt) {
    const double bound = table.ends_with("longest = ") ? 2.5 * dt : 0.4 * dt;
    return read_integrator(
        fmt::format("dt = {}\n{}{}\n", dt, table,
                    table.ends_with("= ") ? fmt::format("{}", bound) : std::string()));
}

/// Two crystals on their way into each other, with a part of the velocity by chance.
template <int Dim>
Setup<Dim> impact(double speed) {
    constexpr int side = 5;
    constexpr double spacing = 1.12, half = side * spacing;
    Setup<Dim> one = warm_lattice<Dim>(side, 0.05, false);
    Setup<Dim> both = one;
    for (std::size_t i = 0; i < one.start.size(); ++i) {
        const double mass = one.start.mass(i);
        both.start.momentum[i][0] += mass * speed;
        auto place = one.start.position[i], momentum = one.start.momentum[i];
        place[0] += half + 1.5;
        momentum[0] -= mass * speed;
        both.start.position.push_back(place);
        both.start.momentum.push_back(momentum);
        both.start.image.push_back({});
        both.start.species.push_back(one.start.species[i]);
    }
    return both;
}

template <int Dim>
void check_way_back(const TestBackend& where, const std::string& table) {
    const Setup<Dim> setup = impact<Dim>(1.5);
    const int steps = 200;
    const auto integrator = follow(table, 0.004);
    if (!integrator->claims().symmetric) return;
    World<Dim> world(where, setup, smooth_force);
    integrator->prepare(world.system());
    const Vectors<Dim> before = world.places();
    world.run(*integrator, steps);
    const double time = world.system().time();
    // An orbit that starts 1e-9 aside shows by how much errors grow on the way.
    Setup<Dim> beside = setup;
    beside.start.position[0][0] += 1e-9;
    World<Dim> neighbour(where, beside, smooth_force);
    integrator->prepare(neighbour.system());
    neighbour.run(*integrator, steps);
    const double growth =
        std::max(1.0, largest_difference<Dim>(world.places(), neighbour.places()) / 1e-9);
    world.flip();
    world.run(*integrator, steps);
    const double error = largest_difference<Dim>(world.places(), before);
    CAPTURE(Dim, table, growth, error, time);
    // Each of 2 * steps steps rounds places (of up to 20) and forces; no error grows by more than
    // it would both ways.
    CHECK(error < 2.0 * steps * 0x1p-53 * 20.0 * growth * growth);
    CHECK(error < 1e-8);
    CHECK(world.system().time() == Approx(2.0 * time).epsilon(1e-9));
    CHECK(world.system().scalar(Scalar::step_longest) >
          1.05 * world.system().scalar(Scalar::step_shortest));
}

template <int Dim>
void check_sums(const TestBackend& where) {
    World<Dim> world(where, impact<Dim>(0.5), smooth_force);
    ParticleSystem<Dim>& system = world.system();
    system.measure_motion();
    const Vectors<Dim> force = world.forces();
    const Snapshot<Dim> now = system.snapshot();
    double kinetic = 0.0, power = 0.0, speed = 0.0, acceleration = 0.0, largest = 0.0;
    const auto n = static_cast<double>(now.size());
    for (std::size_t i = 0; i < now.size(); ++i) {
        double v2 = 0.0, a2 = 0.0;
        for (std::size_t d = 0; d < Dim; ++d) {
            const double v = now.momentum[i][d] / now.mass(i), a = force[i][d] / now.mass(i);
            v2 += v * v;
            a2 += a * a;
            power += force[i][d] * v;
        }
        kinetic += now.mass(i) * v2;
        speed += v2 / n;
        acceleration += a2 / n;
        largest += std::pow(a2, 8) / n;
    }
    CHECK(system.scalar(Scalar::motion_kinetic) == Approx(kinetic).epsilon(1e-12));
    CHECK(system.scalar(Scalar::motion_power) == Approx(power).epsilon(1e-9));
    CHECK(system.scalar(Scalar::motion_speed) == Approx(speed).epsilon(1e-12));
    CHECK(system.scalar(Scalar::motion_acceleration) == Approx(acceleration).epsilon(1e-10));
    CHECK(system.scalar(Scalar::motion_largest) == Approx(largest).epsilon(1e-9));
}

/// A sum over pairs has no part in forces and energies, and is what it would be as a force.
template <int Dim>
void check_slopes(const TestBackend& where) {
    const Setup<Dim> setup = impact<Dim>(0.5);
    World<Dim> world(where, setup, smooth_force), as_force(where, setup, "[[force]]" + soft_pairs),
        without(where, setup, pairs);
    ParticleSystem<Dim>& system = world.system();
    const auto check = [&](StepMeasure of, const Vectors<Dim>& force) {
        system.measure_slope(of);
        const Snapshot<Dim> now = system.snapshot();
        double power = 0.0, square = 0.0;
        for (std::size_t i = 0; i < now.size(); ++i)
            for (std::size_t d = 0; d < Dim; ++d) {
                power += force[i][d] * now.momentum[i][d] / now.mass(i);
                square += force[i][d] * force[i][d] / now.mass(i);
            }
        CHECK(system.scalar(Scalar::slope_power) == Approx(power).epsilon(1e-8));
        CHECK(system.scalar(Scalar::slope_square) == Approx(square).epsilon(1e-9));
    };
    check(StepMeasure::pair_sum, as_force.forces());
    CHECK(system.scalar(Scalar::step_sum) ==
          Approx(as_force.system().potential_energy()).epsilon(1e-10));
    check(StepMeasure::potential_energy, without.forces());
    CHECK(system.potential_energy() == without.system().potential_energy());
    CHECK(largest_difference<Dim>(world.forces(), without.forces()) == 0.0);
}

} // namespace

TEST_CASE("what steps may follow is measured of all particles") {
    const auto where = GENERATE(from_range(every_processor()));
    CAPTURE(where.name);
    check_sums<1>(where);
    check_sums<2>(where);
    check_sums<3>(where);
    check_slopes<1>(where);
    check_slopes<2>(where);
    check_slopes<3>(where);
}

TEST_CASE("particles with steps that follow their impact find their way back") {
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    for (const std::string& table : followings) {
        check_way_back<2>(where, table);
        check_way_back<3>(where, table);
    }
}

TEST_CASE("steps that follow the motion are as long on each processor, and go on from a state") {
    const Setup<3> setup = impact<3>(1.5);
    for (const std::string& table : followings) {
        const auto integrator = follow(table, 0.004);
        World<3> first(best_processor(), setup, smooth_force);
        integrator->prepare(first.system());
        first.run(*integrator, 60);
        for (const TestBackend& where : every_processor()) {
            CAPTURE(where.name, table);
            World<3> world(where, setup, smooth_force), resumed(where, setup, smooth_force);
            integrator->prepare(world.system());
            world.run(*integrator, 23);
            const double time = world.system().time();
            resumed.system().restore(world.system().state());
            CHECK(resumed.system().time() == time);
            world.run(*integrator, 37);
            resumed.run(*integrator, 37);
            // 60 steps of a motion that is not yet chaotic: rounding of sums in another order.
            CHECK(world.system().time() == Approx(first.system().time()).epsilon(1e-11));
            CHECK(largest_difference<3>(world.places(), first.places()) < 1e-9);
            CHECK(resumed.system().time() == world.system().time());
            CHECK(largest_difference<3>(world.places(), resumed.places()) == 0.0);
        }
    }
}

TEST_CASE("energies of an impact are of order two in steps that follow it") {
    const auto where = GENERATE(from_range(best_processors()));
    const Setup<2> setup = impact<2>(2.0);
    for (const std::string& table : followings) {
        const auto band = [&](double dt) {
            const auto integrator = follow(table, dt);
            World<2> world(where, setup, smooth_force);
            integrator->prepare(world.system());
            const double start = world.energy();
            double largest = 0.0;
            while (world.system().time() < 0.8) {
                world.run(*integrator, 2);
                largest = larger(largest, std::abs(world.energy() - start));
            }
            return largest;
        };
        const double coarse = band(0.0008), fine = band(0.0004);
        CAPTURE(where.name, table, coarse, fine);
        CHECK(coarse / fine > 3.3);
        CHECK(coarse / fine < 4.7);
    }
}

TEST_CASE("time goes on where steps have one length again") {
    const auto where = GENERATE(from_range(best_processors()));
    World<2> world(where, impact<2>(1.0), smooth_force);
    ParticleSystem<2>& system = world.system();
    const auto verlet = read_integrator("method = \"verlet\"\ndt = 0.004\n"),
               adaptive = follow(followings[0], 0.004);
    world.run(*verlet, 10);
    adaptive->prepare(system);
    CHECK(system.time() == Approx(0.04).epsilon(1e-14));
    world.run(*adaptive, 10);
    const double time = system.time();
    CHECK(time > 0.06);
    system.detach_bath();
    CHECK(system.time() == time);
    CHECK_FALSE(system.ensemble().has_clock());
    world.run(*verlet, 10);
    CHECK(system.time() == Approx(time + 0.04).epsilon(1e-14));
    CHECK(system.step() == 30);
}

TEST_CASE("particles are put back from an output, whatever is asked of them there") {
    const auto where = GENERATE(from_range(every_processor()));
    const Setup<3> setup = impact<3>(1.5);
    for (const std::string& table : followings) {
        const auto method =
            follow(table + (table.ends_with("= ") ? "0.02" : "") + "\ninterval = 0.05\n#", 0.004);
        World<3> world(where, setup, smooth_force), undisturbed(where, setup, smooth_force);
        ParticleSystem<3>& system = world.system();
        method->prepare(system);
        method->prepare(undisturbed.system());
        CAPTURE(where.name, table);
        for (int k = 1; k <= 6; ++k) {
            world.run(*method, 1);
            undisturbed.run(*method, 1);
            const double own = system.time();
            const Vectors<3> places = world.places();
            system.keep();
            CHECK(system.is_kept());
            method->go_to_output(system);
            CHECK(system.time() == Approx(0.05 * k).epsilon(1e-14));
            system.drift(1.0); // further than lists reach
            (void)world.energy();
            system.update_pair_lists();
            CHECK(system.neighbours().rebuilds() > undisturbed.system().neighbours().rebuilds());
            system.put_back();
            CHECK_FALSE(system.is_kept());
            CHECK(system.time() == own);
            CHECK(largest_difference<3>(world.places(), places) == 0.0);
        }
        CHECK(system.neighbours().rebuilds() == undisturbed.system().neighbours().rebuilds());
        CHECK(largest_difference<3>(world.places(), undisturbed.places()) == 0.0);
        CHECK(world.energy() == undisturbed.energy());
    }
}
