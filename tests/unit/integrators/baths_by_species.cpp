// SPDX-License-Identifier: BSD-3-Clause
/// A thermostat for each species: its own chain, or its own rescaling.
#include "support/catch.hpp"
#include "support/small_systems.hpp"
#include "support/world.hpp"

#include "shadow/core/error.hpp"
#include "shadow/integrators/nose_hoover.hpp"

#include <array>
#include <cmath>
#include <fmt/format.h>

using namespace shadow;
using namespace shadow::test;

namespace {

const char* const repelling = R"(
[[force]]
type = "wca"
epsilon = 1.0
sigma = 1.0
)";

std::unique_ptr<Integrator> by_species(const std::string& method, const std::string& keys,
                                       double dt, const std::string& kT = "1.3") {
    return read_integrator(
        fmt::format("method = \"{}\"\ndt = {}\ntemperature = {}\n{}\n", method, dt, kT, keys));
}

/// With all scalars of the device.
double conserved_with(World<3>& world, const Integrator& method) {
    ParticleSystem<3>& system = world.system();
    std::vector<double> scalars;
    for (int k = 0; k < Scalar::count; ++k)
        scalars.push_back(system.scalar(static_cast<Scalar>(k)));
    const double total = world.energy();
    return total + method.extended_energy(system)(Scalars{scalars.data()}, total);
}

/// The particles of one species, without forces, as a small system.
Problem free_particles(const Setup<2>& setup, std::size_t species) {
    Problem problem;
    problem.name = "free particles";
    for (std::size_t i = 0; i < setup.start.size(); ++i) {
        if (setup.start.species[i] != species) continue;
        for (std::size_t d = 0; d < 2; ++d) {
            problem.mass.push_back(setup.start.species_table[species].mass);
            problem.q.push_back(0.0);
            problem.p.push_back(setup.start.momentum[i][d]);
        }
    }
    problem.potential = [](const double*, ForceLevel) { return 0.0; };
    problem.gradient = [n = problem.q.size()](const double*, ForceLevel, double* g) {
        std::fill_n(g, n, 0.0);
    };
    return problem;
}

} // namespace

TEST_CASE("each species has the momenta that a chain of its own gives it") {
    const double period[] = {0.3, 1.0, 0.5};
    for (const TestBackend& where : every_processor()) {
        CAPTURE(where.name);
        const Setup<2> setup = warm_lattice<2>(7, 1.0, true, 3);
        World<2> world(where, setup, "");
        const auto method = by_species("nose-hoover", "period = { C = 0.5, A = 0.3, B = 1.0 }",
                                       0.01, "[[0, 1.3], [25, 0.9]]");
        CHECK_FALSE(method->claims().conserves_momentum);
        method->prepare(world.system());
        for (int k = 0; k < 30; ++k) method->step(world.system());
        const auto momenta = world.system().snapshot().momentum;
        for (std::size_t species = 0; species < 3; ++species) {
            SmallSystem alone(free_particles(setup, species));
            const auto own = by_species("nose-hoover", fmt::format("period = {}", period[species]),
                                        0.01, "[[0, 1.3], [25, 0.9]]");
            own->prepare(alone);
            for (int k = 0; k < 30; ++k) own->step(alone);
            double most = 0.0;
            std::size_t at = 0;
            for (std::size_t i = 0; i < setup.start.size(); ++i) {
                if (setup.start.species[i] != species) continue;
                for (std::size_t d = 0; d < 2; ++d)
                    most = larger(most, std::abs(momenta[i][d] - alone.p()[at++]));
            }
            CHECK(most < 1e-12); // 30 steps of momenta of some units
        }
    }
}

TEST_CASE("the energy of chains by species has an error of order 2") {
    for (const TestBackend& where : best_processors())
        for (const char* kT : {"1.3", "ramp"}) {
            CAPTURE(where.name, kT);
            double swing[2];
            for (const int finer : {1, 2}) {
                World<3> world(where, warm_lattice<3>(5, 1.0), repelling);
                const int steps = 200 * finer;
                const auto method =
                    by_species("nose-hoover", "period = { A = 0.4, B = 1.0 }", 0.004 / finer,
                               kT[0] == 'r' ? fmt::format("[[0, 1.0], [{}, 1.6]]", steps) : kT);
                method->prepare(world.system());
                const double start = conserved_with(world, *method);
                double squares = 0.0;
                for (int k = 0; k < steps; ++k) {
                    method->step(world.system());
                    if (k % (10 * finer) == 10 * finer - 1)
                        squares += std::pow(conserved_with(world, *method) - start, 2);
                }
                swing[finer - 1] = std::sqrt(squares / 20.0);
                if (kT[0] == 'r') CHECK(std::abs(world.system().scalar(Scalar::work)) > 0.1);
            }
            INFO(swing[0] << ", " << swing[1]);
            CHECK(std::abs(std::log2(swing[0] / swing[1]) - 2.0) < 0.3);
        }
}

