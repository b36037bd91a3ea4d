// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/experiment.hpp"
#include "src/models/following.hpp"
#include "src/models/linear_map.hpp"
#include "src/models/windows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace shadow::models {
namespace {

Problem lj_from(double q) {
    return started_at(lj_oscillator(), {q}, {0.0});
}

Problem morse() {
    return {"morse",
            {1.0},
            {0.0},
            {1.0},
            [](const double* q, ForceLevel) {
                const double x = 1.0 - std::exp(-q[0]);
                return x * x;
            },
            [](const double* q, ForceLevel, double* g) {
                const double e = std::exp(-q[0]);
                g[0] = 2.0 * (1.0 - e) * e;
            }};
}

/// The period, from rest to rest: until the second change of sign of the momentum.
double period(const Problem& problem) {
    constexpr double dt = 1e-3;
    const Map step = step_of(problem, "yoshida-6", dt);
    State z = start_of(problem);
    step(z);
    for (int k = 1, changes = 0;; ++k) {
        const double before = z[1];
        step(z);
        if (before * z[1] <= 0.0 && ++changes == 2) return dt * (k + before / (before - z[1]));
    }
}

Change change_of_energy(const Problem& problem, const Map& step, double dt, double time) {
    return change_of(energy_of(problem), step, static_cast<int>(std::lround(time / dt)),
                     start_of(problem));
}

/// Figures 2.3 and 2.4, and the same by two more accurate methods.
Curves lj_curves() {
    constexpr double dt = 1e-3;
    const Problem problem = lj_from(1.5);
    Curves curves{"lj_wall", {"time", "q", "euler", "runge_kutta", "verlet", "a", "b"}, {}};
    const Map euler = step_of(rate_of(problem), explicit_euler(), dt);
    const Map classical = step_of(rate_of(problem), runge_kutta_4(), 0.01);
    const Map verlet = step_of(problem, "verlet", 0.01);
    State z = start_of(problem), better = z, symplectic = z;
    const double start = energy_of(problem, z);
    for (int k = 1; k <= 20000; ++k) {
        euler(z);
        if (k % 10 == 0) {
            classical(better);
            verlet(symplectic);
        }
        if (k % 40 != 0) continue;
        const double q = z[0], phi = problem.potential(&q, all_levels);
        const double first = 12.0 * (std::pow(q, -7) - std::pow(q, -13));
        const double second = 12.0 * (13.0 * std::pow(q, -14) - 7.0 * std::pow(q, -8));
        const double energy = energy_of(problem, z);
        curves.rows.push_back(
            {k * dt, q, energy - start, energy_of(problem, better) - start,
             energy_of(problem, symplectic) - start, std::max(1.0, std::abs(second)),
             0.5 * std::sqrt(first * first + 2.0 * second * second * (energy - phi))});
    }
    return curves;
}

} // namespace

