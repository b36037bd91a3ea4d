// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/experiment.hpp"
#include "src/models/following.hpp"
#include "src/models/windows.hpp"

#include <cmath>
#include <fmt/format.h>

namespace shadow::models {
namespace {

/// From (1, 0), with a transverse velocity: 1 gives a circle.
Problem kepler_with(double velocity) {
    return started_at(kepler(), {1.0, 0.0}, {0.0, velocity});
}

int steps_in(double time, double dt) {
    return static_cast<int>(std::lround(time / dt));
}

/// Largest changes of the energy and of the energy that the method conserves up to some order.
struct BothChanges {
    double energy, shadow;
};

BothChanges both_changes(const Problem& problem, const char* method, double dt, double time,
                         int order = 2) {
    const int steps = steps_in(time, dt);
    const auto largest = [&](const Quantity& quantity) {
        return change_of(quantity, step_of(problem, method, dt), steps, start_of(problem)).largest;
    };
    return {largest(energy_of(problem)), largest(shadow_energy_of(problem, method, dt, order))};
}

/// The radius of Kepler's problem, with angular momentum and attraction 1.
Problem reduced_kepler_problem() {
    return {"reduced-kepler",
            {1.0},
            {1.0},
            {0.5},
            [](const double* q, ForceLevel) { return 0.5 / (q[0] * q[0]) - 1.0 / q[0]; },
            [](const double* q, ForceLevel, double* g) {
                g[0] = 1.0 / (q[0] * q[0]) - 1.0 / (q[0] * q[0] * q[0]);
            }};
}

} // namespace

/// Exercise 4.3: the implicit midpoint rule by iteration is as accurate as Verlet's method, and
/// more expensive.
Results kepler_midpoint() {
    Results results;
    struct Known {
        double dt, verlet, midpoint, rounds;
    };
    const Problem problem = kepler_with(1.2);
    for (const Known& k : {Known{0.01, 7.90e-6, 1.00e-5, 5.3}, Known{0.001, 7.90e-8, 1.00e-7, 4.1},
                           Known{1e-4, 7.90e-10, 1.00e-9, 3.2}}) {
        const int steps = steps_in(10.0, k.dt);
        RungeKutta midpoint(rate_of(problem), gauss(1), 1e-13);
        const Change of_midpoint = change_of(
            energy_of(problem), [&](State& z) { midpoint.step(z, k.dt); }, steps,
            start_of(problem));
        const std::string name = fmt::format("step {}: ", k.dt);
        // The last digit, and the rounding of 10^5 steps.
        const double rounding = 1e-12;
        results.compare(name + "Verlet", k.verlet,
                        both_changes(problem, "verlet", k.dt, 10.0).energy,
                        last_of(3, k.verlet) + rounding);
        results.compare(name + "midpoint", k.midpoint, of_midpoint.largest,
                        last_of(3, k.midpoint) + rounding);
        results.compare(name + "iterations", k.rounds,
                        static_cast<double>(midpoint.rounds()) / steps, 0.1);
    }
    const Problem circle = kepler_with(1.0);
    const Map midpoint = step_of(rate_of(circle), gauss(1), 0.01);
    results.compare("circle, step 0.01: Verlet", 1.25e-9,
                    both_changes(circle, "verlet", 0.01, 10.0).energy, 1e-11);
    results.compare("circle, step 0.01: midpoint", 2.8e-9,
                    change_of(energy_of(circle), midpoint, 1000, start_of(circle)).largest, 1e-10);
    return results;
}

/// Exercise 5.6: the quantity that Verlet's method conserves to the fourth order.
Results kepler_shadow() {
    Results results;
    struct Known {
        double dt, energy, shadow;
    };
    const Problem problem = kepler_with(1.2);
    for (const Known& k : {Known{0.1, 7.93e-4, 2.23e-6}, Known{0.05, 1.98e-4, 1.39e-7},
                           Known{0.025, 4.94e-5, 8.69e-9}, Known{0.0125, 1.23e-5, 5.43e-10}}) {
        const BothChanges found = both_changes(problem, "verlet", k.dt, 50.0);
        const std::string name = fmt::format("step {}: ", k.dt);
        results.compare(name + "energy", k.energy, found.energy, last_of(3, k.energy));
        results.compare(name + "shadow energy", k.shadow, found.shadow, last_of(3, k.shadow));
    }
    const Problem circle = kepler_with(1.0);
    for (const Known& k : {Known{0.1, 1.23e-5, 5.09e-8}, Known{0.05, 7.78e-7, 8.09e-10}}) {
        const BothChanges found = both_changes(circle, "verlet", k.dt, 50.0);
        const std::string name = fmt::format("circle, step {}: ", k.dt);
        results.compare(name + "energy", k.energy, found.energy, last_of(3, k.energy));
        results.compare(name + "shadow energy", k.shadow, found.shadow, last_of(3, k.shadow));
    }
    const auto steps = grid(0.01, 0.2, 0.001);
    Curves& curves = results.add_curves("kepler_shadow", {"step", "energy", "shadow"});
    curves.rows.resize(steps.size());
    in_parallel(steps.size(), [&](std::size_t k) {
        const BothChanges found = both_changes(problem, "verlet", steps[k], 50.0);
        curves.rows[k] = {steps[k], found.energy, found.shadow};
    });
    return results;
}

/// Figures 5.1 and 5.2: the error of the energy is of the order of the method, that of the modified
/// energy one order higher.
Results reduced_kepler() {
    Results results;
    struct Known {
        double dt, energy, shadow;
        int digits;
    };
    const Problem problem = reduced_kepler_problem();
    for (const Known& k : {Known{0.1, 1.256e-2, 8.52e-4, 4}, Known{0.05, 6.07e-3, 2.12e-4, 3},
                           Known{0.02, 2.39e-3, 3.39e-5, 3}, Known{0.01, 1.186e-3, 8.46e-6, 4}}) {
        const BothChanges found = both_changes(problem, "symplectic-euler-a", k.dt, 50.0, 1);
        const std::string name = fmt::format("step {}: ", k.dt);
        results.compare(name + "energy", k.energy, found.energy, last_of(k.digits, k.energy));
        results.compare(name + "modified energy", k.shadow, found.shadow, last_of(3, k.shadow));
    }
    const auto steps = grid(0.01, 0.11, 0.001);
    Curves& curves = results.add_curves("reduced_kepler", {"step", "energy", "modified"});
    curves.rows.resize(steps.size());
    in_parallel(steps.size(), [&](std::size_t k) {
        const BothChanges found = both_changes(problem, "symplectic-euler-a", steps[k], 50.0, 1);
        curves.rows[k] = {steps[k], found.energy, found.shadow};
    });
    return results;
}

} // namespace shadow::models
