// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/experiment.hpp"
#include "src/models/following.hpp"
#include "src/models/sphere.hpp"
#include "src/models/windows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace shadow::models {
namespace {

constexpr double earth_gravity = 9.81;

/// A weight 2 on a rod of length 2.
SphereProblem spherical_pendulum_problem() {
    constexpr double weight = 2.0 * earth_gravity * 2.0, edge = 0.57735026918962576451;
    Matrix inertia(1);
    inertia(0, 0) = 8.0;
    return {inertia,
            {edge, edge, -edge, 1.0, 1.0, 2.0},
            [](const State& z) { return weight * z[2]; },
            [](const State&, State& g) {
                g = {0.0, 0.0, weight};
            }};
}

/// Weights 2 and 1 on rods of length 1, one below the other; z points downwards.
SphereProblem double_pendulum_problem() {
    Matrix inertia(2);
    inertia(0, 0) = 3.0;
    inertia(0, 1) = inertia(1, 0) = inertia(1, 1) = 1.0;
    State start = {0.866019052628739, 0.0, 0.500011000363013, 0.0, 0.0, -1.0};
    const Three v = {0.0, 0.865980947790423, 0.0}, w = {-1.0, 0.0, 0.0};
    start.resize(12);
    put_vector(start, 2, cross(vector_at(start, 0), v));
    put_vector(start, 3, cross(vector_at(start, 1), w));
    return {inertia, start, [](const State& z) { return -earth_gravity * (3.0 * z[2] + z[5]); },
            [](const State&, State& g) {
                g = {0.0, 0.0, -3.0 * earth_gravity, 0.0, 0.0, -earth_gravity};
            }};
}

/// 16 needles on a square lattice, all along x; the first and the last start with a rotation.
SphereProblem dipoles_problem() {
    constexpr std::size_t side = 4, n = side * side;
    constexpr double length = 0.02, apart = 1.2 * length, strength = 1e-7 * 0.1 * 0.1;
    struct Pair {
        std::size_t i, j;
        Three along; ///< unit vector
        double factor;
    };
    std::vector<Pair> pairs;
    const auto place = [](std::size_t i) {
        return Three{apart * double(i / side), apart * double(i % side), 0.0};
    };
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const Three r = plus(place(i), -1.0, place(j));
            const double d = std::sqrt(dot(r, r));
            pairs.push_back({i, j, scaled(1.0 / d, r), strength / (d * d * d)});
        }
    Matrix inertia(n);
    for (std::size_t i = 0; i < n; ++i) inertia(i, i) = 0.05 * length * length / 12.0;
    State start(6 * n);
    for (std::size_t i = 0; i < n; ++i) start[3 * i] = 1.0;
    put_vector(start, n, {0.0, 0.5, 0.0});
    put_vector(start, n - 1, {0.353508623948073, 0.353608626387662, -0.866021126843087});
    return {inertia, start,
            [pairs](const State& z) {
                double sum = 0.0;
                for (const Pair& p : pairs) {
                    const Three a = vector_at(z, p.i), b = vector_at(z, p.j);
                    sum += p.factor * (dot(a, b) - 3.0 * dot(a, p.along) * dot(b, p.along));
                }
                return sum;
            },
            [pairs](const State& z, State& g) {
                g.assign(3 * n, 0.0);
                for (const Pair& p : pairs)
                    for (const auto& [i, j] : {std::pair{p.i, p.j}, {p.j, p.i}}) {
                        const Three b = vector_at(z, j);
                        put_vector(g, i,
                                   plus(plus(vector_at(g, i), p.factor, b),
                                        -3.0 * p.factor * dot(b, p.along), p.along));
                    }
            }};
}

enum class OnSphere { newmark, rattle, runge_kutta, gauss };

Map sphere_step(const SphereProblem& problem, OnSphere method, double h) {
    switch (method) {
    case OnSphere::newmark:
        return sphere_newmark(problem, h);
    case OnSphere::rattle:
        return sphere_rattle(problem, h);
    case OnSphere::runge_kutta:
        return sphere_munthe_kaas(problem, runge_kutta_4(), h);
    default:
        return sphere_munthe_kaas(problem, gauss(2), h);
    }
}

constexpr std::array<const char*, 4> sphere_names = {
    "Lie-Newmark: ", "RATTLE: ", "RKMK4: ", "RKMKGL4: "};

struct SphereRun {
    double energy = 0.0, last = 0.0;   ///< largest and last change of the energy
    double momentum = 0.0, turn = 0.0; ///< largest change of J_z, and largest q.w
    std::vector<double> samples;       ///< changes of the energy, 400 of them
};

