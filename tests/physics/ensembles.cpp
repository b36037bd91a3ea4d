// SPDX-License-Identifier: BSD-3-Clause
#include "support/catch.hpp"
#include "support/world.hpp"

#include "shadow/statistics/series.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

using namespace shadow;
using namespace shadow::test;

// Means of correlated series are compared within `sigmas` standard errors by blocking. For a normal
// deviate the chance to fail is 6e-5; there are thirty comparisons.

namespace {

constexpr double sigmas = 4.0;
constexpr double bath_temperature = 1.5, density = 0.7;

/// A simple liquid, hot enough to forget its crystal in a short time.
std::string dense_liquid(int side) {
    return fmt::format(R"(
[system]
dimension = 3
box = {{ density = {} }}
lattice = {{ type = "fcc", repeat = [{}, {}, {}], jitter = 0.05 }}
velocity = {{ temperature = {} }}
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = 2.5
inner = 2.0
truncation = "smooth-c2"
)",
                       density, side, side, side, bath_temperature);
}

std::unique_ptr<Integrator> langevin(double dt, double friction) {
    return read_integrator(
        fmt::format("method = \"baoab\"\ndt = {}\ntemperature = {}\nfriction = {}", dt,
                    bath_temperature, friction));
}

std::unique_ptr<Integrator> nose_poincare(double dt, double kT, double mass,
                                          const std::string& method = "nose-poincare") {
    return read_integrator(fmt::format("method = \"{}\"\ndt = {}\ntemperature = {}\nmass = {}{}",
                                       method, dt, kT, mass,
                                       method == "nose-explicit" ? "\nchain = 2" : ""));
}

/// Of a Nosé bath which swings with omega^2 = 2 g kT / Q, a period of 0.5.
double bath_mass(double freedom) {
    return 0.013 * freedom * bath_temperature;
}

/// A thermostat that swings with a period of 0.5, or relaxes in 0.2.
std::unique_ptr<Integrator> thermostat(const std::string& method, double dt, double freedom) {
    if (method.starts_with("nose-") && !method.starts_with("nose-hoover"))
        return nose_poincare(dt, bath_temperature, bath_mass(freedom), method);
    return read_integrator(fmt::format(
        "method = \"{}\"\ndt = {}\ntemperature = {}\n{} = {}{}", method, dt, bath_temperature,
        method == "bussi" ? "time" : "period", method == "bussi" ? 0.2 : 0.5,
        method.ends_with("langevin") ? "\nfriction = 5.0" : ""));
}

/// What a canonical ensemble fixes, as series over a run.
struct Averages {
    BlockedSeries temperature, kinetic_variance, energy, pressure, second, fourth, square_force;
};

/// Samples every `every` steps. Kinetic energy counts in units of kT per degree of freedom, its
/// variance in those of (g / 2) (kT)^2, powers of momenta in those of Maxwell's distribution.
Averages sample(World<3>& world, Integrator& integrator, double freedom, int samples, int every) {
    Averages out;
    const double kT = bath_temperature;
    const double n = static_cast<double>(world.size());
    const double volume = world.setup().box.volume();
    for (int k = 0; k < samples; ++k) {
        world.run(integrator, every);
        ParticleSystem<3>& system = world.system();
        const double kinetic = system.kinetic_energy();
        const double s = system.scalar(Scalar::s);
        out.temperature.add(2.0 * kinetic / freedom);
        const double excess = kinetic - 0.5 * freedom * kT;
        out.kinetic_variance.add(excess * excess / (0.5 * freedom * kT * kT));
        out.energy.add(system.potential_energy() / n);
        // Of the momenta their mean, the same for every method: the motion of the centre of mass is
        // missing where momentum is conserved.
        out.pressure.add((n * kT + world.virial().trace() / 3.0) / volume);
        double second = 0.0, fourth = 0.0, force = 0.0;
        for (const auto& p : system.snapshot().momentum)
            for (const double component : p) {
                const double square = component * component / (s * s * kT);
                second += square / freedom;
                fourth += square * square / (3.0 * freedom);
            }
        for (const auto& f : world.forces())
            for (const double component : f) force += component * component / (3.0 * n);
        out.second.add(second);
        out.fourth.add(fourth);
        out.square_force.add(force);
    }
    world.system().check_status();
    return out;
}

/// |mean - expected| in standard errors, after what is allowed.
double distance(const BlockedSeries& series, double expected, double allowed = 0.0) {
    const Estimate e = estimate(series);
    return std::max(0.0, std::abs(e.mean - expected) - allowed) / e.error;
}

} // namespace

