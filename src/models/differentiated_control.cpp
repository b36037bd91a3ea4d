// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/differentiated_control.hpp"

#include "src/models/following.hpp"

#include <cmath>
#include <utility>

namespace shadow::models {

DifferentiatedControl::DifferentiatedControl(
    Problem problem, std::function<void(const double* q, double* g)> of_force, double dtau)
    : problem_(std::move(problem)), of_force_(std::move(of_force)),
      dtau_(dtau), now_{start_of(problem_), 0.0}, slope_(problem_.q.size()),
      of_square_(problem_.q.size()) {
    look();
    rho_ = std::sqrt(square(0.0).value);
}

void DifferentiatedControl::look() {
    problem_.gradient(now_.z.data(), all_levels, slope_.data());
    of_force_(now_.z.data(), of_square_.data());
    for (std::size_t i = 0; i < slope_.size(); ++i) of_square_[i] -= slope_[i];
}

DifferentiatedControl::Square DifferentiatedControl::square(double t) const {
    const std::size_t n = slope_.size();
    Square sum{0.0, 0.0};
    for (std::size_t i = 0; i < n; ++i) {
        const double p = now_.z[n + i] - t * slope_[i];
        sum.value += p * p + slope_[i] * slope_[i];
        sum.rate += p * of_square_[i];
    }
    return sum;
}

double DifferentiatedControl::misfit() const {
    return rho_ / std::sqrt(square(0.0).value) - 1.0;
}

void DifferentiatedControl::flip() {
    for (std::size_t i = slope_.size(); i < now_.z.size(); ++i) now_.z[i] = -now_.z[i];
}

void DifferentiatedControl::step() {
    const std::size_t n = slope_.size();
    // (1 - rho x) |.|^2(x) = dtau / 2 x rate(x) for x = 1 / rho in the middle: a cubic equation,
    // solved by Newton's method with the derivative from differences, which are exact for a cubic.
    const double half = 0.5 * dtau_;
    const auto lack = [&](double x) {
        const Square s = square(half * x);
        return (1.0 - rho_ * x) * s.value - half * x * s.rate;
    };
    double x = 1.0 / rho_;
    for (int round = 0; round < 50; ++round) {
        const double h = 1e-3 * x;
        const double slope =
            (8.0 * (lack(x + h) - lack(x - h)) - (lack(x + 2.0 * h) - lack(x - 2.0 * h))) /
            (12.0 * h);
        const double change = lack(x) / slope;
        x -= change;
        if (std::abs(change) <= 1e-15 * x) break;
    }
    for (std::size_t i = 0; i < n; ++i) {
        now_.z[n + i] -= half * x * slope_[i];
        now_.z[i] += dtau_ * x * now_.z[n + i];
    }
    look();
    const Square there = square(0.0);
    rho_ = 1.0 / x + half * there.rate / there.value;
    for (std::size_t i = 0; i < n; ++i) now_.z[n + i] -= half * x * slope_[i];
    now_.time += dtau_ * x;
}

} // namespace shadow::models
