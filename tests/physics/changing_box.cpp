// SPDX-License-Identifier: BSD-3-Clause
// A box that changes, positions with it, where it is computed: lists that follow it, what forces
// say of it, restarts, and steps that need no host.
#include "support/catch.hpp"
#include "support/pair_system.hpp"
#include "support/world.hpp"

#include "shadow/core/error.hpp"

#include "kernels/cuda/runtime.hpp"

#include <cmath>
#include <fmt/format.h>

using namespace shadow;
using namespace shadow::test;

namespace {

/// A liquid of two species.
template <int Dim>
Setup<Dim> liquid(int repeat) {
    const std::string n = std::to_string(repeat);
    const std::string lattice = Dim == 3 ? "\"fcc\", repeat = [" + n + ", " + n + ", " + n + "]"
                                         : "\"triangular\", repeat = [" + n + ", " + n + "]";
    return read_setup<Dim>("[system]\ndimension = " + std::to_string(Dim) +
                           "\nunits = \"lj\"\nbox = { density = 0.7 }\nlattice = { type = " +
                           lattice + " }\nvelocity = { temperature = 1.0 }\n");
}

constexpr const char* smooth_end = R"(
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = 2.5
truncation = "force-shift"
)";

template <int Dim>
void change_box(World<Dim>& world, double factor) {
    world.system().set_scalar(Scalar::strain, factor);
    world.system().scale_box(Scalar::strain);
}

} // namespace

TEST_CASE("a strain takes particles along and makes no list old") {
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    World<3> world(where, liquid<3>(9), smooth_end);
    world.system().neighbours().may_shrink(0.5);
    world.potential();
    const std::int64_t before = world.system().neighbours().rebuilds();
    const Snapshot<3> start = world.system().snapshot();
    const double length = world.system().box().lengths()[0];
    // Corners move by 0.3, more than half a skin; two particles within reach relative to each other
    // by 0.05.
    for (int k = 0; k < 10; ++k) {
        change_box(world, 1.002);
        world.potential();
    }
    CHECK(world.system().neighbours().rebuilds() == before);
    const double factor = std::pow(1.002, 10.0);
    CHECK(std::abs(world.system().box().lengths()[0] / (factor * length) - 1.0) < 1e-14);
    const Snapshot<3> now = world.system().snapshot();
    double worst = 0.0;
    for (std::size_t i = 0; i < now.size(); ++i)
        for (std::size_t d = 0; d < 3; ++d)
            worst =
                test::larger(worst, std::abs(now.position[i][d] - factor * start.position[i][d]));
    CHECK(worst < 1e-13 * length);
    CHECK(now.momentum == start.momentum);
}

TEMPLATE_TEST_CASE_SIG("the energy of a strained box falls by the virial", "", ((int Dim), Dim),
                       (2), (3)) {
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    World<Dim> world(where, liquid<Dim>(Dim == 3 ? 6 : 20), smooth_end);
    world.system().neighbours().may_shrink(0.5);
    world.run(*read_integrator("method = \"verlet\"\ndt = 0.005"), 100);
    const double virial = world.virial().trace();
    const double h = 1e-5;
    change_box(world, std::exp(h));
    const double more = world.potential();
    change_box(world, std::exp(-2.0 * h));
    const double less = world.potential();
    // Differences of an energy of some thousand that is rounded to 1e-16 of it; and h^2.
    CHECK(std::abs((less - more) / (2.0 * h) - virial) < 1e-6 * std::abs(virial));
}

// A mesh and its splines, or wave vectors, stay those of the box at the start.
TEMPLATE_TEST_CASE_SIG("charges in a box that has changed are those of a box of this size", "",
                       ((int Dim), Dim), (2), (3)) {
    const auto where = GENERATE(from_range(best_processors()));
    const std::string type = GENERATE("coulomb-pme", "coulomb-ewald", "logarithmic-pme");
    if (Dim == 3 && type == "logarithmic-pme") return;
    const bool pair_is_double = GENERATE(true, false);
    CAPTURE(where.name, type, pair_is_double);
    // In mixed precision the mesh is in float.
    const double accuracy = pair_is_double ? 1e-7 : 1e-4;
    const std::string force = fmt::format(
        "[[force]]\ntype = \"lennard-jones\"\nepsilon = 1.0\nsigma = 0.7\ncutoff = 2.5\n"
        "truncation = \"force-shift\"\n"
        "[[force]]\ntype = \"{}\"\ncutoff = 3.0\naccuracy = {}\n",
        type, accuracy);
    constexpr int side = Dim == 3 ? 8 : 20;
    std::array<double, Dim> lengths;
    std::array<bool, Dim> periodic;
    lengths.fill(side);
    periodic.fill(true);
    const int n = Dim == 3 ? side * side * side : side * side;
    Setup<Dim> setup =
        setup_of<Dim>(jittered_points<Dim>(n, 1.0, 0.1, 5), Box<Dim>(lengths, periodic), 2);
    for (std::size_t s : {0UL, 1UL}) setup.start.species_table[s].charge = s == 0 ? 1.0 : -1.0;
    World<Dim> world(where, setup, force, pair_is_double);
    world.system().neighbours().may_shrink(0.5);
    const double before = world.potential();
    const auto in_a_box = [&](double factor) {
        Setup<Dim> there = setup;
        lengths.fill(factor * side);
        there.box = Box<Dim>(lengths, periodic);
        for (auto& x : there.start.position)
            for (double& component : x) component *= factor;
        return std::make_unique<World<Dim>>(where, there, force, pair_is_double);
    };
    const auto scale_of = [](const Vectors<Dim>& forces) {
        double sum = 0.0;
        for (const auto& f : forces)
            for (const double x : f) sum += x * x;
        return std::sqrt(sum / static_cast<double>(forces.size()));
    };
    double now = 1.0;
    for (const double factor : {0.9, 1.01}) {
        CAPTURE(factor);
        change_box(world, factor / now);
        now = factor;
        const auto expected = in_a_box(factor);
        const double energy = expected->potential();
        CHECK(std::abs(world.potential() - energy) < 3.0 * accuracy * std::abs(energy));
        CHECK(std::abs(energy - before) > 0.003 * std::abs(before));
        auto difference = world.forces();
        const auto forces = expected->forces();
        for (std::size_t i = 0; i < forces.size(); ++i)
            for (std::size_t d = 0; d < Dim; ++d) difference[i][d] -= forces[i][d];
        CHECK(scale_of(difference) < 3.0 * accuracy * scale_of(forces));
        const double virial = world.virial().trace();
        CHECK(std::abs(virial - expected->virial().trace()) < 30.0 * accuracy * std::abs(energy));
        // And the energy falls by it.
        const double h = pair_is_double ? 1e-4 : 1e-3;
        change_box(world, std::exp(h));
        const double more = world.potential();
        change_box(world, std::exp(-2.0 * h));
        const double less = world.potential();
        change_box(world, std::exp(h));
        CHECK(std::abs((less - more) / (2.0 * h) - virial) <
              (1e-5 + 10.0 * accuracy) * std::abs(energy));
    }
}

