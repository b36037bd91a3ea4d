// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/adaptive.hpp"
#include "src/models/energy_scaled.hpp"
#include "src/models/experiment.hpp"
#include "src/models/following.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace shadow::models {
namespace {

const Word& leapfrog() {
    static const Word word = parse_word("B½ A1 B½");
    return word;
}

/// A Hamiltonian, the power of a part of the energy to which steps are proportional, and the start.
struct ScaledProblem {
    Separable h;
    State start;
    double power;
    double added = 0.0; ///< to V, so that it is positive
    double sign = 1.0;  ///< of V + added

    [[nodiscard]] double energy() const { return h.energy(start); }
    [[nodiscard]] double size_of_potential(double v) const { return sign * (v + added); }
    [[nodiscard]] double scale(double v) const { return std::pow(size_of_potential(v), power); }
    /// Steps proportional to the power of V, and of E - T.
    [[nodiscard]] EnergyScaled symplectic() const {
        const double e = energy();
        return {h, [*this, e](double t) { return scale(e - t); },
                [*this](double v) { return scale(v); }};
    }
    /// d log Q / dt with Q = 1 / scale.
    [[nodiscard]] double rate_of_density(const State& z) const {
        std::vector<double> v(h.size), g(h.size);
        h.velocity(z.data() + h.size, v.data());
        h.gradient(z.data(), g.data());
        double change = 0.0;
        for (std::size_t i = 0; i < h.size; ++i) change += g[i] * v[i];
        return -power * change / (h.potential(z.data()) + added);
    }
};

/// Errors of the energy over a part of a run.
struct EnergyPart {
    double largest = 0.0, mean = 0.0;
};

template <class Next>
EnergyPart errors_over(const ScaledProblem& problem, int steps, const Next& next) {
    EnergyPart part;
    for (int k = 0; k < steps; ++k) {
        const double error = problem.h.energy(next()) - problem.energy();
        part.largest = std::max(std::abs(error), part.largest);
        part.mean += error / steps;
    }
    return part;
}

/// A run whose steps follow a density: "SYMM".
struct DensityRun {
    DensityRun(const ScaledProblem& scaled, double eps)
        : now{scaled.start, 0.0}, problem(scaled), plain(scaled.h),
          density([this](State& z, double dt) { step_of(plain, leapfrog(), dt)(z); },
                  [this](const State& z) { return problem.rate_of_density(z); }, eps,
                  1.0 / scaled.scale(scaled.h.potential(scaled.start.data()))) {}
    DensityRun(const DensityRun&) = delete;
    DensityRun& operator=(const DensityRun&) = delete;

    void step() {
        density.step(now);
        largest_misfit = std::max(std::abs(misfit()), largest_misfit);
    }
    EnergyPart over(int steps) {
        return errors_over(problem, steps, [this]() -> const State& {
            step();
            return now.z;
        });
    }
    /// log(Q / rho), which should stay zero.
    [[nodiscard]] double misfit() const {
        return -std::log(problem.scale(problem.h.potential(now.z.data())) * density.density());
    }

    TimedState now;
    double largest_misfit = 0.0;
    const ScaledProblem& problem;
    EnergyScaled plain;
    StepDensity density;
};

/// The same for steps scaled by energies.
EnergyPart scaled_part(const ScaledProblem& problem, double eps, int steps) {
    const EnergyScaled model = problem.symplectic();
    const Map step = step_of(model, leapfrog(), eps);
    State z = problem.start;
    return errors_over(problem, steps, [&]() -> const State& {
        step(z);
        return z;
    });
}

/// Errors of both, every hundredth of 50,000 steps.
Curves drift_curves(const ScaledProblem& problem, double eps) {
    Curves curves{"scaled_drift", {"step", "density", "energy_scaled"}, {}};
    DensityRun density(problem, eps);
    const EnergyScaled model = problem.symplectic();
    const Map step = step_of(model, leapfrog(), eps);
    State z = problem.start;
    for (int k = 1; k <= 50000; ++k) {
        density.step();
        step(z);
        if (k % 100 == 0)
            curves.rows.push_back({double(k), problem.h.energy(density.now.z) - problem.energy(),
                                   problem.h.energy(z) - problem.energy()});
    }
    return curves;
}

/// Kepler's problem, eccentricity 0.8, from the nearest point.
ScaledProblem eccentric_orbit() {
    const Problem problem = kepler();
    constexpr double e = 0.8;
    return {{2, [](const double* p) { return 0.5 * (p[0] * p[0] + p[1] * p[1]); },
             [](const double* p, double* v) { std::copy_n(p, 2, v); },
             [problem](const double* q) { return problem.potential(q, all_levels); },
             [problem](const double* q, double* g) { problem.gradient(q, all_levels, g); }},
            {1.0 - e, 0.0, 0.0, std::sqrt((1.0 + e) / (1.0 - e))},
            -1.5,
            0.0,
            -1.0};
}

/// Between two soft walls, with a kinetic energy that is not even.
ScaledProblem scaled_uneven_oscillator() {
    return {uneven_oscillator(), {1.0, 0.0}, -0.5};
}

/// A pendulum that always rotates in the same direction, past a magnet.
ScaledProblem magnetic_pendulum() {
    constexpr double strength = 0.1, gap = 1.05;
    return {{1, [](const double* p) { return 0.5 * p[0] * p[0]; },
             [](const double* p, double* v) { v[0] = p[0]; },
             [](const double* q) {
                 const double c = std::cos(q[0]), s = gap - std::sin(q[0]);
                 return -c + strength / (c * c + s * s);
             },
             [](const double* q, double* g) {
                 const double c = std::cos(q[0]), s = gap - std::sin(q[0]);
                 const double square = c * c + s * s;
                 // The square of the distance has the derivative -2 gap cos q.
                 g[0] = std::sin(q[0]) + strength * 2.0 * gap * c / (square * square);
             }},
            {0.5 * std::numbers::pi, 0.5},
            -0.5,
            1.0};
}

} // namespace