namespace {

void check_langevin(const TestBackend& where, bool pair_is_double) {
    const double dt = 0.004;
    const auto integrator = langevin(dt, 10.0);
    World<3> world(where, read_setup<3>(dense_liquid(4)), dense_liquid(4), pair_is_double);
    const double freedom = 3.0 * static_cast<double>(world.size());
    world.system().set_degrees_of_freedom(freedom);
    world.run(*integrator, 1500);
    const Averages a = sample(world, *integrator, freedom, 3000, 10);
    // BAOAB's momenta at the end of a step are colder by (omega dt)^2 / 4 of a harmonic motion,
    // and m omega^2 kT is the mean square force of any canonical ensemble.
    const double colder = estimate(a.square_force).mean / bath_temperature * dt * dt / 4.0;
    CAPTURE(colder);
    CHECK(colder < 2e-3);
    const Estimate t = estimate(a.temperature);
    CAPTURE(t.mean, t.error, t.independent_samples);
    CHECK(t.reliable());
    CHECK(t.error < 3e-3 * bath_temperature);
    CHECK(distance(a.temperature, bath_temperature * (1.0 - colder),
                   0.5 * colder * bath_temperature) < sigmas);
    CHECK(distance(a.second, 1.0 - colder, 0.5 * colder) < sigmas);
    CHECK(distance(a.fourth, 1.0 - 2.0 * colder, colder) < sigmas);
    // A chi-square distribution; the shift of the mean adds its square, times g / 2.
    CHECK(distance(a.kinetic_variance, 1.0, 2.0 * colder + 0.5 * freedom * colder * colder) <
          sigmas);
    CHECK(estimate(a.kinetic_variance).error < 0.1);
}

} // namespace

TEST_CASE("Langevin dynamics of a liquid is canonical, in double and in mixed precision") {
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    check_langevin(where, true);
    check_langevin(where, false);
}

TEST_CASE("liquids of Nosé-Poincaré, Nosé-Hoover and Bussi are those of Langevin dynamics") {
    const auto where = GENERATE(from_range(best_processors()));
    const std::string method =
        GENERATE("nose-poincare", "nose-explicit", "nose-hoover", "bussi", "nose-hoover-langevin");
    CAPTURE(where.name, method);
    const std::string input = dense_liquid(5);
    const double dt = 0.004;
    World<3> bath(where, read_setup<3>(input), input);
    const double n = static_cast<double>(bath.size());
    const auto baoab = langevin(dt, 5.0);
    bath.system().set_degrees_of_freedom(3.0 * n);
    bath.run(*baoab, 1500);
    Setup<3> start = bath.setup();
    start.start = bath.system().snapshot();
    const Averages reference = sample(bath, *baoab, 3.0 * n, 1500, 10);

    set_maxwell_boltzmann(start.start, conserved_momenta(start.box), bath_temperature, 7);
    World<3> world(where, start, input);
    const double freedom = 3.0 * n - 3.0;
    CHECK(world.system().degrees_of_freedom() == freedom);
    const auto nose = thermostat(method, dt, freedom);
    nose->prepare(world.system());
    world.run(*nose, 500);
    const Averages a = sample(world, *nose, freedom, 1500, 10);

    // The step shifts averages by at most (omega dt)^2 / 4 = 1e-3 of themselves, as for Langevin.
    CHECK(distance(a.temperature, bath_temperature, 1e-3 * bath_temperature) < sigmas);
    CHECK(distance(a.kinetic_variance, 1.0, 0.01) < sigmas);
    CHECK(distance(a.second, 1.0, 1e-3) < sigmas);
    CHECK(distance(a.fourth, 1.0, 2e-3) < sigmas);
    const auto agree = [&](const BlockedSeries& x, const BlockedSeries& y) {
        const Estimate ex = estimate(x), ey = estimate(y);
        CAPTURE(ex.mean, ex.error, ey.mean, ey.error);
        CHECK(ex.reliable());
        CHECK(ey.reliable());
        CHECK(std::abs(ex.mean - ey.mean) < sigmas * std::hypot(ex.error, ey.error));
    };
    agree(a.energy, reference.energy);
    agree(a.pressure, reference.pressure);
}

TEST_CASE("the motion of the centre of mass is taken away along directions that conserve it") {
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    World<3> world(where, read_setup<3>(dense_liquid(4)), dense_liquid(4));
    std::vector<std::array<double, 3>> momenta = world.system().snapshot().momentum;
    const auto n = static_cast<double>(momenta.size());
    for (auto& p : momenta)
        for (std::size_t d = 0; d < 3; ++d) p[d] += 0.1 * static_cast<double>(d + 1);
    world.system().set_momenta(momenta);
    ConservedMomenta<3> conserved;
    conserved.linear = {true, false, true};
    world.system().set_degrees_of_freedom(3.0 * n - 2.0, conserved);
    world.system().stop_centre();
    std::array<double, 3> sum{};
    for (const auto& p : world.system().snapshot().momentum)
        for (std::size_t d = 0; d < 3; ++d) sum[d] += p[d];
    CHECK(std::abs(sum[0]) < 1e-11);
    CHECK(std::abs(sum[1] - 0.2 * n) < 1e-11);
    CHECK(std::abs(sum[2]) < 1e-11);
}

