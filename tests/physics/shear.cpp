// SPDX-License-Identifier: BSD-3-Clause
// Fluids in shear: periodic images that slide over each other (Lees and Edwards 1972), momenta
// relative to the flow (SLLOD: Evans and Morriss 1984, Phys. Rev. A 30, 1528).
#include "support/all_pairs.hpp"
#include "support/catch.hpp"
#include "support/pair_system.hpp"
#include "support/world.hpp"

#include "shadow/core/error.hpp"
#include "shadow/forces/direct_sum.hpp"
#include "shadow/integrators/sheared.hpp"

#include <cmath>

using namespace shadow;
using namespace shadow::test;

namespace {

constexpr const char* sheared_force = R"(
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = 2.0
truncation = "force-shift"
)";

struct ShearDirections {
    std::int32_t flow, gradient;
};

/// Two species in motion, in a box whose images slide.
template <int Dim>
Setup<Dim> sheared_liquid(int side, ShearDirections along, double kT = 1.0) {
    Setup<Dim> setup = warm_lattice<Dim>(side, kT);
    setup.box.set_sliding({along.flow, along.gradient, 0.0, 0.0});
    return setup;
}

template <int Dim>
ShearDirections any_shear() {
    if constexpr (Dim == 2) return GENERATE(ShearDirections{0, 1}, ShearDirections{1, 0});
    return GENERATE(ShearDirections{0, 1}, ShearDirections{0, 2}, ShearDirections{1, 0},
                    ShearDirections{2, 0}, ShearDirections{2, 1}, ShearDirections{1, 2});
}

/// Verlet's method for what the fluid is in the laboratory: Newton's equations, images that move,
/// all pairs; Lennard-Jones with force-shift as above, in 2D.
struct Laboratory {
    double rate, length;
    Vectors<2> x, v, force;
    std::vector<double> mass;
    double time = 0.0;

    void evaluate() {
        const double c = 2.0, c6 = std::pow(c, -6.0);
        const double at_cutoff = 24.0 * c6 * (2.0 * c6 - 1.0) / c;
        force.assign(x.size(), {});
        for (std::size_t i = 0; i < x.size(); ++i)
            for (std::size_t j = i + 1; j < x.size(); ++j) {
                double dx = x[i][0] - x[j][0], dy = x[i][1] - x[j][1];
                const double above = std::nearbyint(dy / length);
                dy -= above * length;
                dx -= above * rate * length * time;
                dx -= length * std::nearbyint(dx / length);
                const double r2 = dx * dx + dy * dy, r = std::sqrt(r2);
                if (r >= c) continue;
                const double s6 = 1.0 / (r2 * r2 * r2);
                const double f = (24.0 * s6 * (2.0 * s6 - 1.0) / r - at_cutoff) / r;
                force[i][0] += f * dx;
                force[i][1] += f * dy;
                force[j][0] -= f * dx;
                force[j][1] -= f * dy;
            }
    }
    void kick(double t) {
        for (std::size_t i = 0; i < x.size(); ++i)
            for (std::size_t d = 0; d < 2; ++d) v[i][d] += t * force[i][d] / mass[i];
    }
    void step(double dt) {
        if (force.empty()) evaluate();
        kick(0.5 * dt);
        for (std::size_t i = 0; i < x.size(); ++i)
            for (std::size_t d = 0; d < 2; ++d) x[i][d] += dt * v[i][d];
        time += dt;
        evaluate();
        kick(0.5 * dt);
    }
};

} // namespace

TEMPLATE_TEST_CASE_SIG("forces through images that slide are those of a sum over all pairs", "",
                       ((int Dim), Dim), (2), (3)) {
    const auto where = GENERATE(from_range(every_processor()));
    const bool pair_is_double = GENERATE(true, false);
    const ShearDirections along = any_shear<Dim>();
    CAPTURE(where.name, pair_is_double, along.flow, along.gradient);
    const bool small = GENERATE(true, false); // not much longer than two cut-offs
    const int side = small ? 4 : Dim == 3 ? 9 : 22;
    Setup<Dim> setup = sheared_liquid<Dim>(side, along);
    for (auto& p : setup.start.momentum) p.fill(0.0);
    World<Dim> world(where, setup, sheared_force, pair_is_double);
    ParticleSystem<Dim>& system = world.system();
    system.set_shear(1.0);
    double strain = 0.0;
    // Between two of these lists may or may not be made anew, and once images have slid by a box.
    for (const double more : {0.0, 0.004, 0.03, 0.3, 0.45, 0.7, -0.9}) {
        system.drift({more, Scalar::one});
        strain += more;
        CAPTURE(strain);
        const Box<Dim> box = system.box();
        const double length = box.lengths()[0];
        CHECK(std::abs(box.sliding().slide + box.sliding().turns * length - strain * length) <
              1e-12 * length);
        check_sum_over_all_pairs(world, pair_is_double);
    }
}