/// Errors of elementary methods grow at the wall; that of Verlet's method returns.
Results lj_wall() {
    Results results;
    struct Known {
        double q, period, euler, classical, verlet, wider;
    };
    constexpr Known known[] = {{1.2, 1.0730, 0.475, -6.4e-3, 9.1e-4, 3.7e-3},
                               {1.5, 2.3245, 0.157, -1.29e-2, 2.29e-3, 9.4e-3},
                               {2.0, 7.0241, 0.0, -6.5e-3, 2.91e-3, 1.2e-2}};
    std::array<std::array<double, 5>, 3> found{};
    in_parallel(3, [&](std::size_t k) {
        const Problem problem = lj_from(known[k].q);
        const Rate rate = rate_of(problem);
        const auto run = [&](const Map& step, double dt, double time) {
            return change_of_energy(problem, step, dt, time);
        };
        found[k] = {period(problem), run(step_of(rate, explicit_euler(), 1e-3), 1e-3, 20.0).largest,
                    run(step_of(rate, runge_kutta_4(), 0.01), 0.01, 5000.0).last,
                    run(step_of(problem, "verlet", 0.01), 0.01, 5000.0).largest,
                    run(step_of(problem, "verlet", 0.02), 0.02, 5000.0).largest};
    });
    for (std::size_t k = 0; k < 3; ++k) {
        const auto& [q, period, euler, classical, verlet, wider] = known[k];
        const std::string name = fmt::format("from {}: ", q);
        results.compare(name + "period", period, found[k][0], 1e-4);
        if (euler > 0.0) results.compare(name + "Euler, t = 20", euler, found[k][1], 1e-3);
        results.compare(name + "Runge-Kutta, at t = 5000", classical, found[k][2],
                        last_of(k == 1 ? 3 : 2, classical));
        results.compare(name + "Verlet, t = 5000", verlet, found[k][3],
                        last_of(k == 0 ? 2 : 3, verlet));
        results.compare(name + "Verlet, step 0.02", wider, found[k][4], last_of(2, wider));
    }
    const Problem middle = lj_from(1.5);
    const Rate rate = rate_of(middle);
    const auto largest = [&](const Tableau& tableau, double dt, double time) {
        return change_of_energy(middle, step_of(rate, tableau, dt), dt, time).largest;
    };
    results.compare("from 1.5: Euler, t = 50", 0.216, largest(explicit_euler(), 1e-3, 50.0), 1e-3);
    results.compare("from 1.5: Runge-Kutta, t = 20", 5.4e-5, largest(runge_kutta_4(), 0.01, 20.0),
                    1e-6);
    results.compare("from 1.5: Runge-Kutta, t = 50", 1.26e-4, largest(runge_kutta_4(), 0.01, 50.0),
                    1e-6);
    for (const auto& [q, known_change] :
         {std::pair{1.2, -0.43}, std::pair{1.5, -0.82}, std::pair{2.0, 0.20}}) {
        const Problem problem = lj_from(q);
        const Map step = step_of(rate_of(problem), runge_kutta_4(), 0.1);
        results.compare(fmt::format("from {}: Runge-Kutta, step 0.1, at t = 50", q), known_change,
                        change_of_energy(problem, step, 0.1, 50.0).last, 0.01);
    }
    results.curves.push_back(lj_curves());
    return results;
}

/// The computer project of exercise 2.8.
Results morse_methods() {
    Results results;
    struct Known {
        double dt, euler, symplectic, verlet, classical;
    };
    const Problem problem = morse();
    const Rate rate = rate_of(problem);
    for (const Known& k : {Known{0.1, 0.844, 5.81e-2, 4.15e-3, 4.65e-4},
                           Known{0.05, 0.781, 2.79e-2, 1.03e-3, 1.48e-5}}) {
        const auto compare = [&](const std::string& name, double known, const Map& step) {
            results.compare(fmt::format("{}, step {}", name, k.dt), known,
                            change_of_energy(problem, step, k.dt, 200.0).largest,
                            last_of(3, known));
        };
        compare("Euler", k.euler, step_of(rate, explicit_euler(), k.dt));
        for (const char* method : {"symplectic-euler-a", "symplectic-euler-b"})
            compare(method, k.symplectic, step_of(problem, method, k.dt));
        compare("verlet", k.verlet, step_of(problem, "verlet", k.dt));
        compare("Runge-Kutta", k.classical, step_of(rate, runge_kutta_4(), k.dt));
    }
    constexpr double dt = 0.1;
    Curves& curves =
        results.add_curves("morse_methods", {"time", "euler", "euler_a", "verlet", "runge_kutta"});
    std::vector<std::pair<Map, State>> runs;
    runs.emplace_back(step_of(rate, explicit_euler(), dt), start_of(problem));
    for (const char* method : {"symplectic-euler-a", "verlet"})
        runs.emplace_back(step_of(problem, method, dt), start_of(problem));
    runs.emplace_back(step_of(rate, runge_kutta_4(), dt), start_of(problem));
    for (int k = 1; k <= 2000; ++k) {
        curves.rows.push_back({dt * k});
        for (auto& [step, z] : runs) {
            step(z);
            curves.rows.back().push_back(std::abs(energy_of(problem, z) - 0.5));
        }
    }
    return results;
}

