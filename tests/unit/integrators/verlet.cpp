// SPDX-License-Identifier: BSD-3-Clause
/// Reference values of an independent program and exact invariants of the oldest methods.
#include "support/catch.hpp"
#include "support/small_systems.hpp"

#include "shadow/integrators/registry.hpp"

#include <cmath>

using namespace shadow;
using namespace shadow::test;

namespace {

std::unique_ptr<Integrator> make(const std::string& name, double dt) {
    MethodSettings settings;
    settings.dt = dt;
    return find_integrator(name)->make(settings);
}

/// Largest |H - H(0)| over all steps up to time t.
double largest_energy_error(const Problem& problem, double dt, double t, double* last = nullptr) {
    SmallSystem system(problem);
    const auto method = make("verlet", dt);
    const double start = system.conserved(*method);
    double largest = 0.0, error = 0.0;
    for (std::int64_t k = 0; k < std::llround(t / dt); ++k) {
        method->step(system);
        error = system.conserved(*method) - start;
        largest = larger(largest, std::abs(error));
    }
    if (last != nullptr) *last = error;
    return largest;
}

/// Half a unit of the last of three digits.
bool three_digits(double found, double value) {
    return std::abs(found - value) < 0.0055 * value;
}

} // namespace

TEST_CASE("Verlet on Kepler's problem has the reference energy errors") {
    Problem problem = kepler();
    problem.q = {1.0, 0.0};
    problem.p = {0.0, 1.2};
    // q = (1, 0), p = (0, 1.2), t = 50.
    CHECK(three_digits(largest_energy_error(problem, 0.1, 50.0), 7.93e-4));
    CHECK(three_digits(largest_energy_error(problem, 0.05, 50.0), 1.98e-4));
    CHECK(three_digits(largest_energy_error(problem, 0.025, 50.0), 4.94e-5));
    CHECK(three_digits(largest_energy_error(problem, 0.0125, 50.0), 1.23e-5));
}

TEST_CASE("composition methods on Kepler's problem have the reference position errors") {
    // One period from e = 0.3 in 160 steps; three digits.
    const struct {
        const char* name;
        double error;
    } rows[] = {{"verlet", 1.27e-2},      {"triple-jump", 6.25e-5},
                {"mclachlan-4", 2.13e-6}, {"blanes-moan-4", 3.54e-7},
                {"yoshida-6", 2.62e-8},   {"blanes-moan-4-drift", 6.16e-9},
                {"kahan-li-6", 3.47e-9},  {"blanes-moan-6", 1.64e-10}};
    for (const auto& row : rows) {
        SmallSystem system(kepler());
        const auto method = make(row.name, 2.0 * M_PI / 160.0);
        for (int k = 0; k < 160; ++k) method->step(system);
        const double error = std::hypot(system.q()[0] - 0.7, system.q()[1]);
        INFO(row.name << ": " << error);
        CHECK(three_digits(error, row.error));
    }
}

TEST_CASE("a processed composition on Kepler's problem has the reference position errors") {
    // Seven steps of order 4 between a processor and its inverse: order 6 (Leimkuhler and Reich
    // 2004, section 6.2.3, table 6.3; Blanes 2001, Appl. Numer. Math. 37, 289).
    const Word kernel =
        parse_word("V0.513910778424374 V0.364193022833858 V-0.867423280969274 V* |");
    const std::vector<double> steps = {-0.224512214195200, -0.461165940466494, -0.074332422810238,
                                       0.384998538774070, 0.375012038697862};
    const auto process = [&steps](SmallSystem& system, double dt) {
        for (const double sign : {1.0, -1.0})
            for (const double c : steps) apply_word(system, parse_word("V1"), sign * c * dt);
    };
    const auto process_back = [&steps](SmallSystem& system, double dt) {
        for (const double sign : {1.0, -1.0})
            for (std::size_t k = steps.size(); k-- > 0;)
                apply_word(system, parse_word("V1"), sign * steps[k] * dt);
    };
    const auto error = [&](int count, bool processed) {
        SmallSystem system(kepler());
        const double dt = 2.0 * M_PI / count;
        if (processed) process(system, dt);
        for (int k = 0; k < count; ++k) apply_word(system, kernel, dt);
        if (processed) process_back(system, dt);
        return std::hypot(system.q()[0] - 0.7, system.q()[1]);
    };
    CHECK(order_of(kernel) == 4);
    CHECK(three_digits(error(160, true), 3.26e-9));
    CHECK(three_digits(error(160, false), 8.29e-7));
    CHECK(std::abs(std::log2(error(80, true) / error(160, true)) - 6.0) < 0.1);
    CHECK(std::abs(std::log2(error(80, false) / error(160, false)) - 4.0) < 0.1);
}