TEST_CASE("bonds through images that slide are the nearest ones, and their pairs are left out") {
    const auto where = GENERATE(from_range(every_processor()));
    CAPTURE(where.name);
    const std::string input = R"(
[system]
dimension = 3
box = { density = 0.7 }
lattice = { type = "sc", repeat = [8, 8, 8], jitter = 0.05 }
velocity = { temperature = 1.0 }
[[molecule]]
count = 64
atoms = ["A"]
repeat = 8
bonds = [{ atoms = [0, 1] }]
angles = [{ atoms = [0, 1, 2] }]
exclude = 1
[[force]]
type = "harmonic-bond"
k = 100.0
r0 = 1.1
[[force]]
type = "cosine-angle"
k = 2.0
)" + std::string(sheared_force);
    Setup<3> setup = read_setup<3>(input);
    setup.box.set_sliding({1, 0, 0.0, 0.0});
    World<3> world(where, setup, input);
    world.system().set_shear(0.5);
    const auto verlet = read_integrator("method = \"verlet\"\ndt = 0.002");
    const auto kept = [&] {
        return world.energy() - world.system().bath_heat() -
               world.system().scalar(Scalar::shear_work);
    };
    const double before = kept();
    for (int k = 0; k < 4; ++k) {
        world.run(*verlet, 300);
        const auto forces = world.forces();
        const Snapshot<3> now = world.system().snapshot();
        const Box<3> box = world.system().box();
        const DirectSum<3> sum(world.plan(), box, now, true);
        double worst = 0.0;
        for (std::size_t i = 0; i < now.size(); ++i)
            for (std::size_t d = 0; d < 3; ++d)
                worst = test::larger(worst, std::abs(forces[i][d] - sum(i).value.force[d]));
        CHECK(worst < 1e-9);
        CHECK(std::abs(kept() - before) < 0.5);
    }
    CHECK(std::abs(world.system().scalar(Scalar::shear_work)) > 20.0);
}

TEST_CASE("a flow takes particles along and makes no list old") {
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    Setup<3> setup = sheared_liquid<3>(9, {0, 1});
    for (auto& p : setup.start.momentum) p.fill(0.0);
    World<3> world(where, setup, sheared_force);
    world.system().set_shear(1.0);
    world.potential();
    const std::int64_t before = world.system().neighbours().rebuilds();
    // The uppermost particles move by 0.5, those within reach of each other apart by 0.1.
    for (int k = 0; k < 10; ++k) {
        world.system().drift({0.005, Scalar::one});
        world.potential();
    }
    CHECK(world.system().neighbours().rebuilds() == before);
}

TEST_CASE("momenta relative to the flow move as particles do in the laboratory") {
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    constexpr double rate = 0.7, dt = 0.002;
    const Setup<2> setup = sheared_liquid<2>(12, {0, 1});
    const double length = setup.box.lengths()[0];
    World<2> world(where, setup, sheared_force);
    world.system().set_shear(rate);
    Laboratory laboratory{rate, length, setup.start.position, {}, {}, {}};
    for (std::size_t i = 0; i < world.size(); ++i) {
        const double mass = setup.start.mass(i);
        laboratory.mass.push_back(mass);
        laboratory.v.push_back(
            {setup.start.momentum[i][0] / mass + rate * (setup.start.position[i][1] - 0.5 * length),
             setup.start.momentum[i][1] / mass});
    }
    const auto verlet = read_integrator("method = \"verlet\"\ndt = 0.002");
    constexpr int steps = 1000;
    world.run(*verlet, steps);
    for (int k = 0; k < steps; ++k) laboratory.step(dt);
    const Snapshot<2> now = world.system().snapshot();
    const SlidingImages sliding = world.system().box().sliding();
    const double slide = sliding.slide + sliding.turns * length;
    CHECK(std::abs(slide - rate * length * dt * steps) < 1e-10);
    double places = 0.0, velocities = 0.0;
    int crossed = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
        const double above = now.image[i][1];
        crossed += above != 0.0;
        const double x = now.position[i][0] + now.image[i][0] * length + above * slide,
                     y = now.position[i][1] + above * length;
        places = test::larger(places, std::abs(x - laboratory.x[i][0]));
        places = test::larger(places, std::abs(y - laboratory.x[i][1]));
        velocities =
            test::larger(velocities, std::abs(now.momentum[i][0] / now.mass(i) +
                                              rate * (y - 0.5 * length) - laboratory.v[i][0]));
        velocities = test::larger(velocities,
                                  std::abs(now.momentum[i][1] / now.mass(i) - laboratory.v[i][1]));
    }
    CHECK(crossed > 2);
    // Rounding grows by chaos.
    CHECK(places < 1e-9);
    CHECK(velocities < 1e-8);
}

