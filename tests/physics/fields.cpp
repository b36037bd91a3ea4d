// SPDX-License-Identifier: BSD-3-Clause
#include "support/catch.hpp"
#include "support/world.hpp"

#include "shadow/core/error.hpp"

#include <cmath>
#include <fmt/format.h>
#include <random>

using namespace shadow;
using namespace shadow::test;

/// Particles in external fields.
namespace {

constexpr double kT = 1.3;

/// Particles of two masses, far apart or on top of each other: nothing acts between them.
template <int Dim>
Setup<Dim> ideal_gas(std::size_t n, const Box<Dim>& box) {
    Vectors<Dim> x(n);
    std::mt19937 random(3);
    std::uniform_real_distribution<double> uniform(0.0, 2.0);
    for (auto& place : x)
        for (double& c : place) c = uniform(random);
    return setup_of<Dim>(x, box, 2);
}

/// Mean energy of a particle in the field after `steps`, over `samples` that are `apart` steps
/// apart.
template <int Dim>
double mean_energy(const TestBackend& where, const Setup<Dim>& setup, const std::string& field,
                   double dt, int steps, int samples, int apart) {
    World<Dim> world(where, setup, field);
    const auto method = read_integrator(
        fmt::format("method = \"baoab\"\ndt = {}\ntemperature = {}\nfriction = 1.0\n", dt, kT));
    world.run(*method, steps);
    double sum = 0.0;
    for (int k = 0; k < samples; ++k) {
        world.run(*method, apart);
        sum += world.potential();
    }
    return sum / samples / static_cast<double>(world.size());
}

constexpr std::size_t sampled = 4000;
constexpr int samples = 20;
const double independent = std::sqrt(static_cast<double>(sampled) * samples);

} // namespace

TEST_CASE("an ideal gas in a trap has the energy of equipartition") {
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    // BAOAB samples positions in a harmonic well without an error of the step.
    const double found = mean_energy<3>(where, ideal_gas<3>(sampled, Box<3>()),
                                        "[[force]]\ntype = \"harmonic-trap\"\n"
                                        "stiffness = [1.0, 2.0, 4.0]\ncentre = [1.0, 0.0, -1.0]",
                                        0.25, 100, samples, 20);
    // The energy of a particle has the variance 3/2 kT^2; correlated over some two samples.
    CHECK(std::abs(found - 1.5 * kT) < 5.0 * std::sqrt(1.5 * 2.0) * kT / independent);
}

TEST_CASE("an ideal gas in a wave has the density of Boltzmann") {
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    const double a = 1.1;
    const double found = mean_energy<1>(
        where, ideal_gas<1>(sampled, Box<1>({5.0}, {true})),
        fmt::format("[[force]]\ntype = \"cosine-field\"\namplitude = {}\nperiods = [1]", a), 0.1,
        400, samples, 60);
    // The mean of the cosine under the weight of Boltzmann; the step gives some
    // (0.1 * 2 pi / 5)^2 a / 12 kT = 0.1 %.
    double weight = 0.0, sum = 0.0;
    for (int k = 0; k < 1000; ++k) {
        const double c = std::cos(2.0 * 3.14159265358979324 * k / 1000.0);
        weight += std::exp(-a * c / kT);
        sum += c * std::exp(-a * c / kT);
    }
    CHECK(std::abs(found - a * sum / weight) < 5.0 * a * std::sqrt(2.0) / independent + 2e-3 * a);
}

TEST_CASE("an ideal gas over a floor has the barometric density") {
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    const double g = 2.0, stiffness = 40.0;
    const double found = mean_energy<2>(
        where, ideal_gas<2>(sampled, Box<2>({5.0, 0.0}, {true, false})),
        fmt::format("[[force]]\ntype = \"uniform-field\"\nstrength = [0.0, {}]\n"
                    "coupling = \"mass\"\n[[force]]\ntype = \"wall-harmonic\"\nstiffness = {}\n"
                    "point = [0.0, 0.0]\nnormal = [0.0, 1.0]",
                    -g, stiffness),
        0.02, 400, samples, 100);
    double expected = 0.0;
    for (const double mass : {1.0, 2.0}) { // half of the particles each
        double weight = 0.0, sum = 0.0;
        for (double z = -3.0; z < 25.0; z += 1e-3) {
            const double u = mass * g * z + (z < 0.0 ? 0.5 * stiffness * z * z : 0.0);
            weight += std::exp(-u / kT);
            sum += u * std::exp(-u / kT);
        }
        expected += 0.5 * sum / weight;
    }
    // Variance kT^2; falls and rises take some two samples.
    CHECK(std::abs(found - expected) < 5.0 * kT * std::sqrt(2.0) / independent + 3e-3 * kT);
}

