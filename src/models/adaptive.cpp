// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/adaptive.hpp"

#include "src/models/following.hpp"

#include <cmath>
#include <stdexcept>

namespace shadow::models {
namespace {

/// f with f = g(q + t f v), by Newton's method starting from g(q).
double factor_at_end(const TimeScale& scale, const std::vector<double>& q,
                     const std::vector<double>& v, double t) {
    std::vector<double> there(q.size()), slope(q.size());
    double factor = scale.value(q.data());
    for (int round = 0; round < 50; ++round) {
        for (std::size_t i = 0; i < q.size(); ++i) there[i] = q[i] + t * factor * v[i];
        scale.gradient(there.data(), slope.data());
        double along = 0.0;
        for (std::size_t i = 0; i < q.size(); ++i) along += t * slope[i] * v[i];
        const double change = (scale.value(there.data()) - factor) / (1.0 - along);
        factor += change;
        if (std::abs(change) <= 1e-15 * std::abs(factor)) break;
    }
    return factor;
}

double product(const std::vector<double>& mass, const std::vector<double>& a,
               const std::vector<double>& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < mass.size(); ++i) sum += a[i] * b[i] / mass[i];
    return sum;
}

} // namespace

TimeScale power_of_radius(double power) {
    return {[power](const double* q) { return std::pow(std::hypot(q[0], q[1]), power); },
            [power](const double* q, double* g) {
                const double r2 = q[0] * q[0] + q[1] * q[1];
                const double factor = power * std::pow(r2, 0.5 * power - 1.0);
                g[0] = factor * q[0];
                g[1] = factor * q[1];
            }};
}

AdaptiveMotion::AdaptiveMotion(const Problem& problem, TimeScale scale, ScaleRule rule, double dtau,
                               Word half)
    : system_(problem), scale_(std::move(scale)), rule_(rule), half_(std::move(half)),
      back_(half_.rbegin(), half_.rend()), dtau_(dtau), factor_(scale_.value(problem.q.data())) {}

double AdaptiveMotion::wobble() const {
    return factor_ / scale_.value(system_.q().data()) - 1.0;
}

double AdaptiveMotion::next_factor() const {
    const double here = scale_.value(system_.q().data());
    if (rule_ != ScaleRule::ends)
        return shadow::next_factor(
            rule_ == ScaleRule::mean ? FactorRule::mean : FactorRule::harmonic, here, factor_);
    std::vector<double> v = system_.p();
    for (std::size_t i = 0; i < v.size(); ++i) v[i] /= system_.problem().mass[i];
    return factor_at_end(scale_, system_.q(), v, 0.5 * dtau_);
}

void AdaptiveMotion::step() {
    if (broken()) return;
    apply_word(system_, half_, 0.5 * dtau_ * factor_);
    const double next = next_factor();
    apply_word(system_, back_, 0.5 * dtau_ * next);
    time_ += 0.5 * dtau_ * (factor_ + next);
    factor_ = next;
}

Poincare::Poincare(Problem problem, TimeScale scale)
    : problem_(std::move(problem)), scale_(std::move(scale)),
      energy_(energy_of(problem_, start_of(problem_))) {}

double Poincare::kinetic(const State& z) const {
    return energy_of(problem_, z) - problem_.potential(z.data(), all_levels);
}

double Poincare::value(const State& z) const {
    return scale_.value(z.data()) * (energy_of(problem_, z) - energy_);
}

void Poincare::euler(TimedState& s, double dtau) const {
    const std::size_t n = problem_.mass.size();
    std::vector<double> force(n), b(n), a(n);
    State& z = s.z;
    problem_.gradient(z.data(), all_levels, force.data());
    scale_.gradient(z.data(), b.data());
    const double g = scale_.value(z.data());
    const double excess = problem_.potential(z.data(), all_levels) - energy_;
    for (std::size_t i = 0; i < n; ++i) a[i] = z[n + i] - dtau * (g * force[i] + excess * b[i]);
    // The kinetic energy T of a - dtau T b.
    const double aa = product(problem_.mass, a, a), bb = product(problem_.mass, b, b);
    const double c = 1.0 + dtau * product(problem_.mass, a, b);
    const double square = c * c - dtau * dtau * aa * bb;
    if (!(square >= 0.0)) throw std::runtime_error("a fictive step is too long for its equation");
    const double t = aa / (c + std::sqrt(square));
    for (std::size_t i = 0; i < n; ++i) {
        z[n + i] = a[i] - dtau * t * b[i];
        z[i] += dtau * g * z[n + i] / problem_.mass[i];
    }
    s.time += dtau * g;
}

void Poincare::adjoint(TimedState& s, double dtau) const {
    const std::size_t n = problem_.mass.size();
    std::vector<double> q(s.z.begin(), s.z.begin() + static_cast<std::ptrdiff_t>(n)), v(n),
        force(n), b(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = s.z[n + i] / problem_.mass[i];
    const double t = kinetic(s.z), g = factor_at_end(scale_, q, v, dtau);
    for (std::size_t i = 0; i < n; ++i) s.z[i] += dtau * g * v[i];
    problem_.gradient(s.z.data(), all_levels, force.data());
    scale_.gradient(s.z.data(), b.data());
    const double excess = t + problem_.potential(s.z.data(), all_levels) - energy_;
    for (std::size_t i = 0; i < n; ++i) s.z[n + i] -= dtau * (g * force[i] + excess * b[i]);
    s.time += dtau * g;
}

void Poincare::symmetric(TimedState& s, double dtau) const {
    euler(s, 0.5 * dtau);
    adjoint(s, 0.5 * dtau);
}

void Poincare::midpoint(TimedState& s, double dtau) const {
    const std::size_t n = problem_.mass.size();
    std::vector<double> b(n);
    const Rate rate = [&, motion = rate_of(problem_)](const State& z, State& f) {
        motion(z, f);
        scale_.gradient(z.data(), b.data());
        const double g = scale_.value(z.data()), excess = energy_of(problem_, z) - energy_;
        for (double& x : f) x *= g;
        for (std::size_t i = 0; i < n; ++i) f[n + i] -= excess * b[i];
    };
    State middle = s.z;
    RungeKutta(rate, gauss(1), 1e-13, RungeKutta::Solver::newton).step(s.z, dtau);
    for (std::size_t i = 0; i < n; ++i) middle[i] = 0.5 * (middle[i] + s.z[i]);
    s.time += dtau * scale_.value(middle.data());
}

void StepDensity::step(TimedState& s) {
    density_ = half_density_step(density_, eps_, rate_(s.z));
    step_(s.z, eps_ / density_);
    s.time += eps_ / density_;
    density_ = half_density_step(density_, eps_, rate_(s.z));
}

} // namespace shadow::models