TEST_CASE("tails of a potential fall with the density") {
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    const auto with = [&](bool tail) {
        const std::string force =
            "[[force]]\ntype = \"lennard-jones\"\nepsilon = 1.0\nsigma = 1.0\n"
            "cutoff = 2.5\ntail = " +
            std::string(tail ? "true" : "false");
        return std::make_unique<World<3>>(where, liquid<3>(5), force + "\n");
    };
    const auto plain = with(false), tailed = with(true);
    const double before = tailed->potential() - plain->potential();
    for (auto* world : {plain.get(), tailed.get()}) change_box(*world, 1.1);
    const double after = tailed->potential() - plain->potential();
    CHECK(before < -100.0);
    CHECK(std::abs(after * std::pow(1.1, 3.0) - before) < 1e-9 * std::abs(before));
    const double virial = tailed->system().tail_virial().in(tailed->system().box().view());
    CHECK(std::abs(virial * std::pow(1.1, 3.0) - tailed->system().tail_virial().value) <
          1e-12 * std::abs(virial));
}

TEST_CASE("a restart in a box that changes has the bits of a run that went on") {
    const auto where = GENERATE(from_range(best_processors()));
    const bool pair_is_double = GENERATE(false, true);
    CAPTURE(where.name, pair_is_double);
    const auto verlet = read_integrator("method = \"verlet\"\ndt = 0.004");
    const auto run = [&](World<3>& world, int first, int last) {
        for (int k = first; k < last; ++k) {
            change_box(world, 1.0 + 0.002 * std::sin(0.2 * k));
            world.run(*verlet, 1);
        }
    };
    World<3> through(where, liquid<3>(7), smooth_end, pair_is_double);
    World<3> resumed(where, liquid<3>(7), smooth_end, pair_is_double);
    for (auto* world : {&through, &resumed}) world->system().neighbours().may_shrink(0.5);
    run(through, 0, 37);
    resumed.system().restore(through.system().state());
    for (auto* world : {&through, &resumed}) run(*world, 37, 80);
    const Snapshot<3> a = through.system().snapshot(), b = resumed.system().snapshot();
    CHECK(a.position == b.position);
    CHECK(a.momentum == b.momentum);
    CHECK(a.image == b.image);
    CHECK(through.system().box().lengths() == resumed.system().box().lengths());
    CHECK(through.system().neighbours().rebuilds() == resumed.system().neighbours().rebuilds());
    const Neighbours<3>& lists = through.system().neighbours();
    CHECK(lists.rebuilds() >= (lists.on_demand() ? 1 : 2));
}

TEST_CASE("steps in a box that changes need no host", "[cuda]") {
    const auto where = GENERATE(from_range(best_processors()));
    if (!where.cuda) return;
    World<3> world(where, liquid<3>(9), smooth_end);
    world.system().neighbours().may_shrink(0.5);
    const auto verlet = read_integrator("method = \"verlet\"\ndt = 0.004");
    world.system().set_scalar(Scalar::strain, 1.0001);
    const double length = world.system().box().lengths()[0];
    for (int k = 0; k < 200; ++k) {
        world.system().scale_box(Scalar::strain);
        world.run(*verlet, 1);
    }
    world.backend.synchronize();
    const cuda::ReplayReport report = cuda::replay_report(world.backend.stream());
    CHECK(report.problems.empty());
    CHECK(report.graphs > 0);
    CHECK(report.launches < 20 * 100);
    CHECK(std::abs(world.system().box().lengths()[0] / length - std::pow(1.0001, 200.0)) < 1e-13);
}

TEST_CASE("a box that shrinks further than lists are planned for ends the run") {
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    World<3> world(where, liquid<3>(6), smooth_end);
    world.system().neighbours().may_shrink(0.95);
    world.potential();
    change_box(world, 0.96);
    CHECK_NOTHROW(world.system().check_status());
    change_box(world, 0.98);
    CHECK_THROWS_AS(world.system().check_status(), SimulationError);
}
