// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/drifting_oscillator.hpp"
#include "src/models/experiment.hpp"
#include "src/models/following.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace shadow::models {
namespace {

constexpr double pendulum_step = 0.1;

/// From the horizontal, at rest.
Problem dropped_pendulum() {
    return started_at(pendulum(), {0.5 * std::numbers::pi}, {0.0});
}

/// The period: four times the time to the bottom, K(1/sqrt 2) by the arithmetic-geometric mean.
double dropped_period() {
    double a = 1.0, b = std::sqrt(0.5);
    for (int k = 0; k < 10; ++k) {
        const double mean = 0.5 * (a + b);
        b = std::sqrt(a * b);
        a = mean;
    }
    return 2.0 * std::numbers::pi / a;
}

/// The largest error of a single step, and the error of all of them at t = 20.
struct PendulumErrors {
    double of_step = 0.0, at_end = 0.0;
};

PendulumErrors pendulum_errors(const Map& method) {
    const Problem problem = dropped_pendulum();
    const Map exact = step_of(problem, "mclachlan-8", pendulum_step);
    State z = start_of(problem), reference = z;
    PendulumErrors errors;
    for (int k = 0; k < 200; ++k) {
        State once = z;
        exact(once);
        method(z);
        exact(reference);
        const auto apart = [&](const State& y) { return std::hypot(z[0] - y[0], z[1] - y[1]); };
        errors.at_end = apart(reference);
        errors.of_step = std::max(apart(once), errors.of_step);
    }
    return errors;
}

/// Largest |q_1| within 40 of the middle of the first beat, and of the second.
std::array<double, 2> beats(const Map& step, double h, std::vector<double>* path) {
    State z(6);
    std::array<double, 2> largest{};
    for (int k = 1; k <= static_cast<int>(std::lround(600.0 / h)); ++k) {
        step(z);
        for (std::size_t beat = 0; beat < 2; ++beat)
            if (std::abs(h * k - (beat == 0 ? 157.08 : 471.24)) <= 40.0)
                largest[beat] = std::max(std::abs(z[0]), largest[beat]);
        if (path) path->push_back(z[0]);
    }
    return largest;
}

/// The rotor, with time as its third coordinate.
void rotor_rate(const State& z, State& f) {
    const UnbalancedRotor rotor;
    State kicked = z;
    rotor.slow(kicked, 1.0);
    for (std::size_t i = 0; i < 3; ++i) f[i] = i == 2 ? 1.0 : z[3 + i];
    for (std::size_t i = 3; i < 6; ++i) f[i] = kicked[i] - z[i];
}

} // namespace

/// Figures 1.1 and 2.7 to 2.10 of the thesis: two methods have equal errors in a step, but not in
/// the motion.
Results dropped_pendulum_energy() {
    Results results;
    const Problem problem = dropped_pendulum();
    const double period = dropped_period();
    results.compare("period", 7.416299, period, 1e-6);
    const Map implicit = step_of(rate_of(problem), implicit_euler(), pendulum_step),
              symplectic = step_of(problem, "symplectic-euler-b", pendulum_step);
    const auto after_two_periods = [&](const Map& step) {
        return 1.0 + change_of(energy_of(problem), step,
                               static_cast<int>(std::lround(2.0 * period / pendulum_step)),
                               start_of(problem))
                         .last;
    };
    results.compare("implicit Euler: height after two periods", 0.307, after_two_periods(implicit),
                    1e-3);
    results.compare("symplectic Euler: height after two periods", 1.0016,
                    after_two_periods(symplectic), 1e-4);
    const PendulumErrors a = pendulum_errors(implicit), b = pendulum_errors(symplectic);
    results.compare("implicit Euler: error at t = 20", 1.59, a.at_end, 0.01);
    results.compare("symplectic Euler: error at t = 20", 0.0655, b.at_end, 1e-4);
    results.compare("implicit Euler: largest error of a step", 6.6e-3, a.of_step, 1e-4);
    results.compare("symplectic Euler: largest error of a step", 7.1e-3, b.of_step, 1e-4);
    Curves& curves =
        results.add_curves("dropped_pendulum", {"time", "implicit_euler", "symplectic_euler"});
    State z = start_of(problem), other = z;
    double least = 0.0, most = 0.0;
    for (int k = 1; k <= 200; ++k) {
        implicit(z);
        symplectic(other);
        const double h = energy_of(problem, other);
        least = std::min(least, h);
        most = std::max(most, h);
        curves.rows.push_back({pendulum_step * k, energy_of(problem, z), h});
    }
    results.compare("symplectic Euler: least energy", -0.0425, least, 1e-4);
    results.compare("symplectic Euler: largest energy", 0.0453, most, 1e-4);
    results.compare("symplectic Euler: change of the modified energy", 8.4e-4,
                    change_of(shadow_energy_of(problem, "symplectic-euler-b", pendulum_step, 1),
                              symplectic, 200, start_of(problem))
                        .largest,
                    1e-5);
    return results;
}

/// Paper I: which methods reproduce the beats of a rotor near its resonance.
Results unbalanced_rotor() {
    Results results;
    const UnbalancedRotor rotor;
    struct Known {
        const char* name;
        Map step;
        double first, second;
    };
    constexpr double h = 0.2;
    std::vector<std::vector<double>> paths(4);
    std::size_t n = 0;
    for (const Known& k :
         {Known{"midpoint", step_of(rotor_rate, gauss(1), h), 4.39, 4.15},
          Known{"verlet", step_of(rotor, "position-verlet", h), 5.62, 5.62},
          Known{"extrapolated Euler", step_of(rotor_rate, extrapolated_euler(), h), 6.22, 2.90},
          Known{"Heun", step_of(rotor_rate, heun(), h), 8.32, 3.74}}) {
        const auto found = beats(k.step, h, &paths[n++]);
        const std::string name = k.name;
        results.compare(name + ": first beat", k.first, found[0], 0.01);
        results.compare(name + ": second beat", k.second, found[1], 0.01);
    }
    Curves& curves = results.add_curves(
        "unbalanced_rotor", {"time", "exact", "midpoint", "verlet", "extrapolated", "heun"});
    for (std::size_t k = 0; k < paths[0].size(); ++k) {
        const double t = h * static_cast<double>(k + 1);
        curves.rows.push_back(
            {t, UnbalancedRotor::exact(t), paths[0][k], paths[1][k], paths[2][k], paths[3][k]});
    }
    return results;
}

} // namespace shadow::models