namespace {

/// The matrix of a method for q'' = -q, as a function of the step.
using MatrixOfStep = std::function<Matrix(double dt)>;

MatrixOfStep of_engine(const char* method) {
    return [method](double dt) { return matrix_of(step_of(unit_oscillator(), method, dt), 2); };
}

MatrixOfStep of_tableau(const Tableau& tableau) {
    return [tableau](double dt) {
        return matrix_of(step_of(rate_of(unit_oscillator()), tableau, dt), 2);
    };
}

/// Expected eigenvalues: the modulus, and the angle over the step.
struct Spectrum {
    const char* name;
    MatrixOfStep matrix;
    double (*modulus)(double dt);
    double (*frequency)(double dt);
};

double one(double) {
    return 1.0;
}

double of_splitting(double dt) {
    return 2.0 / dt * std::asin(0.5 * dt);
}

/// Largest change of a quadratic form in 1000 steps.
double change_of_form(const char* method, double dt, double of_q, double of_qp) {
    const auto form = [=](const State& z) {
        return z[1] * z[1] + of_q * z[0] * z[0] + of_qp * z[0] * z[1];
    };
    return change_of(form, step_of(unit_oscillator(), method, dt), 1000, {0.3, 1.1}).largest;
}

} // namespace

Results oscillator_methods() {
    Results results;
    const std::array<Spectrum, 6> spectra = {
        {{"Euler", of_tableau(explicit_euler()), [](double dt) { return std::hypot(1.0, dt); },
          [](double dt) { return std::atan(dt) / dt; }},
         {"implicit Euler", of_tableau(implicit_euler()),
          [](double dt) { return 1.0 / std::hypot(1.0, dt); },
          [](double dt) { return std::atan(dt) / dt; }},
         {"implicit midpoint", of_tableau(gauss(1)), one,
          [](double dt) { return 2.0 / dt * std::atan(0.5 * dt); }},
         {"symplectic-euler-a", of_engine("symplectic-euler-a"), one, of_splitting},
         {"symplectic-euler-b", of_engine("symplectic-euler-b"), one, of_splitting},
         {"verlet", of_engine("verlet"), one, of_splitting}}};
    const MatrixOfStep classical = of_tableau(runge_kutta_4());
    Curves& curves =
        results.add_curves("oscillator_methods", {"step", "euler", "verlet", "runge_kutta"});
    const auto modulus = [](const Matrix& m) {
        const auto [a, b] = eigenvalues_of_two(m);
        return std::max(std::abs(a), std::abs(b));
    };
    for (const Spectrum& s : spectra) {
        double of_modulus = 0.0, of_frequency = 0.0;
        for (const double dt : grid(0.01, 0.9, 0.01)) {
            const auto value = eigenvalues_of_two(s.matrix(dt))[0];
            of_modulus = std::max(of_modulus, std::abs(std::abs(value) - s.modulus(dt)));
            of_frequency =
                std::max(of_frequency, std::abs(std::abs(std::arg(value)) / dt - s.frequency(dt)));
        }
        const std::string name = s.name;
        results.compare(name + ": modulus less what it is known to be", 0.0, of_modulus, 1e-12);
        results.compare(name + ": frequency less what it is known to be", 0.0, of_frequency, 1e-11);
    }
    for (const double dt : grid(0.02, 3.0, 0.02))
        curves.rows.push_back({dt, modulus(spectra[0].matrix(dt)), modulus(spectra[5].matrix(dt)),
                               modulus(classical(dt))});
    const auto first_unstable = [&](const MatrixOfStep& matrix) {
        return unstable_windows([&](double dt) { return modulus(matrix(dt)); }, 1.0, 3.0, 0.01)
            .front()
            .from;
    };
    results.compare("verlet: unstable from", 2.0, first_unstable(spectra[5].matrix), 1e-8);
    results.compare("symplectic-euler-b: unstable from", 2.0, first_unstable(spectra[4].matrix),
                    1e-8);
    results.compare("Runge-Kutta: unstable from", std::sqrt(8.0), first_unstable(classical), 1e-5);
    constexpr double dt = 0.3;
    results.compare("verlet conserves p^2 + (1 - dt^2 / 4) q^2", 0.0,
                    change_of_form("verlet", dt, 1.0 - 0.25 * dt * dt, 0.0), 1e-13);
    results.compare("symplectic-euler-a conserves p^2 + q^2 + dt q p", 0.0,
                    change_of_form("symplectic-euler-a", dt, 1.0, dt), 1e-13);
    results.compare("symplectic-euler-b conserves p^2 + q^2 - dt q p", 0.0,
                    change_of_form("symplectic-euler-b", dt, 1.0, -dt), 1e-13);
    return results;
}

} // namespace shadow::models
