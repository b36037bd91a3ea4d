// SPDX-License-Identifier: BSD-3-Clause
#include "support/catch.hpp"
#include "support/world.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

using namespace shadow;
using namespace shadow::test;

namespace {

/// A dense Lennard-Jones fluid whose forces have a continuous derivative; starts as a crystal that
/// melts.
template <int Dim>
std::string liquid(double temperature, const std::string& more = "") {
    const char* lattice = Dim == 2 ? R"({ type = "square", repeat = [12, 12], jitter = 0.05 })"
                                   : R"({ type = "fcc", repeat = [4, 4, 4], jitter = 0.05 })";
    return fmt::format(R"(
[system]
dimension = {}
box = {{ density = {} }}
lattice = {}
velocity = {{ temperature = {} }}
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = 2.5
inner = 1.6
truncation = "smooth-c2"
{}
)",
                       Dim, Dim == 2 ? 0.75 : 0.8, lattice, temperature, more);
}

const char* const split_table = "split = { inner = 1.2, outer = 1.55 }";

std::unique_ptr<Integrator> method(const std::string& name, double dt, int inner = 0) {
    return read_integrator(fmt::format("method = \"{}\"\ndt = {}\n{}", name, dt,
                                       inner > 0 ? fmt::format("inner = {}", inner) : ""));
}

/// The standard deviation of H over `time`, looked at 100 times: the leading error term of a
/// symplectic method along the orbit.
template <int Dim>
double energy_band(const TestBackend& where, const Setup<Dim>& setup, const std::string& input,
                   Integrator& integrator, double time) {
    World<Dim> world(where, setup, input);
    const double start = world.energy();
    double sum = 0.0, squares = 0.0;
    for (int k = 0; k < 100; ++k) {
        world.run(integrator, static_cast<int>(std::lround(0.01 * time / integrator.dt())));
        const double h = world.energy() - start;
        sum += 0.01 * h;
        squares += 0.01 * h * h;
    }
    return std::sqrt(squares - sum * sum);
}

/// The fluid after it has melted, so that bands are not those of a crystal that falls apart.
template <int Dim>
Setup<Dim> melted(const TestBackend& where, const std::string& input) {
    World<Dim> world(where, read_setup<Dim>(input), input);
    world.run(*method("verlet", 0.004), 500);
    Setup<Dim> setup = world.setup();
    setup.start = world.system().snapshot();
    setup.start.step = 0;
    setup.start.time = 0.0;
    return setup;
}

template <int Dim>
void check_reversal(const TestBackend& where, const std::string& name, double dt) {
    const std::string input = liquid<Dim>(1.0);
    const int steps = 250;
    const auto integrator = method(name, dt);
    const Setup<Dim> setup = read_setup<Dim>(input);
    World<Dim> world(where, setup, input);
    const Vectors<Dim> before = world.places();
    world.run(*integrator, steps);
    // An orbit that starts 1e-9 aside shows by how much errors grow on the way.
    Setup<Dim> beside = setup;
    beside.start.position[0][0] += 1e-9;
    World<Dim> neighbour(where, beside, input);
    neighbour.run(*integrator, steps);
    const double growth = largest_difference<Dim>(world.places(), neighbour.places()) / 1e-9;
    // The orbit did go somewhere.
    CHECK(largest_difference<Dim>(world.places(), before) > 0.5);
    world.flip();
    world.run(*integrator, steps);
    const double error = largest_difference<Dim>(world.places(), before);
    CAPTURE(Dim, name, growth, error);
    // Each of 2 * steps steps rounds positions (to the box length) and forces, which act over dt^2
    // only; no error grows by more than it would both ways.
    const double rounding = 0x1p-53 * setup.box.lengths()[0];
    CHECK(error < 2.0 * steps * rounding * growth * growth);
    CHECK(error < 1e-9);
}

template <int Dim>
void check_order(const TestBackend& where, const std::string& name, double dt, double low,
                 double high) {
    const std::string input = liquid<Dim>(1.0);
    const Setup<Dim> setup = melted<Dim>(where, input);
    const double coarse = energy_band(where, setup, input, *method(name, dt), 2.0);
    const double fine = energy_band(where, setup, input, *method(name, 0.5 * dt), 2.0);
    CAPTURE(Dim, name, coarse, fine, coarse / fine);
    CHECK(coarse / fine > low);
    CHECK(coarse / fine < high);
}