SphereRun sphere_run(const SphereProblem& problem, OnSphere method, double time) {
    constexpr double h = 0.01;
    const Map step = sphere_step(problem, method, h);
    State z = problem.start;
    const double energy = problem.energy(z), momentum = problem.angular_momentum(z)[2];
    const int steps = static_cast<int>(std::lround(time / h));
    SphereRun run;
    for (int k = 1; k <= steps; ++k) {
        step(z);
        run.last = problem.energy(z) - energy;
        run.energy = std::max(std::abs(run.last), run.energy);
        run.momentum = std::max(std::abs(problem.angular_momentum(z)[2] - momentum), run.momentum);
        run.turn = std::max(turn_about_itself(z), run.turn);
        if (k % (steps / 400) == 0) run.samples.push_back(run.last);
    }
    return run;
}

std::array<SphereRun, 4> sphere_runs(const SphereProblem& problem, double time) {
    std::array<SphereRun, 4> found;
    in_parallel(4, [&](std::size_t k) {
        found[k] = sphere_run(problem, static_cast<OnSphere>(3 - k), time);
    });
    std::reverse(found.begin(), found.end());
    return found;
}

Curves sphere_curves(std::string name, const std::array<SphereRun, 4>& runs, double time) {
    Curves curves{std::move(name), {"time", "newmark", "rattle", "runge_kutta", "gauss"}, {}};
    for (std::size_t k = 0; k < runs[0].samples.size(); ++k)
        curves.rows.push_back({time * double(k + 1) / 400.0, runs[0].samples[k], runs[1].samples[k],
                               runs[2].samples[k], runs[3].samples[k]});
    return curves;
}

/// The vectors at t = 1.
State at_one(const SphereProblem& problem, OnSphere method, int steps) {
    const Map step = sphere_step(problem, method, 1.0 / steps);
    State z = problem.start;
    for (int k = 0; k < steps; ++k) step(z);
    z.resize(3 * problem.size());
    return z;
}

/// The state at t = 1, by small steps of order four; compares some of its numbers, body by body.
State reference_at_one(Results& results, const SphereProblem& problem,
                       const std::vector<std::pair<std::size_t, Three>>& known) {
    State reference = at_one(problem, OnSphere::gauss, 1024);
    for (const auto& [body, q] : known)
        for (std::size_t c = 0; c < 3; ++c)
            results.compare(fmt::format("at t = 1: body {}, {}", body + 1, "xyz"[c]), q[c],
                            reference[3 * body + c], 2e-9);
    return reference;
}

double sphere_error(const SphereProblem& problem, OnSphere method, const State& reference) {
    const State z = at_one(problem, method, 128);
    double square = 0.0;
    for (std::size_t c = 0; c < z.size(); ++c) square += std::pow(z[c] - reference[c], 2);
    return std::sqrt(square);
}

/// For a chaotic motion, where the largest change depends on rounding: a factor of two.
void compare_sizes(Results& results, const std::string& quantity, double known, double found) {
    results.compare("log10 of " + quantity, std::log10(known), std::log10(found), std::log10(2.0));
}

} // namespace

/// Section 7.1 of the thesis: splittings with exact flows, and RATTLE, do not drift.
Results spherical_pendulum() {
    Results results;
    const SphereProblem problem = spherical_pendulum_problem();
    const State& start = problem.start;
    results.compare("energy of the start", 1.3447754, problem.energy(start), 1e-7);
    results.compare("angular momentum of the start", 16.0, problem.angular_momentum(start)[2],
                    1e-13);
    const State reference = reference_at_one(
        results, problem, {{0, {-0.694944780147, -0.451474647232, -0.559662751533}}});
    struct Known {
        double energy, momentum, turn, error;
        int digits[3]; ///< of energy, momentum and turn
    };
    constexpr std::array<Known, 4> known = {{{1.06e-4, 0.0, 0.0, 2.7e-5, {3, 0, 0}},
                                             {1.94e-4, 0.0, 0.0, 1.0e-4, {3, 0, 0}},
                                             {1.29e-6, 4e-7, 9.7e-8, 1.1e-9, {3, 1, 2}},
                                             {1.75e-8, 6e-9, 1.4e-9, 9.9e-11, {3, 1, 2}}}};
    const auto runs = sphere_runs(problem, 200.0);
    for (std::size_t k = 0; k < 4; ++k) {
        const std::string name = sphere_names[k];
        const auto compare = [&](const char* what, double expected, double found, int digits) {
            // Otherwise the rounding of 20,000 steps, with numbers up to 16.
            results.compare(name + what, expected, found,
                            expected == 0.0 ? 3e-11 : last_of(digits, expected));
        };
        compare("energy, t = 200", known[k].energy, runs[k].energy, known[k].digits[0]);
        // Munthe-Kaas methods drift: the largest change is the last.
        if (k >= 2) compare("energy at the end", -known[k].energy, runs[k].last, 3);
        compare("angular momentum", known[k].momentum, runs[k].momentum, known[k].digits[1]);
        compare("q.w", known[k].turn, runs[k].turn, known[k].digits[2]);
        compare("error at t = 1, steps 1/128", known[k].error,
                sphere_error(problem, static_cast<OnSphere>(k), reference), 2);
    }
    results.curves.push_back(sphere_curves("spherical_pendulum", runs, 200.0));
    return results;
}

