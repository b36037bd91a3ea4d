// SPDX-License-Identifier: BSD-3-Clause
#include "support/catch.hpp"
#include "support/contains.hpp"
#include "support/temporary_folder.hpp"
#include "support/world.hpp"

#include "shadow/core/error.hpp"
#include "shadow/core/input_table.hpp"
#include "shadow/core/log.hpp"
#include "shadow/io/checkpoint.hpp"
#include "shadow/io/h5md.hpp"
#include "shadow/run/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

using namespace shadow;
using test::contains;

namespace {

/// A liquid of two species in a bath, observed.
InputTable driven_liquid(int dimension, const std::string& method = "baoab") {
    InputTable input;
    input.set("seed", 3);
    InputTable system = input.table("system");
    system.set("dimension", dimension);
    system.table("box").set("density", dimension == 3 ? 0.6 : 0.5);
    using Counts = std::vector<std::int64_t>;
    system.table("lattice")
        .set("type", dimension == 1   ? "chain"
                     : dimension == 2 ? "square"
                                      : "fcc")
        .set("repeat", dimension == 1   ? Counts{50}
                       : dimension == 2 ? Counts{16, 16}
                                        : Counts{4, 4, 4});
    system.table("velocity").set("temperature", 1.2);
    input.add("species").set("name", "A").set("mass", 1.0).set("fraction", 0.5);
    input.add("species").set("name", "B").set("mass", 3.0).set("fraction", 0.5);
    input.add("force")
        .set("type", "lennard-jones")
        .set("cutoff", 2.5)
        .set("epsilon", 1.0)
        .set("sigma", 1.0)
        .set("truncation", "shift");
    InputTable integrator = input.table("integrator");
    integrator.set("method", method).set("dt", 0.002);
    if (method == "baoab") integrator.set("temperature", 1.2).set("friction", 1.0);
    input.table("compute").set("device", "cpu").set("precision", "double").set("threads", 1);
    input.add("observe").set("type", "thermo").set("every", 5);
    return input;
}

/// Without lines to read.
struct Quiet {
    Quiet() { log::set_level(log::Level::warning); }
    ~Quiet() { log::set_level(log::Level::info); }
};

std::string error_of(const std::function<void()>& use) {
    try {
        use();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

} // namespace

TEMPLATE_TEST_CASE_SIG("a program drives the steps that a run has", "", ((int Dim), Dim), 1, 2, 3) {
    const Quiet quiet;
    const InputTable input = driven_liquid(Dim);
    Simulation simulation(input.parameters());
    CHECK(simulation.dimension() == Dim);
    simulation.run(15);
    simulation.run(25);
    CHECK(simulation.step() == 40);
    CHECK(simulation.time() == Approx(0.08));

    // The same by hand.
    const Parameters root = input.parameters();
    Setup<Dim> setup = make_system<Dim>(root, 3);
    Model<Dim> model = model_of(setup, {.pair_is_double = true, .seed = 3});
    const Backend backend = Backend::cpu(1);
    add_forces(model, root, backend, setup);
    draw_velocities(root, setup, model.conserved, 3);
    const auto method = make_integrator(root.table("integrator"), {1.0});
    const auto particles = make_particles(model, backend, setup.box, setup.start);
    particles->set_degrees_of_freedom(
        degrees_of_freedom(particles->size(), ConservedMomenta<Dim>{}));
    method->prepare(*particles);
    for (int k = 0; k < 40; ++k) method->step(*particles);
    const Snapshot<Dim> expected = particles->snapshot();
    const std::vector<double> x = simulation.positions(), v = simulation.velocities(),
                              mass = simulation.masses();
    REQUIRE(x.size() == expected.size() * Dim);
    double apart = 0.0, faster = 0.0;
    for (std::size_t i = 0; i < expected.size(); ++i)
        for (std::size_t d = 0; d < Dim; ++d) {
            apart =
                std::max(apart, std::abs(std::remainder(x[i * Dim + d] - expected.position[i][d],
                                                        setup.box.lengths()[d])));
            faster = std::max(faster, std::abs(mass[i] * v[i * Dim + d] - expected.momentum[i][d]));
        }
    // Rounding of forces with and without energies, for 40 steps.
    CHECK(apart < 1e-11);
    CHECK(faster < 1e-11);
    double kinetic = 0.0;
    for (std::size_t k = 0; k < v.size(); ++k) kinetic += 0.5 * mass[k / Dim] * v[k] * v[k];
    CHECK(simulation.kinetic_energy() == Approx(kinetic).epsilon(1e-12));
    CHECK(simulation.potential_energy() == Approx(particles->potential_energy()).epsilon(1e-11));
}

TEST_CASE("a program and mdrun have the same bits") {
    const Quiet quiet;
    const TemporaryFolder folder;
    Simulation simulation(driven_liquid(2).parameters());
    simulation.run(60);
    InputTable input = driven_liquid(2);
    input.table("run").set("steps", 60);
    RunOptions options;
    options.input = folder.write("liquid.toml", input.parameters().resolved());
    options.summary = folder.path() / "summary.json";
    options.quiet = true;
    options.progress = ProgressStyle::none;
    CHECK(run_simulation(options) == 0);
    const Snapshot<2> end =
        read_checkpoint<2>(checkpoint_path(folder.path() / "liquid"), "double").state.snapshot;
    const std::vector<double> v = simulation.velocities(), mass = simulation.masses(),
                              x = simulation.positions(), lengths = simulation.box_lengths();
    CHECK(simulation.box_edges() == std::vector<double>{lengths[0], 0.0, 0.0, lengths[1]});
    for (std::size_t i = 0; i < end.size(); ++i)
        for (std::size_t d = 0; d < 2; ++d) {
            REQUIRE(v[2 * i + d] == end.momentum[i][d] / mass[i]);
            // As stored, it may be a little outside.
            const double stored = end.position[i][d];
            REQUIRE(x[2 * i + d] == stored - lengths[d] * std::floor(stored / lengths[d]));
        }
}

TEST_CASE("how steps are grouped is no matter") {
    const Quiet quiet;
    Simulation one(driven_liquid(2).parameters()), many(driven_liquid(2).parameters());
    one.run(60);
    for (const int steps : {1, 0, 7, 50, 2}) many.run(steps);
    CHECK(one.positions() == many.positions());
    CHECK(one.velocities() == many.velocities());
    const auto mean = [](Simulation& simulation) { return simulation.summary().averages[0].mean; };
    CHECK(mean(one) == mean(many));
}

TEST_CASE("forces are minus the gradient of the energy, through new places") {
    const Quiet quiet;
    Simulation simulation(driven_liquid(3, "verlet").parameters());
    simulation.run(20);
    const std::vector<double> x = simulation.positions(), f = simulation.forces();
    for (const std::size_t k : {4U, 301U}) {
        const double h = 1e-5;
        std::vector<double> moved = x;
        const auto energy = [&](double by) {
            moved[k] = x[k] + by;
            simulation.set_positions(moved);
            return simulation.potential_energy();
        };
        const double ahead = energy(h), behind = energy(-h);
        CHECK(std::abs(f[k] + (ahead - behind) / (2.0 * h)) < 1e-5 * (1.0 + std::abs(f[k])));
    }
    simulation.set_positions(x);
    CHECK(test::larger(0.0, std::abs(simulation.forces()[7] - f[7])) < 1e-10);
}

TEST_CASE("places outside of the box come in; velocities stay") {
    const Quiet quiet;
    Simulation simulation(driven_liquid(2, "verlet").parameters());
    const std::vector<double> x = simulation.positions(), v = simulation.velocities();
    const std::vector<double> lengths = simulation.box_lengths();
    const double before = simulation.potential_energy();
    std::vector<double> away = x;
    for (std::size_t k = 0; k < away.size(); ++k)
        away[k] += static_cast<double>(k % 3) * lengths[k % 2];
    simulation.set_positions(away);
    CHECK(simulation.potential_energy() == Approx(before).epsilon(1e-10));
    CHECK(simulation.velocities() == v);
    const auto inside = [&] {
        const std::vector<double> now = simulation.positions();
        for (std::size_t k = 0; k < now.size(); ++k)
            if (!(now[k] >= 0.0 && now[k] < lengths[k % 2])) return false;
        return true;
    };
    CHECK(inside());
    for (int k = 0; k < 20; ++k) {
        simulation.run(3);
        CHECK(inside());
    }
    simulation.set_positions(away);
    simulation.run(1);
    const std::vector<double> now = simulation.positions();
    for (std::size_t k = 0; k < now.size(); ++k)
        CHECK(std::abs(std::remainder(now[k] - x[k], lengths[k % 2])) < 0.1);
}

TEST_CASE("a new state begins new averages, and conserves its own energy") {
    const Quiet quiet;
    Simulation simulation(driven_liquid(3, "verlet").parameters());
    simulation.run(50);
    std::vector<double> v = simulation.velocities();
    for (double& component : v) component *= 3.0;
    simulation.set_velocities(v);
    CHECK(contains(error_of([&] { (void)simulation.summary(); }), "before the first step"));
    CHECK(simulation.temperature() == Approx(9.0 * 1.2).epsilon(0.3));
    simulation.run(50);
    const StageSummary summary = simulation.summary();
    CHECK(summary.steps == 50);
    const auto average = [&](const std::string& name) {
        for (const AverageSummary& a : summary.averages)
            if (a.name == name) return a.mean;
        return std::nan("");
    };
    CHECK(average("temperature") > 5.0);
    CHECK(std::abs(summary.conserved.drift * summary.time) < 0.05 * 256.0);
}

TEST_CASE("motion of the centre of mass before a new state does not count") {
    const Quiet quiet;
    InputTable input = driven_liquid(3);
    input.table("integrator").set("friction", 1e-3);
    Simulation simulation(input.parameters());
    const std::vector<double> thermal = simulation.velocities();
    std::vector<double> driven = thermal;
    for (std::size_t x = 0; x < driven.size(); x += 3) driven[x] += 5.0;
    const auto moves = [&](const std::vector<double>& velocities) {
        simulation.set_velocities(velocities);
        simulation.run(200);
        return contains(simulation.summary().verdict.temperature.message, "centre of mass");
    };
    CHECK(moves(driven));
    CHECK_FALSE(moves(thermal));
}

TEST_CASE("a Nosé-Poincaré bath begins anew with a new state") {
    const Quiet quiet;
    InputTable input = driven_liquid(3, "verlet");
    input.table("integrator")
        .set("method", "nose-poincare")
        .set("temperature", 1.2)
        .set("mass", 50.0);
    Simulation simulation(input.parameters());
    simulation.run(200);
    const std::vector<double> v = simulation.velocities();
    const double kinetic = simulation.kinetic_energy();
    simulation.set_velocities(v);
    CHECK(simulation.kinetic_energy() == Approx(kinetic).epsilon(1e-10));
    simulation.run(200);
    const StageSummary summary = simulation.summary();
    CHECK(std::abs(summary.conserved.drift * summary.time) < 0.05 * 256.0);
}

TEST_CASE("a program minimises, too") {
    const Quiet quiet;
    InputTable input = driven_liquid(2, "minimize");
    input.table("integrator").set("force_tolerance", 1e-4);
    input.table("system").table("lattice").set("jitter", 0.2);
    Simulation simulation(input.parameters());
    simulation.run(20000);
    CHECK(simulation.step() < 20000);
    double largest = 0.0;
    for (const double f : simulation.forces()) largest = std::max(largest, std::abs(f));
    CHECK(largest <= 1e-4);
}

TEST_CASE("an explosion is an error of a driven simulation") {
    const Quiet quiet;
    InputTable input = driven_liquid(3, "verlet");
    input.table("integrator").set("dt", 0.2);
    CHECK_THROWS_AS(
        [&] {
            Simulation simulation(input.parameters());
            for (int k = 0; k < 100; ++k) simulation.run(5);
        }(),
        Error);
}

TEST_CASE("what a driven simulation refuses") {
    const Quiet quiet;
    const auto refused = [](const std::function<void(InputTable&)>& change) {
        InputTable input = driven_liquid(2);
        change(input);
        return error_of([&] { (void)Simulation(input.parameters()); });
    };
    CHECK(contains(refused([](InputTable& in) { in.add("stage").set("name", "a"); }), "[[stage]]"));
    CHECK(contains(refused([](InputTable& in) { in.table("run").table("until"); }), "until"));
    CHECK(contains(
        refused([](InputTable& in) { in.table("system").table("box").set("densty", 1.0); }),
        "system.box.densty: "));
    CHECK(contains(refused([](InputTable& in) { in.table("integrator").set("dt", -1.0); }),
                   "integrator.dt: "));
    Simulation simulation(driven_liquid(2).parameters());
    CHECK(contains(error_of([&] { simulation.run(-1); }), "-1 steps"));
    CHECK(contains(error_of([&] { (void)simulation.summary(); }), "before the first step"));
    std::vector<double> x = simulation.positions();
    x[5] = std::nan("");
    CHECK(contains(error_of([&] { simulation.set_positions(x); }), "particle 2"));
    x.pop_back();
    CHECK(contains(error_of([&] { simulation.set_velocities(x); }), "256 particles"));
}