/// Angular momentum components xy, yz, zx (or xy) about the origin.
template <int Dim>
std::vector<double> angular_momentum(const Snapshot<Dim>& s) {
    std::vector<double> sum(Dim == 2 ? 1 : 3);
    for (std::size_t i = 0; i < s.size(); ++i)
        for (std::size_t k = 0; k < sum.size(); ++k) {
            const std::size_t a = k, b = (k + 1) % Dim;
            sum[k] += s.position[i][a] * s.momentum[i][b] - s.position[i][b] * s.momentum[i][a];
        }
    return sum;
}

template <int Dim>
void check_momenta(const TestBackend& where, double cutoff) {
    const char* lattice =
        Dim == 2 ? R"({ type = "square", repeat = [8, 8], constant = 1.1, jitter = 0.05 })"
                 : R"({ type = "sc", repeat = [4, 4, 4], constant = 1.1, jitter = 0.05 })";
    const std::string input = fmt::format(R"(
[system]
dimension = {}
box = {{ periodic = false }}
lattice = {}
velocity = {{ temperature = 0.4 }}
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = {}
truncation = "shift"
)",
                                          Dim, lattice, cutoff);
    Setup<Dim> setup = read_setup<Dim>(input);
    // Away from zero, so that a lost or doubled part would show; moving and turning as a whole.
    for (std::size_t i = 0; i < setup.start.size(); ++i) {
        setup.start.momentum[i][0] += 0.3 - 0.1 * setup.start.position[i][1];
        setup.start.momentum[i][1] += 0.1 * setup.start.position[i][0];
    }
    World<Dim> world(where, setup, input);
    const auto p0 = world.momentum();
    const auto l0 = angular_momentum(world.system().snapshot());
    const int steps = 1000;
    world.run(*method("verlet", 0.004), steps);
    const Snapshot<Dim> end = world.system().snapshot();
    const auto p1 = world.momentum();
    const auto l1 = angular_momentum(end);
    double sum_p = 0.0, reach = 0.0;
    for (std::size_t i = 0; i < end.size(); ++i)
        for (std::size_t d = 0; d < Dim; ++d) {
            sum_p += std::abs(end.momentum[i][d]);
            reach = std::max(reach, std::abs(end.position[i][d]));
        }
    // A kick rounds every momentum, two a step, at worst all to one side; rounded distances turn
    // forces by 2^-53 reach / r, which is of the same size as dt |f| is below |p|.
    const double rounding = 2.0 * steps * 0x1p-53 * sum_p;
    CAPTURE(Dim, cutoff, rounding, reach);
    for (std::size_t d = 0; d < Dim; ++d) {
        CAPTURE(p1[d] - p0[d]);
        CHECK(std::abs(p1[d] - p0[d]) < rounding);
    }
    CHECK(std::abs(l0[0]) > 1.0);
    for (std::size_t k = 0; k < l0.size(); ++k) {
        CAPTURE(l1[k] - l0[k]);
        CHECK(std::abs(l1[k] - l0[k]) < 2.0 * reach * rounding);
    }
}

/// Where the particles are at `time`.
Vectors<3> arrive(const TestBackend& where, const Setup<3>& setup, const std::string& input,
                  Integrator& integrator, double time) {
    World<3> world(where, setup, input);
    world.run(integrator, static_cast<int>(std::lround(time / integrator.dt())));
    return world.places();
}

} // namespace

TEST_CASE("particles find their way back when momenta are reversed") {
    const auto where = GENERATE(from_range(every_processor()));
    CAPTURE(where.name);
    check_reversal<2>(where, "verlet", 0.004);
    check_reversal<3>(where, "verlet", 0.004);
    check_reversal<3>(where, "blanes-moan-4", 0.008);
    check_reversal<3>(where, "chin-4", 0.008);
}

TEST_CASE("the energy error of Verlet is of order 2 in a liquid") {
    // The leading term alone gives 4. The next is about (omega dt)^2 = 1 % of it, and the two
    // orbits part by a few percent of the distances between collisions.
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    check_order<2>(where, "verlet", 0.004, 3.6, 4.4);
    check_order<3>(where, "verlet", 0.004, 3.6, 4.4);
}

TEST_CASE("the energy error of a composition of order 4 is of order 4 in a liquid") {
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    check_order<2>(where, "blanes-moan-4", 0.01, 14.0, 18.0);
    check_order<3>(where, "blanes-moan-4", 0.01, 14.0, 18.0);
}

