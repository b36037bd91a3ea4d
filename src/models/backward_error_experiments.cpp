// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/drifting_oscillator.hpp"
#include "src/models/experiment.hpp"
#include "src/models/following.hpp"
#include "src/models/windows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace shadow::models {
namespace {

/// A hill that a particle of momentum 1 does not cross.
Problem hill() {
    return {"hill",
            {1.0},
            {-20.0},
            {1.0},
            [](const double* q, ForceLevel) { return std::exp(-0.5 * q[0] * q[0]); },
            [](const double* q, ForceLevel, double* g) {
                g[0] = -q[0] * std::exp(-0.5 * q[0] * q[0]);
            }};
}

/// The change of the energy in a collision with the hill, by Verlet's method starting at q.
double change_by_collision(double dt, double q) {
    const Map step = step_of(hill(), "verlet", dt);
    State z = {q, 1.0};
    do step(z);
    while (z[1] > 0.0 || z[0] > -20.0);
    return std::abs(0.5 * z[1] * z[1] - 0.5);
}

/// The largest change for 64 starts within a step of -20.
double max_by_collision(double dt) {
    double most = 0.0;
    for (int k = 0; k < 64; ++k)
        most = std::max(most, change_by_collision(dt, -20.0 - dt * k / 64));
    return most;
}

double fitted(double dt) {
    return 150.0 * std::exp(-11.8 / dt);
}

double change_of_action(double eps, double dt) {
    const DriftingOscillator model(eps);
    return change_of(DriftingOscillator::action, step_of(model, "verlet", dt),
                     static_cast<int>(std::lround(100.0 / dt)), {1.0, 0.0, 0.0, 0.0})
        .largest;
}

} // namespace

/// Figure 5.4: the energy change in a smooth collision is exponentially small in 1 / dt.
Results exponentially_small_drift() {
    Results results;
    struct Known {
        double dt, change;
    };
    for (const Known& k :
         {Known{0.45, 3.6e-11}, Known{0.5, 4.3e-9}, Known{0.6, 4.3e-8}, Known{0.65, 6.3e-7},
          Known{0.75, 1.39e-5}, Known{0.8, 5.9e-5}, Known{0.85, 8.5e-5}, Known{1.0, 8.4e-4}})
        results.compare(fmt::format("step {}, from -20", k.dt), k.change,
                        change_by_collision(k.dt, -20.0),
                        last_of(k.dt == 0.75 ? 3 : 2, k.change) + 1e-14);
    constexpr std::pair<double, double> ratios[] = {{0.45, 1.04}, {0.5, 0.96},  {0.6, 0.97},
                                                    {0.65, 0.92}, {0.75, 0.90}, {0.8, 1.01}};
    for (const auto& [dt, known] : ratios)
        results.compare(fmt::format("step {}: most / the fit of the book", dt), known,
                        max_by_collision(dt) / fitted(dt), 0.01);
    const auto steps = grid(0.4, 1.0, 0.005);
    Curves& curves =
        results.add_curves("exponentially_small_drift", {"step", "from_20", "most", "fit"});
    curves.rows.resize(steps.size());
    in_parallel(steps.size(), [&](std::size_t k) {
        const double dt = steps[k];
        curves.rows[k] = {dt, change_by_collision(dt, -20.0), max_by_collision(dt), fitted(dt)};
    });
    return results;
}

/// Figure 5.6: the action changes by the method, as dt^2, and by the oscillator itself.
Results adiabatic_invariant() {
    Results results;
    constexpr std::array<double, 6> slow = {0.001, 0.005, 0.01, 0.02, 0.03, 0.05};
    struct Known {
        double dt;
        std::array<double, 6> change;
    };
    constexpr Known known[] = {{0.4, {1.99e-2, 1.99e-2, 2.32e-2, 2.31e-2, 2.28e-2, 2.47e-2}},
                               {0.2, {4.98e-3, 5.16e-3, 5.87e-3, 7.25e-3, 9.06e-3, 1.30e-2}},
                               {0.1, {1.28e-3, 1.78e-3, 2.71e-3, 4.66e-3, 6.66e-3, 1.08e-2}},
                               {0.05, {4.07e-4, 1.15e-3, 2.14e-3, 4.14e-3, 6.15e-3, 1.03e-2}},
                               {0.01, {2.03e-4, 9.85e-4, 1.98e-3, 3.98e-3, 5.99e-3, 1.01e-2}}};
    for (const Known& k : known)
        for (std::size_t e = 0; e < slow.size(); ++e)
            results.compare(fmt::format("step {}, eps = {}", k.dt, slow[e]), k.change[e],
                            change_of_action(slow[e], k.dt), last_of(3, k.change[e]));
    Curves& curves =
        results.add_curves("adiabatic_invariant", {"eps", "0.4", "0.2", "0.1", "0.05", "0.01"});
    for (const double eps : grid(0.0005, 0.0505, 0.0005)) {
        curves.rows.push_back({eps});
        for (const Known& k : known) curves.rows.back().push_back(change_of_action(eps, k.dt));
    }
    return results;
}

} // namespace shadow::models
