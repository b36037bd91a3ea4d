// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/experiment.hpp"
#include "src/models/linear_map.hpp"
#include "src/models/resonances.hpp"
#include "src/models/small_system.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace shadow::models {
namespace {

using std::numbers::pi;

/// The higher frequency of the two normal modes of the pair.
double fastest_frequency() {
    const double sum = 1.0 + 1.0 / eps_of_figures + 1.0 / (eps_of_figures * eps_of_figures),
                 product = 1.0 / (eps_of_figures * eps_of_figures);
    return std::sqrt(0.5 * (sum + std::sqrt(sum * sum - 4.0 * product)));
}

/// The smallest unstable step, over eps, of Verlet's method for the whole system.
double first_unstable_of_verlet() {
    const Problem pair = slow_fast_pair(eps_of_figures);
    const auto growth_at = [&](double ratio) {
        return growth(matrix_of(step_of(pair, "verlet", ratio * eps_of_figures), 4));
    };
    return unstable_windows(growth_at, 0.1, 3.0, 0.01).front().from;
}

} // namespace

Results slow_fast_resonances() {
    Results results;
    results.compare("eps = 1/40: Verlet's method, from",
                    2.0 / (eps_of_figures * fastest_frequency()), first_unstable_of_verlet(), 1e-8);
    const std::array<std::pair<int, std::vector<KnownWindow>>, 4> known = {{
        {10, {{2.856, pi, 1.1622}, {5.029, 6.050, 1.3433}, {8.568, 3.0 * pi, 1.5847}}},
        {20, {{2.992, pi, 1.0797}, {5.566, 6.165, 1.1755}, {8.976, 3.0 * pi, 1.2609}}},
        {40, {{3.065, pi, 1.0396}, {5.899, 6.2235, 1.0881}, {9.195, 3.0 * pi, 1.1237}}},
        {80, {{3.103, pi, 1.0197}, {6.085, 6.253, 1.0440}, {9.309, 3.0 * pi, 1.0603}}},
    }};
    std::vector<LinearPair> models;
    std::vector<std::string> columns;
    for (const auto& [inverse, windows] : known) {
        models.emplace_back(1.0 / inverse);
        columns.push_back(fmt::format("eps_1_{}", inverse));
    }
    std::vector<Growth> growths;
    for (std::size_t k = 0; k < known.size(); ++k) {
        growths.push_back(growth_of(models[k], kicked(), known[k].first));
        compare_windows(results, fmt::format("eps = 1/{}", known[k].first), growths[k],
                        known[k].second, 0.1, 10.0, 0.001);
    }
    results.curves.push_back(growth_curves("slow_fast_resonances", columns, growths));
    results.curves.push_back(
        eigenvalue_curves("slow_fast_resonances_eigenvalues", [&](double ratio) {
            return step_of(models[2], kicked(), ratio * eps_of_figures);
        }));
    return results;
}

Results slow_fast_nonlinear() {
    Results results;
    const NonlinearPair model(eps_of_figures);
    const State start = nonlinear_start(eps_of_figures);
    results.compare("energy of the start", 2.5, model.energy(start), 1e-12);
    results.compare("action of the start", 2.0 * eps_of_figures, model.action(start), 1e-12);
    const auto step = [&](double dt) { return step_of(model, kicked(), dt); };
    const ErrorScan scan = scan_errors(model, eps_of_figures, 200.0, step);
    const ErrorScan longer = scan_errors(model, eps_of_figures, 800.0, step);
    struct Peak {
        double from, to, step, energy, action, longer;
    };
    constexpr Peak peaks[] = {{1.0, 4.5, 3.17, 0.6856, 0.8648, 0.6862},
                              {4.5, 7.5, 5.99, 0.7964, 0.9494, 0.7970},
                              {7.5, 10.0, 8.98, 1.1566, 1.3785, 1.1566}};
    for (const Peak& p : peaks) {
        const std::string which = fmt::format("peak at {}: ", p.step);
        const double at = scan.peak(p.from, p.to);
        results.compare(which + "step", p.step, at, 1e-9);
        results.compare(which + "error of energy", p.energy, scan.at(at).energy, 1e-4);
        results.compare(which + "of action", p.action, scan.at(at).action, 1e-4);
        results.compare(which + "of energy, t = 800", p.longer,
                        longer.at(longer.peak(p.from, p.to)).energy, 1e-4);
    }
    constexpr std::pair<double, double> between[] = {{1.0, 1.7e-4}, {2.0, 9.3e-4}, {4.0, 1.1e-3},
                                                     {5.0, 1.5e-3}, {7.0, 3.8e-3}, {8.0, 2.0e-3}};
    for (const auto& [at, known] : between)
        results.compare(fmt::format("step {}: error of energy", at), known, scan.at(at).energy,
                        known < 1e-3 ? 1e-5 : 1e-4);
    Curves& curves = results.add_curves("slow_fast_nonlinear", {"step", "energy", "action"});
    for (std::size_t k = 0; k < scan.step.size(); ++k)
        curves.rows.push_back({scan.step[k], scan.largest[k].energy, scan.largest[k].action});
    return results;
}