TEST_CASE("the energy error with gradient kicks is of order 4 in a liquid") {
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    check_order<2>(where, "chin-4", 0.008, 14.0, 18.0);
    check_order<3>(where, "chin-4", 0.008, 14.0, 18.0);
    check_order<3>(where, "omelyan-4", 0.01, 14.0, 18.0);
}

TEST_CASE("an open cluster keeps its momentum and angular momentum") {
    const auto where = GENERATE(from_range(every_processor()));
    CAPTURE(where.name);
    check_momenta<2>(where, std::numeric_limits<double>::infinity());
    check_momenta<3>(where, std::numeric_limits<double>::infinity());
    check_momenta<2>(where, 2.5);
    check_momenta<3>(where, 2.5);
}

TEST_CASE("impulse steps of a split force become Verlet steps of the whole") {
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    const std::string whole = liquid<3>(1.0), parts = liquid<3>(1.0, split_table);
    const Setup<3> setup = melted<3>(where, whole);
    SECTION("the parts add to the whole") {
        World<3> one(where, setup, whole), two(where, setup, parts);
        REQUIRE(two.system().levels().count == 2);
        // Sums of about 60 terms of up to 100, rounded twice.
        CHECK(largest_difference<3>(one.forces(), two.forces()) < 1e-11);
        CHECK(std::abs(one.potential() - two.potential()) < 1e-10);
        CHECK(std::abs(one.virial().trace() - two.virial().trace()) < 1e-9);
    }
    SECTION("orbits meet with dt^2") {
        const auto distance = [&](double dt) {
            return largest_difference<3>(
                arrive(where, setup, whole, *method("verlet", dt), 0.32),
                arrive(where, setup, parts, *method("respa", dt, 4), 0.32));
        };
        const double coarse = distance(0.004), fine = distance(0.002), finest = distance(0.001);
        CAPTURE(coarse, fine, finest);
        CHECK(coarse / fine > 3.5);
        CHECK(coarse / fine < 4.5);
        CHECK(fine / finest > 3.8);
        CHECK(fine / finest < 4.2);
    }
    SECTION("energy is kept better than by Verlet of the same step") {
        const double verlet = energy_band(where, setup, whole, *method("verlet", 0.004), 2.0);
        const double respa = energy_band(where, setup, parts, *method("respa", 0.004, 4), 2.0);
        const double half = energy_band(where, setup, parts, *method("respa", 0.002, 4), 2.0);
        CAPTURE(verlet, respa, half, respa / half);
        CHECK(respa < 0.3 * verlet);
        CHECK(respa / half > 3.6);
        CHECK(respa / half < 4.4);
    }
}

TEST_CASE("three levels of impulses become Verlet steps of the whole") {
    // Repulsion, attraction and a wave in space, which is the slowest of them.
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    const std::string wave =
        "[[force]]\ntype = \"cosine-field\"\namplitude = 0.5\nperiods = [1, 0, 0]\n";
    const std::string whole = liquid<3>(1.0, wave);
    const std::string parts =
        "levels = [\"near\", \"far\", \"outside\"]\n" +
        liquid<3>(1.0, std::string(split_table) + "\nlevel = \"far\"\n" + wave);
    const auto respa = [](double dt) {
        return make_integrator(
            read_toml_text(fmt::format("method = \"respa\"\ndt = {}\ninner = [3, 2]", dt), "in"),
            {1.0, 3});
    };
    const Setup<3> setup = melted<3>(where, whole);
    World<3> one(where, setup, whole), three(where, setup, parts);
    CHECK(three.system().levels().count == 3);
    CHECK(largest_difference<3>(one.forces(), three.forces()) < 1e-11);
    CHECK(std::abs(one.potential() - three.potential()) < 1e-10);
    const auto distance = [&](double dt) {
        return largest_difference<3>(arrive(where, setup, whole, *method("verlet", dt), 0.32),
                                     arrive(where, setup, parts, *respa(dt), 0.32));
    };
    const double coarse = distance(0.002), fine = distance(0.001);
    CAPTURE(coarse, fine);
    CHECK(coarse / fine > 3.8);
    CHECK(coarse / fine < 4.2);
    const double long_step = energy_band(where, setup, parts, *respa(0.008), 2.0);
    const double half = energy_band(where, setup, parts, *respa(0.004), 2.0);
    CHECK(long_step / half > 3.4);
    CHECK(long_step / half < 4.6);
}