TEST_CASE("a liquid between walls conserves energy and the momentum along them") {
    const auto where = GENERATE(from_range(best_processors()));
    const bool pair_is_double = GENERATE(true, false);
    CAPTURE(where.name, pair_is_double);
    const std::string text = R"(
[system]
dimension = 3
box = { lengths = [6.6, 6.6, 20.0], periodic = [true, true, false] }
lattice = { type = "sc", repeat = [6, 6, 6], constant = 1.1 }
velocity = { temperature = 1.0 }
)";
    const std::string forces = R"(
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = 2.5
inner = 2.0
truncation = "smooth-c2"
[[force]]
type = "wall-93"
epsilon = 2.0
sigma = 1.0
point = [0.0, 0.0, -1.0]
normal = [0.0, 0.0, 1.0]
[[force]]
type = "wall-93"
epsilon = 2.0
sigma = 1.0
point = [0.0, 0.0, 6.6]
normal = [0.0, 0.0, -3.0]
)";
    World<3> world(where, read_setup<3>(text), forces, pair_is_double);
    CHECK(world.system().degrees_of_freedom() == 3.0 * 216 - 2);
    const auto method = read_integrator("method = \"verlet\"\ndt = 0.002\n");
    const double energy = world.energy();
    const auto momentum = world.momentum();
    world.run(*method, 400);
    // Verlet's energy fluctuates by some 5e-5 a particle here, and does not drift.
    CHECK(std::abs(world.energy() - energy) < 5e-4 * 216);
    // In mixed precision each force of a pair is rounded: 400 steps, 216 particles, 30 pairs.
    const double rounding = pair_is_double ? 1e-11 : 0.002 * 0x1p-24 * 30.0 * 400.0 * 15.0;
    for (const std::size_t d : {0UL, 1UL})
        CHECK(std::abs(world.momentum()[d] - momentum[d]) < rounding);
    for (const auto& x : world.places()) {
        CHECK(x[2] > -1.0);
        CHECK(x[2] < 6.6);
    }
}

TEST_CASE("a particle behind a wall ends the run") {
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    Setup<2> setup = setup_of<2>({{0.0, 5.0}, {3.0, 1.0}}, Box<2>());
    setup.start.momentum[1] = {0.0, -1e4};
    World<2> world(where, setup, R"(
[[force]]
type = "wall-93"
epsilon = 1.0
sigma = 1.0
point = [0.0, 0.0]
normal = [0.0, 1.0]
)");
    const auto method = read_integrator("method = \"verlet\"\ndt = 0.01\n");
    world.system().check_status();
    world.run(*method, 2);
    CHECK_THROWS_WITH(world.system().check_status(), Catch::Contains("force on particle 1"));
}

TEST_CASE("fields add to pair forces, to energies by term and to the heat flux") {
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    const std::string text = R"(
[system]
dimension = 3
box = { lengths = [7.0, 7.0, 7.0] }
lattice = { type = "sc", repeat = [6, 6, 6], constant = 1.1, jitter = 0.1 }
velocity = { temperature = 1.0 }
)";
    const std::string pairs = "[[force]]\ntype = \"lennard-jones\"\nepsilon = 1.0\nsigma = 1.0\n"
                              "cutoff = 2.5\ntruncation = \"force-shift\"\n",
                      field = "[[force]]\ntype = \"cosine-field\"\namplitude = 2.0\n"
                              "periods = [1, 0, 0]\n",
                      observe = "[[observe]]\ntype = \"thermo\"\n"
                                "[[observe]]\ntype = \"energy-terms\"\n"
                                "[[observe]]\ntype = \"heat-flux\"\n";
    const Setup<3> setup = read_setup<3>(text);
    World<3> alone(where, setup, pairs + observe), both(where, setup, pairs + field + observe);
    // A field comes last, whatever the order of the input.
    World<3> first(where, setup, field + pairs + observe);
    const auto f = alone.forces(), g = both.forces();
    double energy = 0.0, flux[3] = {};
    const double k = 2.0 * 3.14159265358979324 / 7.0;
    std::array<double, 3> centre = alone.momentum();
    for (double& c : centre) c /= 216.0;
    for (std::size_t i = 0; i < f.size(); ++i) {
        const double x = k * setup.start.position[i][0], u = 2.0 * std::cos(x);
        CHECK(std::abs(g[i][0] - f[i][0] - 2.0 * k * std::sin(x)) <
              1e-12 + 1e-14 * std::abs(f[i][0]));
        CHECK(g[i][1] == f[i][1]);
        energy += u;
        for (std::size_t d = 0; d < 3; ++d) flux[d] += u * (setup.start.momentum[i][d] - centre[d]);
    }
    const auto without = alone.measure(), with = both.measure();
    CHECK(first.measure() == with);
    const auto close = [](double a, double b) {
        return std::abs(a - b) < 1e-10 * (1.0 + std::abs(b));
    };
    CHECK(close(with.at("potential_energy")[0], without.at("potential_energy")[0] + energy));
    CHECK(close(with.at("potential_energy_cosine-field")[0], energy));
    CHECK(with.at("potential_energy_lennard-jones") ==
          without.at("potential_energy_lennard-jones"));
    // One degree of freedom more, as the momentum along x is not conserved; no virial.
    CHECK(close(with.at("temperature")[0], without.at("temperature")[0] * 645.0 / 646.0));
    CHECK(both.virial().component[0] == alone.virial().component[0]);
    for (const char* d : {"x", "y", "z"}) {
        const std::string name = std::string("heat_flux_") + d;
        CHECK(close(with.at(name)[0], without.at(name)[0] + flux[d[0] - 'x'] / 343.0));
    }
}

