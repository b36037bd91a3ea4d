// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/runge_kutta.hpp"

#include "src/models/linear_map.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <utility>

namespace shadow::models {
namespace {

constexpr int max_rounds = 500;

/// The distance of two states: the largest difference of positions plus that of momenta.
double distance_of(const State& a, const State& b) {
    const std::size_t half = a.size() / 2;
    double of_places = 0.0, of_momenta = 0.0;
    for (std::size_t c = 0; c < a.size(); ++c) {
        double& largest = c < half ? of_places : of_momenta;
        largest = std::max(largest, std::abs(a[c] - b[c]));
    }
    return of_places + of_momenta;
}

/// The derivative of a rate, by differences.
Matrix jacobian(const Rate& rate, const State& z) {
    const std::size_t n = z.size();
    Matrix m(n);
    State up(n), down(n);
    for (std::size_t j = 0; j < n; ++j) {
        State moved = z;
        const double h = 1e-6 * (1.0 + std::abs(z[j]));
        moved[j] = z[j] + h;
        rate(moved, up);
        moved[j] = z[j] - h;
        rate(moved, down);
        for (std::size_t i = 0; i < n; ++i) m(i, j) = (up[i] - down[i]) / (2.0 * h);
    }
    return m;
}

} // namespace

RungeKutta::RungeKutta(Rate rate, Tableau tableau, double tolerance, Solver solver)
    : rate_(std::move(rate)), tableau_(std::move(tableau)), tolerance_(tolerance), solver_(solver) {
}

double RungeKutta::coefficient(std::size_t i, std::size_t j, std::size_t component) const {
    const bool momentum = !tableau_.of_momenta.empty() && component >= stage_[i].size() / 2;
    return (momentum ? tableau_.of_momenta : tableau_.a)[i][j];
}

void RungeKutta::place(const State& z, double h, std::size_t i, State& y) const {
    y = z;
    for (std::size_t j = 0; j < slope_.size(); ++j)
        for (std::size_t c = 0; c < z.size(); ++c) y[c] += h * coefficient(i, j, c) * slope_[j][c];
}

void RungeKutta::step(State& z, double h) {
    const std::size_t stages = tableau_.b.size();
    stage_.assign(stages, z);
    slope_.assign(stages, State(z.size()));
    if (tableau_.is_explicit()) {
        for (std::size_t i = 0; i < stages; ++i) {
            place(z, h, i, stage_[i]);
            rate_(stage_[i], slope_[i]);
        }
        ++rounds_;
    } else {
        iterate(z, h);
    }
    for (std::size_t i = 0; i < stages; ++i)
        for (std::size_t c = 0; c < z.size(); ++c) z[c] += h * tableau_.b[i] * slope_[i][c];
}

void RungeKutta::iterate(const State& z, double h) {
    std::vector<State> next = stage_;
    for (int round = 0; round < max_rounds; ++round) {
        for (std::size_t i = 0; i < stage_.size(); ++i) rate_(stage_[i], slope_[i]);
        for (std::size_t i = 0; i < stage_.size(); ++i) place(z, h, i, next[i]);
        if (solver_ == Solver::newton) correct(h, next);
        double change = 0.0;
        for (std::size_t i = 0; i < stage_.size(); ++i)
            change = std::max(change, distance_of(next[i], stage_[i]));
        std::swap(stage_, next);
        ++rounds_;
        if (change <= tolerance_) return;
    }
    throw std::runtime_error("a step of an implicit method is too long for its iteration");
}

/// Solves (1 - h a J) change = the residual of the stages, all stages together.
void RungeKutta::correct(double h, std::vector<State>& next) const {
    const std::size_t stages = stage_.size(), n = stage_[0].size();
    Matrix m(stages * n);
    std::vector<double> lack(stages * n);
    for (std::size_t j = 0; j < stages; ++j) {
        const Matrix slope = jacobian(rate_, stage_[j]);
        for (std::size_t i = 0; i < stages; ++i)
            for (std::size_t c = 0; c < n; ++c)
                for (std::size_t d = 0; d < n; ++d)
                    m(i * n + c, j * n + d) =
                        (i == j && c == d ? 1.0 : 0.0) - h * coefficient(i, j, c) * slope(c, d);
        for (std::size_t c = 0; c < n; ++c) lack[j * n + c] = next[j][c] - stage_[j][c];
    }
    const std::vector<double> way = solution(m, lack);
    for (std::size_t i = 0; i < stages; ++i)
        for (std::size_t c = 0; c < n; ++c) next[i][c] = stage_[i][c] + way[i * n + c];
}

Map step_of(const Rate& rate, const Tableau& tableau, double h) {
    const auto method = std::make_shared<RungeKutta>(rate, tableau);
    return [method, h](State& z) { method->step(z, h); };
}

void runge_kutta_step(const Rate& rate, double h, State& z) {
    static const Tableau tableau = runge_kutta_4();
    RungeKutta(rate, tableau).step(z, h);
}

} // namespace shadow::models