namespace {

/// The reduced system with the fast motion averaged: (p^2 + q^2) / 2 + J sqrt(1 + alpha q^2) / eps,
/// with its action J = `fast_energy` eps at q = 0.
Problem reduced_pair(double fast_energy) {
    constexpr double alpha = 0.1;
    return {"reduced-pair",
            {1.0},
            {0.0},
            {1.0},
            [fast_energy](const double* q, ForceLevel) {
                return 0.5 * q[0] * q[0] + fast_energy * std::sqrt(1.0 + alpha * q[0] * q[0]);
            },
            [fast_energy](const double* q, ForceLevel, double* g) {
                g[0] = q[0] + fast_energy * alpha * q[0] / std::sqrt(1.0 + alpha * q[0] * q[0]);
            }};
}

constexpr double exact_part = 0.1; ///< of eps, practically exact with a method of order six
const std::string accurate = "yoshida-6";

/// Largest difference of q up to 20, 100 and 200, and of p, between full and reduced motion.
struct Differences {
    std::array<double, 3> q{};
    double p = 0.0;
};

Differences differences(double fast_energy, Curves* curves) {
    const NonlinearPair model(eps_of_figures);
    const Problem problem = reduced_pair(fast_energy);
    const Map full = step_of(model, accurate, exact_part * eps_of_figures);
    const Map reduced = step_of(problem, accurate, exact_part * eps_of_figures);
    State z = nonlinear_start(eps_of_figures), mean = {0.0, 1.0};
    Differences found;
    for (int k = 1; k <= 80000; ++k) {
        full(z);
        reduced(mean);
        const double t = exact_part * eps_of_figures * k, q = std::abs(z[0] - mean[0]);
        for (const auto& [interval, end] : {std::pair{0, 20.0}, {1, 100.0}, {2, 200.0}})
            if (t < end + 1e-9)
                found.q[static_cast<std::size_t>(interval)] =
                    std::max(found.q[static_cast<std::size_t>(interval)], q);
        found.p = std::max(found.p, std::abs(z[2] - mean[1]));
        if (curves && t < 20.0 && k % 10 == 0)
            curves->rows.push_back({t, z[0], z[2], mean[0], mean[1], std::sin(t), std::cos(t)});
    }
    return found;
}

/// Largest relative change of the action with this eps up to 200.
double change_of_action(double e) {
    const NonlinearPair model(e);
    return largest_errors(model, step_of(model, accurate, exact_part * e), exact_part * e, 200.0,
                          nonlinear_start(e))
        .action;
}

/// Largest q of the reduced motion, and its period.
std::pair<double, double> swing(double fast_energy) {
    constexpr double dt = 1e-3;
    const Problem problem = reduced_pair(fast_energy);
    const Map step = step_of(problem, accurate, dt);
    State z = {0.0, 1.0};
    double largest = 0.0;
    for (int k = 1;; ++k) {
        const double before = z[0];
        step(z);
        largest = std::max(largest, z[0]);
        if (before < 0.0 && z[0] >= 0.0) return {largest, dt * (k - z[0] / (z[0] - before))};
    }
}

} // namespace

Results slow_fast_reduced() {
    Results results;
    Curves& curves =
        results.add_curves("slow_fast_reduced", {"time", "q_full", "p_full", "q_reduced",
                                                 "p_reduced", "q_free", "p_free"});
    const Differences with = differences(2.0, &curves), without = differences(0.0, nullptr);
    results.compare("reduced - full, t < 20: q", 6.76e-5, with.q[0], 1e-7);
    results.compare("reduced - full, t < 100: q", 1.94e-4, with.q[1], 1e-6);
    results.compare("reduced - full, t < 200: q", 3.80e-4, with.q[2], 1e-6);
    results.compare("reduced - full, t < 200: p", 2.52e-3, with.p, 1e-5);
    results.compare("without the fast part: q", 1.9, without.q[2], 0.1);
    const auto [largest, period] = swing(2.0);
    results.compare("reduced: largest q", 0.91440, largest, 1e-5);
    results.compare("reduced: period", 5.75004, period, 1e-5);
    constexpr std::pair<int, double> actions[] = {
        {20, 1.14e-3}, {40, 5.6e-4}, {80, 2.8e-4}, {160, 1.4e-4}};
    std::array<double, 4> changes{};
    in_parallel(4, [&](std::size_t k) { changes[k] = change_of_action(1.0 / actions[k].first); });
    for (std::size_t k = 0; k < 4; ++k)
        results.compare(fmt::format("eps = 1/{}: change of action", actions[k].first),
                        actions[k].second, changes[k], 1e-5);
    return results;
}

} // namespace shadow::models