TEST_CASE("energy less the work of a shear is kept to the order of the method") {
    const auto where = GENERATE(from_range(best_processors()));
    const std::string method = GENERATE("verlet", "position-verlet", "blanes-moan-4");
    CAPTURE(where.name, method);
    const double order = method == "blanes-moan-4" ? 4.0 : 2.0;
    const auto drift = [&](double dt) {
        World<3> world(where, sheared_liquid<3>(8, {0, 1}), sheared_force);
        world.system().set_shear(0.5);
        const auto integrator =
            read_integrator("method = \"" + method + "\"\ndt = " + std::to_string(dt));
        const auto kept = [&] {
            return world.energy() - world.system().bath_heat() -
                   world.system().scalar(Scalar::shear_work);
        };
        const double before = kept();
        double sum = 0.0;
        const int steps = static_cast<int>(std::lround(0.4 / dt));
        for (int k = 0; k < steps; ++k) {
            world.run(*integrator, 1);
            const double off = kept() - before;
            sum += off * off;
        }
        CHECK(std::abs(world.system().scalar(Scalar::shear_work)) > 1.0);
        return std::sqrt(sum / steps);
    };
    const double step = order > 2.0 ? 0.02 : 0.008;
    const double coarse = drift(step), fine = drift(0.5 * step);
    CAPTURE(coarse, fine);
    CHECK(std::log2(coarse / fine) > order - 0.3);
    CHECK(std::log2(coarse / fine) < order + 0.8);
}

TEST_CASE("energy less work is kept to the order of the method while the rate of a shear changes") {
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    const auto drift = [&](double dt) {
        World<3> world(where, sheared_liquid<3>(8, {0, 1}), sheared_force);
        const int steps = static_cast<int>(std::lround(0.4 / dt));
        // Up to 1, to -0.5 and to nothing.
        ShearSettings settings;
        settings.rate = Ramp({{0, 0.0}, {steps / 2, 1.0}, {3 * steps / 4, -0.5}, {steps, 0.0}});
        Sheared method(read_integrator("method = \"verlet\"\ndt = " + std::to_string(dt)),
                       settings);
        CHECK(method.steady_from() == steps);
        CHECK(method.shear_rate_at(steps / 4) == 0.5);
        const auto kept = [&] {
            return world.energy() - world.system().bath_heat() -
                   world.system().scalar(Scalar::shear_work);
        };
        const double before = kept(), length = world.system().box().lengths()[0];
        double sum = 0.0;
        for (int k = 0; k < steps; ++k) {
            world.run(method, 1);
            CHECK(world.system().shear_rate() == settings.rate.at(k + 0.5));
            const double off = kept() - before;
            sum += off * off;
        }
        // The rate of the middle of each step has the integral of the table: 0.1 + 0.025 - 0.025.
        const SlidingImages sliding = world.system().box().sliding();
        CHECK(std::abs(sliding.slide + sliding.turns * length - 0.1 * length) < 1e-12 * length);
        CHECK(std::abs(world.system().scalar(Scalar::shear_work)) > 0.5);
        return std::sqrt(sum / steps);
    };
    const double coarse = drift(0.01), fine = drift(0.005);
    CAPTURE(coarse, fine);
    CHECK(std::log2(coarse / fine) > 1.7);
    CHECK(std::log2(coarse / fine) < 2.8);
}

TEST_CASE("a sheared run that is resumed has the bits of one that went on") {
    const auto where = GENERATE(from_range(best_processors()));
    const bool pair_is_double = GENERATE(false, true);
    CAPTURE(where.name, pair_is_double);
    const auto baoab = [] {
        return read_integrator("method = \"baoab\"\ndt = 0.004\nfriction = 1.0\ntemperature = 1.0");
    };
    World<3> through(where, sheared_liquid<3>(8, {0, 1}), sheared_force, pair_is_double);
    World<3> resumed(where, sheared_liquid<3>(8, {0, 1}), sheared_force, pair_is_double);
    for (auto* world : {&through, &resumed}) world->system().set_shear(2.0);
    through.run(*baoab(), 137);
    CHECK(through.system().box().sliding().turns >= 1.0);
    resumed.system().restore(through.system().state());
    for (auto* world : {&through, &resumed}) world->run(*baoab(), 100);
    const SystemState<3> a = through.system().state(), b = resumed.system().state();
    CHECK(a.snapshot.position == b.snapshot.position);
    CHECK(a.snapshot.momentum == b.snapshot.momentum);
    CHECK(a.snapshot.image == b.snapshot.image);
    CHECK(a.bath_heat == b.bath_heat);
    CHECK(a.ensemble.scalars == b.ensemble.scalars);
    CHECK(a.ensemble.slide == b.ensemble.slide);
    CHECK(a.ensemble.turns == b.ensemble.turns);
    CHECK(a.rebuilds == b.rebuilds);
    CHECK(a.rebuilds >= 4);
}

TEST_CASE("bits of a sheared fluid do not depend on the number of threads") {
    const auto end = [](const TestBackend& where) {
        World<3> world(where, sheared_liquid<3>(8, {2, 0}), sheared_force, false);
        world.system().set_shear(1.0);
        world.run(*read_integrator("method = \"verlet\"\ndt = 0.004"), 60);
        return world.system().snapshot().position;
    };
    if (is_wanted("cpu"))
        for (const InstructionSet isa : available_instruction_sets()) {
            CAPTURE(name(isa));
            CHECK(end(processor(isa, 1)) == end(processor(isa, 2)));
        }
}