TEST_CASE("baths by species cool the hot one, and each has a canonical kinetic energy") {
    const double kT = 1.3;
    for (const TestBackend& where : best_processors())
        for (const bool noise : {false, true}) {
            CAPTURE(where.name, noise);
            Setup<3> setup = warm_lattice<3>(4, kT); // 32 of each
            for (std::size_t i = 0; i < setup.start.size(); ++i)
                if (setup.start.species[i] == 1)
                    for (double& p : setup.start.momentum[i]) p *= 2.0;
            World<3> world(where, setup, repelling);
            world.system().set_degrees_of_freedom(3.0 * 64.0);
            const auto method =
                noise ? by_species("bussi", "time = { A = 0.1, B = 0.3 }", 0.004)
                      : by_species("nose-hoover", "period = { A = 0.3, B = 0.6 }", 0.004);
            method->prepare(world.system());
            ParticleSystem<3>& system = world.system();
            BlockedSeries mean[2], variance[2];
            for (int k = 0; k < 40000; ++k) {
                method->step(system);
                if (k < 2000 || k % 20 != 0) continue;
                system.measure_kinetic_by_species();
                for (int species = 0; species < 2; ++species) {
                    const double twice =
                        system.scalar(of_row(Scalar::species_kinetic, species)) / (96.0 * kT);
                    mean[species].add(twice);
                    variance[species].add((twice - 1.0) * (twice - 1.0) * 48.0);
                }
            }
            for (int species = 0; species < 2; ++species) {
                const Estimate m = estimate(mean[species]), v = estimate(variance[species]);
                CAPTURE(species, m.mean, m.error, v.mean, v.error);
                // The step shifts them by some 1e-3.
                CHECK(std::abs(m.mean - 1.0) < 4.0 * m.error + 2e-3);
                CHECK(std::abs(v.mean - 1.0) < 4.0 * v.error + 5e-3);
                CHECK(v.error < 0.2);
            }
        }
}

TEST_CASE("of one species a bath by species is that of all") {
    const TestBackend where = best_processor();
    const auto after = [&](const std::string& keys) {
        World<2> world(where, warm_lattice<2>(6, 1.0, true, 1), repelling);
        const auto method = by_species("nose-hoover", keys, 0.004);
        CHECK(method->claims().conserves_momentum);
        method->prepare(world.system());
        for (int k = 0; k < 20; ++k) method->step(world.system());
        return world.system().snapshot().momentum;
    };
    CHECK(after("period = { A = 0.4 }") == after("period = 0.4"));
}

TEST_CASE("heat of rescaling by species is what the particles lack") {
    World<3> world(best_processor(), warm_lattice<3>(4, 0.5), "");
    const auto method = by_species("bussi", "time = { A = 0.1, B = 0.3 }", 0.01);
    CHECK(method->bath_rate() == 0.5 / 0.3);
    method->prepare(world.system());
    const double start = conserved_with(world, *method);
    for (int k = 0; k < 50; ++k) method->step(world.system());
    CHECK(world.system().scalar(Scalar::bath_heat) > 1.0);
    CHECK(std::abs(conserved_with(world, *method) - start) < 1e-11);
}

TEST_CASE("rescaling by species has noise of its own for each") {
    World<3> world(best_processor(), warm_lattice<3>(4, 1.3), "");
    const auto method = by_species("bussi", "time = { A = 0.01, B = 0.01 }", 0.01);
    ParticleSystem<3>& system = world.system();
    method->prepare(system);
    double x[2] = {}, xx[2] = {}, xy = 0.0;
    const int steps = 4000;
    for (int k = 0; k < steps; ++k) {
        method->step(system);
        system.measure_kinetic_by_species();
        double now[2];
        for (int s = 0; s < 2; ++s) {
            now[s] = system.scalar(of_row(Scalar::species_kinetic, s)) / (96.0 * 1.3);
            x[s] += now[s] / steps;
            xx[s] += now[s] * now[s] / steps;
        }
        xy += now[0] * now[1] / steps;
    }
    const double correlation =
        (xy - x[0] * x[1]) / std::sqrt((xx[0] - x[0] * x[0]) * (xx[1] - x[1] * x[1]));
    // Samples forget by e in a step: some 2000 independent ones.
    CHECK(std::abs(correlation) < 5.0 / std::sqrt(2000.0));
}

TEST_CASE("baths by species that say nothing are refused") {
    const auto error_of = [](const std::string& table) -> std::string {
        try {
            (void)read_integrator("dt = 0.01\ntemperature = 1.0\n" + table);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    const auto is_refused = [&](const std::string& table, const std::string& why) {
        INFO(error_of(table));
        CHECK(error_of(table).find(why) != std::string::npos);
    };
    is_refused("method = \"nose-hoover\"\nperiod = {}", "period by species of none");
    is_refused("method = \"nose-hoover\"\nperiod = { A = 1.0, B = 0 }", "B = 0 is out of range");
    is_refused("method = \"bussi\"\ntime = { A = -1.0 }", "A = -1 is out of range");
    is_refused("method = \"nose-hoover\"\nperiod = { A = 1, B = 1, C = 1, D = 1, E = 1, F = 1, G "
               "= 1, H = 1, I = 1 }",
               "period of 9 species");
    is_refused("method = \"berendsen\"\ntime = { A = 1.0 }", "a number");
    const auto method =
        read_integrator("method = \"nose-hoover\"\ndt = 0.01\ntemperature = 1.0\nperiod = { A = "
                        "1.0, B = 0.4 }");
    CHECK(method->bath_period(1.0) == 0.4);
    CHECK(method->bath_species() == std::vector<std::string>{"A", "B"});
}