TEST_CASE("Verlet on the Lennard-Jones oscillator keeps its energy error bounded") {
    // dt = 0.01, t = 5000, at rest at q0: largest errors of the reference, and what is left at the
    // end.
    const struct {
        double q0, largest, last;
    } rows[] = {{1.2, 9.1e-4, 2.5e-6}, {1.5, 2.29e-3, 1.5e-5}, {2.0, 2.91e-3, 5e-8}};
    for (const auto& row : rows) {
        Problem problem = lj_oscillator();
        problem.q = {row.q0};
        double last = 0.0;
        const double largest = largest_energy_error(problem, 0.01, 5000.0, &last);
        INFO(row.q0 << ": " << largest << ", last " << last);
        CHECK(three_digits(largest, row.largest));
        CHECK(std::abs(last) < row.last);
    }
}

TEST_CASE("one Verlet step on the oscillator is its propagator matrix") {
    // R = [[1 - a/2, h], [-h w^2 (1 - a/4), 1 - a/2]], a = (w h)^2, acting on (q, v).
    const double h = 0.7, w2 = 1.5, a = w2 * h * h, mass = 2.0;
    SmallSystem system(oscillator());
    const double q = system.q()[0], v = system.p()[0] / mass;
    make("verlet", h)->step(system);
    CHECK(std::abs(system.q()[0] - ((1 - a / 2) * q + h * v)) < 1e-15);
    CHECK(std::abs(system.p()[0] / mass - (-h * w2 * (1 - a / 4) * q + (1 - a / 2) * v)) < 1e-15);
}

TEST_CASE("first-order methods and Verlet keep their exact invariants of the oscillator") {
    // v^2 + w^2 q^2 -+ w^2 h q v of the kick-first and drift-first Euler methods and
    // v^2 + w^2 (1 - (w h)^2 / 4) q^2 of Verlet, to the rounding of 10000 steps.
    const double h = 0.3, w2 = 1.5;
    auto changes = [&](const char* name, double mixed, double position) {
        SmallSystem system(oscillator());
        auto invariant = [&] {
            const double q = system.q()[0], v = system.p()[0] / 2.0;
            return v * v + position * w2 * q * q + mixed * q * v;
        };
        const auto method = make(name, h);
        const double start = invariant();
        for (int k = 0; k < 10000; ++k) method->step(system);
        return std::abs(invariant() - start);
    };
    CHECK(changes("symplectic-euler-b", -w2 * h, 1.0) < 1e-13);
    CHECK(changes("symplectic-euler-a", w2 * h, 1.0) < 1e-13);
    CHECK(changes("verlet", 0.0, 1.0 - w2 * h * h / 4.0) < 1e-13);
    CHECK(changes("verlet", 0.0, 1.0) > 1e-5);
}

TEST_CASE("RESPA with one inner step is Verlet, and takes steps that Verlet cannot") {
    SmallSystem one(chain()), other(chain());
    MethodSettings settings;
    settings.dt = 0.05;
    const auto respa = find_integrator("respa")->make(settings);
    const auto verlet = find_integrator("verlet")->make(settings);
    for (int k = 0; k < 100; ++k) respa->step(one), verlet->step(other);
    for (std::size_t i = 0; i < 3; ++i) CHECK(std::abs(one.q()[i] - other.q()[i]) < 1e-12);

    // The fast bond has w = sqrt(25 * 3 / 2) = 6.12: Verlet is unstable from h = 0.327.
    settings.dt = 0.4;
    settings.inner = {8};
    const auto long_step = find_integrator("respa")->make(settings);
    SmallSystem system(chain());
    const double start = system.conserved(*long_step);
    for (int k = 0; k < 10000; ++k) long_step->step(system);
    CHECK(std::abs(system.conserved(*long_step) - start) < 0.3);
}