/// Paper III, example 1: a density of steps and a symplectic method, both without drift.
Results scaled_kepler() {
    Results results;
    const ScaledProblem problem = eccentric_orbit();
    const double start = problem.energy();
    constexpr double eps = 0.02;
    constexpr int steps = 200000;
    DensityRun reversible(problem, eps);
    const EnergyScaled model = problem.symplectic();
    const Map step = step_of(model, leapfrog(), eps);
    State z = problem.start;
    Curves& curves =
        results.add_curves("scaled_kepler", {"time", "density", "energy_scaled", "misfit"});
    double of_scales = 0.0, shortest = 1.0, longest = 0.0;
    EnergyPart density, scaled;
    for (int k = 0; k < steps; ++k) {
        reversible.step();
        step(z);
        const double a = problem.h.energy(reversible.now.z) - start,
                     b = problem.h.energy(z) - start;
        density.largest = std::max(std::abs(a), density.largest);
        scaled.largest = std::max(std::abs(b), scaled.largest);
        const double by_potential = problem.scale(problem.h.potential(z.data())),
                     by_kinetic = problem.scale(start - problem.h.kinetic(z.data() + 2));
        of_scales = std::max(std::abs(by_kinetic / by_potential - 1.0), of_scales);
        shortest = std::min(eps * by_potential, shortest);
        longest = std::max(eps * by_potential, longest);
        if (k < 1200) curves.rows.push_back({reversible.now.time, a, b, reversible.misfit()});
    }
    results.compare("density of steps: energy", 3.4e-4, density.largest, 1e-5);
    results.compare("scaled by energies: energy", 2.9e-5, scaled.largest, 1e-6);
    results.compare("density of steps: log(Q / rho)", 3.6e-4, reversible.largest_misfit, 1e-5);
    results.compare("scaled by energies: s / u - 1", 3.7e-5, of_scales, 1e-6);
    results.compare("shortest step", 0.0018, shortest, 1e-4);
    results.compare("longest step", 0.048, longest, 1e-3);
    results.compare("mean step", 0.01667, reversible.now.time / steps, 1e-5);
    return results;
}

/// Paper III, examples 2 and 4: where a motion is not reversible, or does not return, the energy of
/// the reversible method drifts and that of the symplectic one does not.
Results scaled_drift() {
    Results results;
    const ScaledProblem uneven = scaled_uneven_oscillator();
    const double start = uneven.energy();
    results.compare("oscillator: energy of the start", 1.022346, start, 1e-6);
    constexpr double eps = 0.2;
    DensityRun reversible(uneven, eps);
    const auto part = [&](int steps) { return reversible.over(steps); };
    (void)part(1000);
    results.compare("oscillator: density, mean error of 1000 to 5000", -0.010, part(4000).mean,
                    1e-3);
    results.compare("of 5000 to 10,000", -0.021, part(5000).mean, 1e-3);
    results.compare("of 10,000 to 50,000", -0.077, part(40000).mean, 1e-3);
    results.compare("log(Q / rho), largest of 50,000 steps", 0.19, reversible.largest_misfit, 0.01);
    results.compare("of 50,000 to 100,000", -0.20, part(50000).mean, 0.01);
    for (const int steps : {1000, 100000}) {
        const EnergyPart found = scaled_part(uneven, eps, steps);
        results.compare(fmt::format("scaled by energies, {} steps: largest", steps), 8.34e-3,
                        found.largest, 1e-5);
        if (steps > 1000) results.compare("scaled by energies: mean", -4.95e-3, found.mean, 1e-5);
    }
    results.compare("eps = 0.1, scaled by energies: largest", 2.1e-3,
                    scaled_part(uneven, 0.1, 20000).largest, 1e-4);
    const ScaledProblem pendulum = magnetic_pendulum();
    results.compare("pendulum: energy of the start", 40.125, pendulum.energy(), 1e-3);
    results.compare("pendulum, scaled by energies: largest", 8.5e-4,
                    scaled_part(pendulum, 1e-3, 300000).largest, 1e-5);
    DensityRun turning(pendulum, 1e-3);
    (void)turning.over(10000);
    results.compare("pendulum: density, mean of 10,000 to 100,000", -0.022,
                    turning.over(90000).mean, 1e-3);
    results.compare("of 100,000 to 300,000", -0.083, turning.over(200000).mean, 1e-3);
    results.curves.push_back(drift_curves(uneven, eps));
    return results;
}

} // namespace shadow::models