namespace {

/// Largest change of what a liquid in fields that change in time conserves, the energy without what
/// the fields gave, over a time of 2; and of the energy itself.
std::pair<double, double> drift_when_driven(const TestBackend& where, const std::string& method,
                                            double dt, const std::string& modulation) {
    const Box<3> open;
    Vectors<3> places;
    for (int k = 0; k < 27; ++k)
        places.push_back({1.2 * (k % 3), 1.2 * (k / 3 % 3), 1.2 * (k / 9)});
    World<3> world(where, setup_of<3>(places, open, 2), std::string(R"(
[[force]]
type = "morse"
depth = 1.0
a = 3.0
r0 = 1.2
cutoff = inf
[[force]]
type = "harmonic-trap"
stiffness = [1.0, 2.0, 3.0]
modulation = { period = 1.5, phase = 0.4 }
[[force]]
type = "uniform-field"
strength = [0.5, 1.0, -0.3]
level = "fast"
modulation = )") + modulation);
    const auto integrator = read_integrator(fmt::format("method = \"{}\"\ndt = {}", method, dt));
    const double start = world.energy();
    double worst = 0.0, energy = 0.0;
    for (int k = 0; k < 20; ++k) {
        world.run(*integrator, static_cast<int>(std::lround(0.1 / dt)));
        const double change = world.energy() - start;
        worst = std::max(worst, std::abs(change - world.system().bath_heat()));
        energy = std::max(energy, std::abs(change));
    }
    return {worst, energy};
}

} // namespace

TEST_CASE("the energy changes by the work of fields that change in time") {
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    const std::string points = "{ points = [[0.25, 0.0], [0.75, 1.5], [1.25, 0.5]] }\n";
    const auto [coarse, energy] = drift_when_driven(where, "verlet", 0.01, points);
    const double fine = drift_when_driven(where, "verlet", 0.005, points).first;
    CAPTURE(coarse, fine, energy);
    CHECK(energy > 5.0);
    CHECK(coarse < 2e-3 * energy);
    CHECK(coarse / fine > 3.6);
    CHECK(coarse / fine < 4.4);
    // A switch within a step takes or gives what it does there.
    const std::string jump =
        "{ points = [[0.5031, 0.2], [0.5032, 1.5], [1.0, 1.5], [1.0001, 0]] }\n";
    const auto [jumped, in_all] = drift_when_driven(where, "verlet", 0.01, jump);
    CHECK(in_all > 5.0);
    CHECK(jumped < 2e-3 * in_all);
    // Kicks of a composition lie anywhere in the step, also behind its end.
    const auto drift = [&](const std::string& method, double dt) {
        return drift_when_driven(where, method, dt, "{ period = 0.8, phase = -0.3 }\n").first;
    };
    for (const char* method : {"blanes-moan-4", "triple-jump"}) {
        CAPTURE(method);
        const double ratio = drift(method, 0.01) / drift(method, 0.005);
        CHECK(ratio > 13.0);
        CHECK(ratio < 19.0);
    }
}

TEST_CASE("a particle shaken by a wave in time moves as it should") {
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    const double f = 0.8, phase = 0.6, w = 2.0 * 3.14159265358979324 / 1.3, t = 4.0;
    const auto error = [&](const std::string& method, double dt) {
        Setup<2> setup = setup_of<2>({{0.5, 0.25}}, Box<2>(), 1);
        setup.start.momentum[0] = {0.3, -0.2};
        World<2> world(where, setup,
                       fmt::format("[[force]]\ntype = \"uniform-field\"\nstrength = [{}, 0.0]\n"
                                   "modulation = {{ period = 1.3, phase = {} }}\n",
                                   f, phase));
        const auto integrator =
            read_integrator(fmt::format("method = \"{}\"\ndt = {}", method, dt));
        world.run(*integrator, static_cast<int>(std::lround(t / dt)));
        const double mass = setup.start.mass(0);
        const double expected =
            0.5 + 0.3 / mass * t +
            f / (mass * w * w) *
                (std::cos(phase) - std::cos(w * t + phase) - w * t * std::sin(phase));
        const Snapshot<2> end = world.system().snapshot();
        CHECK(std::abs(end.position[0][1] - (0.25 - 0.2 / mass * t)) < 1e-12);
        return std::abs(end.position[0][0] - expected);
    };
    CHECK(error("verlet", 0.01) < 1e-3);
    CHECK(error("verlet", 0.02) / error("verlet", 0.01) == Approx(4.0).epsilon(0.05));
    CHECK(error("blanes-moan-4", 0.02) / error("blanes-moan-4", 0.01) == Approx(16.0).epsilon(0.2));
}