/// Section 7.2: Lie-Newmark is no longer a splitting where the kinetic energy couples the spheres.
Results double_spherical_pendulum() {
    Results results;
    const SphereProblem problem = double_pendulum_problem();
    results.compare("energy of the start", -3.2804392, problem.energy(problem.start), 1e-7);
    results.compare("angular momentum of the start", 2.249868,
                    problem.angular_momentum(problem.start)[2], 1e-6);
    (void)reference_at_one(results, problem,
                           {{0, {-0.547215951953, 0.125977725375, 0.827456533383}},
                            {1, {-0.599807209978, -0.159687899655, 0.784047884738}}});
    const auto runs = sphere_runs(problem, 200.0);
    const auto name = [](OnSphere method, const char* what) {
        return std::string(sphere_names[static_cast<std::size_t>(method)]) + what;
    };
    const SphereRun &newmark = runs[0], &rattle = runs[1], &fourth = runs[2], &gauss_run = runs[3];
    results.compare(name(OnSphere::newmark, "energy, t = 200"), 7.7e-2, newmark.energy, 1e-3);
    results.compare(name(OnSphere::rattle, "energy"), 6.6e-2, rattle.energy, 1e-3);
    results.compare(name(OnSphere::rattle, "angular momentum"), 0.0, rattle.momentum, 1e-11);
    results.compare(name(OnSphere::newmark, "q.w"), 0.0, newmark.turn, 1e-12);
    compare_sizes(results, name(OnSphere::newmark, "angular momentum"), 4.9e-3, newmark.momentum);
    compare_sizes(results, name(OnSphere::runge_kutta, "energy"), 1.7e-3, fourth.energy);
    compare_sizes(results, name(OnSphere::runge_kutta, "angular momentum"), 3.4e-4,
                  fourth.momentum);
    compare_sizes(results, name(OnSphere::runge_kutta, "q.w"), 3.2e-5, fourth.turn);
    compare_sizes(results, name(OnSphere::gauss, "energy"), 1.6e-5, gauss_run.energy);
    compare_sizes(results, name(OnSphere::gauss, "angular momentum"), 4.8e-6, gauss_run.momentum);
    compare_sizes(results, name(OnSphere::gauss, "q.w"), 1.1e-6, gauss_run.turn);
    results.curves.push_back(sphere_curves("double_spherical_pendulum", runs, 200.0));
    return results;
}

/// Section 7.3: a lattice of magnetic needles.
Results dipole_array() {
    Results results;
    const SphereProblem problem = dipoles_problem();
    results.compare("energy of the start", -1.2459664e-3, problem.energy(problem.start), 1e-10);
    const State reference =
        reference_at_one(results, problem,
                         {{0, {0.132779345616, -0.990803555174, -0.026037673316}},
                          {15, {-0.680188407519, 0.732602324366, 0.025250041803}}});
    struct Known {
        double energy, turn, error;
        int digits;
    };
    constexpr std::array<Known, 4> known = {{{2.7e-6, 0.0, 4.8e-3, 2},
                                             {3.7e-6, 0.0, 1.1e-2, 2},
                                             {2.7e-6, 7e-4, 2.1e-5, 2},
                                             {1.9e-9, 6e-5, 3.7e-6, 2}}};
    const auto runs = sphere_runs(problem, 200.0);
    for (std::size_t k = 0; k < 4; ++k) {
        const std::string name = sphere_names[k];
        compare_sizes(results, name + "energy, t = 200", known[k].energy, runs[k].energy);
        if (known[k].turn > 0.0)
            compare_sizes(results, name + "q.w", known[k].turn, runs[k].turn);
        else
            results.compare(name + "q.w", 0.0, runs[k].turn, 1e-12);
        results.compare(name + "error at t = 1, steps 1/128", known[k].error,
                        sphere_error(problem, static_cast<OnSphere>(k), reference),
                        last_of(known[k].digits, known[k].error));
    }
    results.compare("RKMK4: energy at the end", -2.7e-6, runs[2].last, 1e-7);
    results.curves.push_back(sphere_curves("dipole_array", runs, 200.0));
    return results;
}

} // namespace shadow::models