TEST_CASE("the energy of a liquid and its thermostat has an error of order 2") {
    const auto where = GENERATE(from_range(best_processors()));
    const std::string method = GENERATE("nose-poincare", "nose-explicit", "nose-hoover");
    CAPTURE(where.name, method);
    const std::string input = dense_liquid(4);
    World<3> world(where, read_setup<3>(input), input);
    const auto verlet = read_integrator("method = \"verlet\"\ndt = 0.004");
    world.run(*verlet, 500);
    Setup<3> start = world.setup();
    start.start = world.system().snapshot();
    const double mass = bath_mass(765.0); // in both: 2 g kT (0.5 / 2 pi)^2 is 0.0127 g kT
    const auto deviation = [&](double dt, double time, Drift* drift) {
        World<3> run(where, start, input);
        const auto nose = thermostat(method, dt, 765.0);
        nose->prepare(run.system());
        const double e0 = run.energy(*nose);
        LinearDrift line;
        double sum = 0.0, squares = 0.0, largest = 0.0; // energy of the bath's motion, twice
        const int looks = static_cast<int>(std::lround(time / 0.02));
        for (int k = 0; k < looks; ++k) {
            run.run(*nose, static_cast<int>(std::lround(0.02 / dt)));
            const double e = run.energy(*nose) - e0;
            line.add(run.system().time(), e);
            sum += e / looks;
            squares += e * e / looks;
            const double pi = run.system().scalar(Scalar::pi),
                         v = run.system().scalar(Scalar::chain_velocity);
            largest = std::max({largest, pi * pi / mass, v * v * mass});
        }
        run.system().check_status();
        // The bath moves: its kinetic energy is of the size of kT / 2 or above.
        CHECK(largest > bath_temperature);
        if (drift) *drift = line.estimate();
        return std::sqrt(squares - sum * sum);
    };
    const double coarse = deviation(0.004, 2.0, nullptr), fine = deviation(0.002, 2.0, nullptr);
    CAPTURE(coarse, fine, coarse / fine);
    const bool symplectic = thermostat(method, 0.004, 765.0)->claims().symplectic;
    CHECK(coarse / fine > (symplectic ? 3.6 : 3.2));
    CHECK(coarse / fine < (symplectic ? 4.4 : 5.0));
    Drift drift;
    (void)deviation(0.004, 40.0, &drift);
    CAPTURE(drift.slope, drift.error, drift.fluctuation);
    // Nothing holds the energy of a map that is not symplectic: it wanders, by a few times what it
    // swings by, here 1e-4 kT per degree of freedom.
    if (!symplectic) {
        CHECK(40.0 * std::abs(drift.slope) < 4.0 * drift.fluctuation);
        CHECK(drift.fluctuation < 2e-4 * 765.0);
        return;
    }
    CHECK(std::abs(drift.slope) < sigmas * drift.error);
    // And what could hide in that error is less than the fluctuation over the whole run.
    CHECK(40.0 * drift.error < drift.fluctuation);
}

TEST_CASE("the Nosé-Poincaré bath runs back with the particles") {
    const auto where = GENERATE(from_range(every_processor()));
    CAPTURE(where.name);
    const std::string input = R"(
[system]
dimension = 2
box = { periodic = false }
lattice = { type = "triangular", repeat = [4, 3], constant = 1.12, jitter = 0.02 }
velocity = { temperature = 0.3 }
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = inf
)";
    World<2> world(where, read_setup<2>(input), input);
    const auto nose = nose_poincare(0.004, 0.3, 2.0);
    nose->prepare(world.system());
    const Vectors<2> before = world.places();
    const int steps = 500;
    world.run(*nose, steps);
    const double s = world.system().scalar(Scalar::s), pi = world.system().scalar(Scalar::pi);
    CHECK(std::abs(s - 1.0) > 1e-3);
    CHECK(std::abs(pi) > 1e-3);
    CHECK(largest_difference<2>(world.places(), before) > 0.05);
    world.flip();
    world.run(*nose, steps);
    // 2 * 500 steps round at 2^-53 * 5; a cold cluster lets errors grow by less than 100.
    CHECK(largest_difference<2>(world.places(), before) < 1e-10);
    CHECK(std::abs(world.system().scalar(Scalar::s) - 1.0) < 1e-10);
    CHECK(std::abs(world.system().scalar(Scalar::pi)) < 1e-10);
}
