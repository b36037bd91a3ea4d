// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/charged_particle.hpp"
#include "src/models/experiment.hpp"
#include "src/models/following.hpp"
#include "src/models/windows.hpp"

#include "shadow/integrators/processed.hpp"
#include "shadow/integrators/registry.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace shadow::models {
namespace {

constexpr double closeness = 1e-9; ///< of the iteration, as in the book

/// Largest changes up to a time, and iterations per step.
struct ChargedRun {
    double energy = 0.0, momentum = 0.0, rounds = 0.0;
};

ChargedRun charged_run(bool scovel, double dt, double time, Curves* curves = nullptr) {
    const ChargedParticle model(attraction(), 1.0);
    State z = start_of(model.problem());
    const double start = model.energy(z), momentum = model.magnetic_momentum(z);
    RungeKutta midpoint(model.rate(), gauss(1), closeness);
    const Map splitting = step_of(model, "verlet", dt);
    ChargedRun run;
    const int steps = static_cast<int>(std::lround(time / dt));
    for (int k = 1; k <= steps; ++k) {
        if (scovel)
            splitting(z);
        else
            midpoint.step(z, dt);
        const double error = (model.energy(z) - start) / start;
        run.energy = std::max(std::abs(error), run.energy);
        run.momentum = std::max(std::abs(model.magnetic_momentum(z) - momentum), run.momentum);
        if (curves) curves->rows.push_back({dt * k, error, z[0], z[1]});
    }
    run.rounds = static_cast<double>(midpoint.rounds()) / steps;
    return run;
}

/// A row of figure 6.2: a word, its force evaluations per step, and the known errors for 4000, 8000
/// ... 64000 evaluations per unit of time.
struct OrbitMethod {
    std::string name;
    Processed words;
    int stages;
    std::array<double, 5> known;
};

std::vector<OrbitMethod> orbit_methods() {
    const auto of_engine = [](const char* name) {
        return Processed{{}, find_integrator(name)->make({})->word(), {}};
    };
    return {
        {"verlet", of_engine("verlet"), 1, {3.4e-2, 9.5e-3, 2.6e-3, 6.5e-4, 1.6e-4}},
        {"mclachlan-4", of_engine("mclachlan-4"), 5, {5.0e-3, 3.5e-4, 2.2e-5, 1.4e-6, 8.6e-8}},
        {"blanes-moan-4", of_engine("blanes-moan-4"), 6, {1.6e-3, 9.8e-5, 6.1e-6, 3.8e-7, 2.4e-8}},
        {"yoshida-6", of_engine("yoshida-6"), 7, {1.6e-2, 3.0e-4, 4.7e-6, 7.4e-8, 1.2e-9}},
        {"kahan-li-6", of_engine("kahan-li-6"), 9, {1.1e-2, 2.0e-4, 3.1e-6, 4.9e-8, 9.4e-10}},
        {"processed", blanes_processed_6(), 7, {5.2e-4, 2.7e-5, 5.1e-7, 8.1e-9, 3.1e-10}},
        {"blanes-moan-6",
         of_engine("blanes-moan-6"),
         10,
         {7.4e-4, 1.1e-5, 1.6e-7, 2.5e-9, 2.2e-10}},
        {"mclachlan-8", of_engine("mclachlan-8"), 15, {1.6e-2, 1.7e-5, 1.1e-7, 4.8e-10, 2.0e-11}}};
}

/// The end of Arenstorf's orbit with the given number of steps, with x displaced by `off` at the
/// start.
State orbit_end(const OrbitMethod& method, int steps, double off = 0.0) {
    const ChargedParticle model(three_bodies(), -2.0);
    const double dt = arenstorf_period / steps;
    State z = start_of(model.problem());
    z[0] += off;
    step_of(model, method.words.before, dt)(z);
    const Map step = step_of(model, method.words.kernel, dt);
    for (int k = 0; k < steps; ++k) step(z);
    step_of(model, method.words.after, dt)(z);
    return z;
}

double orbit_error(const State& z) {
    return std::max(std::abs(z[0] - 0.994), std::abs(z[1]));
}

/// The rounding error of the flows: each adds a random error of half a unit, which the orbit
/// amplifies as it does a displacement of the start.
double rounding_of_orbit(double work) {
    const OrbitMethod method = orbit_methods().back();
    constexpr double off = 1e-7;
    const State a = orbit_end(method, 20000), b = orbit_end(method, 20000, off);
    const double stretch = std::max(std::abs(b[0] - a[0]), std::abs(b[1] - a[1])) / off;
    return stretch * 1.1e-16 * std::sqrt(2.0 * work * arenstorf_period);
}

int steps_with(const OrbitMethod& method, double work) {
    return static_cast<int>(std::lround(work * arenstorf_period / method.stages));
}

} // namespace

