// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/following.hpp"

#include "shadow/integrators/registry.hpp"
#include "shadow/integrators/shadow_terms.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace shadow::models {

State start_of(const Problem& problem) {
    State z = problem.q;
    z.insert(z.end(), problem.p.begin(), problem.p.end());
    return z;
}

double energy_of(const Problem& problem, const State& z) {
    const std::size_t n = problem.mass.size();
    double energy = problem.potential(z.data(), all_levels);
    for (std::size_t i = 0; i < n; ++i) energy += 0.5 * z[n + i] * z[n + i] / problem.mass[i];
    return energy;
}

Rate rate_of(const Problem& problem) {
    return [problem](const State& z, State& f) {
        const std::size_t n = problem.mass.size();
        problem.gradient(z.data(), all_levels, f.data() + n);
        for (std::size_t i = 0; i < n; ++i) {
            f[i] = z[n + i] / problem.mass[i];
            f[n + i] = -f[n + i];
        }
    };
}

Problem started_at(Problem problem, std::vector<double> q, std::vector<double> p) {
    problem.q = std::move(q);
    problem.p = std::move(p);
    return problem;
}

Quantity energy_of(const Problem& problem) {
    return [problem](const State& z) { return energy_of(problem, z); };
}

namespace {

/// v.V'' v at q, by differences of sixth order with displacements of 1e-2 v.
double curvature_along(const Problem& problem, const double* q, const std::vector<double>& v) {
    constexpr double h = 1e-2, weight[] = {45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0};
    const std::size_t n = v.size();
    std::vector<double> at(n), g(n);
    double sum = 0.0;
    for (int k = 1; k <= 3; ++k)
        for (const double sign : {1.0, -1.0}) {
            for (std::size_t i = 0; i < n; ++i) at[i] = q[i] + sign * k * h * v[i];
            problem.gradient(at.data(), all_levels, g.data());
            for (std::size_t i = 0; i < n; ++i) sum += sign * weight[k - 1] * g[i] * v[i] / h;
        }
    return sum;
}

} // namespace

Quantity shadow_energy_of(const Problem& problem, std::string_view method, double dt, int order) {
    MethodSettings settings;
    settings.dt = dt;
    const auto terms = shadow_terms(find_integrator(method)->make(settings)->word(), dt).value();
    return [problem, terms, order](const State& z) {
        const std::size_t n = problem.mass.size();
        std::vector<double> v(n), g(n);
        problem.gradient(z.data(), all_levels, g.data());
        double along = 0.0, square = 0.0;
        for (std::size_t i = 0; i < n; ++i) {
            v[i] = z[n + i] / problem.mass[i];
            along -= v[i] * g[i];
            square += g[i] * g[i] / problem.mass[i];
        }
        const double first = energy_of(problem, z) + terms.along[0] * along;
        if (order == 1) return first;
        return first + terms.curvature[0] * curvature_along(problem, z.data(), v) +
               terms.product[0][0] * square;
    };
}

Change change_of(const Quantity& quantity, const Map& step, int steps, State z) {
    const double start = quantity(z);
    Change change;
    for (int k = 0; k < steps; ++k) {
        step(z);
        change.last = quantity(z) - start;
        // In this order a NaN is kept.
        change.largest = std::max(std::abs(change.last), change.largest);
    }
    return change;
}

double last_of(int digits, double known) {
    return std::pow(10.0, std::floor(std::log10(std::abs(known))) + 1.0 - digits);
}

} // namespace shadow::models