/// Figures 4.6 and 4.7.
Results magnetic_charge() {
    Results results;
    struct Known {
        double dt, scovel, midpoint, rounds;
    };
    for (const Known& k : {Known{0.2, 6.50e-2, 5.19e-2, 10.3}, Known{0.1, 1.84e-2, 1.13e-2, 7.7},
                           Known{0.05, 4.70e-3, 2.87e-3, 6.3}, Known{0.025, 1.18e-3, 7.18e-4, 5.3},
                           Known{0.0125, 2.95e-4, 1.79e-4, 4.7}}) {
        const ChargedRun scovel = charged_run(true, k.dt, 100.0),
                         midpoint = charged_run(false, k.dt, 100.0);
        const std::string name = fmt::format("step {}: ", k.dt);
        results.compare(name + "Scovel", k.scovel, scovel.energy, last_of(3, k.scovel));
        results.compare(name + "midpoint", k.midpoint, midpoint.energy, last_of(3, k.midpoint));
        results.compare(name + "midpoint, iterations", k.rounds, midpoint.rounds, 0.1);
    }
    // Rounding of 10^4 steps.
    results.compare("Scovel: change of the magnetic momentum, t = 1000", 0.0,
                    charged_run(true, 0.1, 1000.0).momentum, 2e-12);
    Curves& curves = results.add_curves("magnetic_charge", {"time", "energy", "x", "y"});
    (void)charged_run(true, 0.1, 100.0, &curves);
    return results;
}

/// Figure 6.2: Arenstorf's orbit by compositions of Scovel's method.
Results arenstorf_orbit() {
    Results results;
    const std::vector<OrbitMethod> methods = orbit_methods();
    std::vector<std::array<double, 5>> found(methods.size());
    in_parallel(5 * methods.size(), [&](std::size_t k) {
        const OrbitMethod& method = methods[k / 5];
        found[k / 5][k % 5] =
            orbit_error(orbit_end(method, steps_with(method, 4000.0 * (1 << k % 5))));
    });
    std::array<double, 5> rounding{};
    for (std::size_t k = 0; k < 5; ++k) rounding[k] = rounding_of_orbit(4000.0 * (1 << k));
    for (std::size_t m = 0; m < methods.size(); ++m)
        for (std::size_t k = 0; k < 5; ++k) {
            const double known = methods[m].known[k];
            results.compare(fmt::format("{}, {} evaluations", methods[m].name, 4000 * (1 << k)),
                            known, found[m][k], last_of(2, known) + rounding[k]);
        }
    Curves& curves = results.add_curves("arenstorf_orbit", {"x", "y"});
    const ChargedParticle model(three_bodies(), -2.0);
    const Map step = step_of(model, "mclachlan-8", arenstorf_period / 8000);
    State z = start_of(model.problem());
    for (int k = 0; k < 8000; ++k) {
        step(z);
        if (k % 20 == 0) curves.rows.push_back({z[0], z[1]});
    }
    return results;
}

} // namespace shadow::models
