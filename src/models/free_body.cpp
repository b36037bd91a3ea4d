// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/free_body.hpp"

#include <cmath>

namespace shadow::models {

FreeBody::FreeBody(const std::array<double, 3>& inertia) : inertia_(inertia), factor_() {
    for (std::size_t i = 0; i < 3; ++i) {
        const double a = inertia[(i + 1) % 3], b = inertia[(i + 2) % 3];
        factor_[i] = (a - b) / (a * b);
    }
}

void FreeBody::rotate_about(State& x, int axis, double h) const {
    const auto i = static_cast<std::size_t>(axis), j = (i + 1) % 3, k = (i + 2) % 3;
    const double angle = h * x[i] / inertia_[i], c = std::cos(angle), s = std::sin(angle);
    const double xj = x[j], xk = x[k];
    x[j] = c * xj + s * xk;
    x[k] = c * xk - s * xj;
}

void FreeBody::turn_on_ellipse(State& x, int axis, double h) const {
    const auto i = static_cast<std::size_t>(axis), j = (i + 1) % 3, k = (i + 2) % 3;
    const double angle = h * x[i] / std::sqrt(inertia_[j] * inertia_[k]), c = std::cos(angle),
                 s = std::sin(angle), ratio = std::sqrt(inertia_[j] / inertia_[k]);
    const double xj = x[j], xk = x[k];
    x[j] = c * xj - s * ratio * xk;
    x[k] = c * xk + s / ratio * xj;
}

void FreeBody::shear(State& x, int component, double h) const {
    const auto i = static_cast<std::size_t>(component);
    x[i] += h * factor_[i] * x[(i + 1) % 3] * x[(i + 2) % 3];
}

void FreeBody::rotations(State& x, double h, const std::array<int, 3>& axes) const {
    rotate_about(x, axes[0], 0.5 * h);
    rotate_about(x, axes[1], 0.5 * h);
    rotate_about(x, axes[2], h);
    rotate_about(x, axes[1], 0.5 * h);
    rotate_about(x, axes[0], 0.5 * h);
}

void FreeBody::ellipses(State& x, double h) const {
    turn_on_ellipse(x, 0, 0.5 * h);
    turn_on_ellipse(x, 1, 0.5 * h);
    turn_on_ellipse(x, 2, h);
    turn_on_ellipse(x, 1, 0.5 * h);
    turn_on_ellipse(x, 0, 0.5 * h);
}

void FreeBody::shears(State& x, double h) const {
    shear(x, 2, 0.5 * h);
    shear(x, 0, 0.5 * h);
    shear(x, 1, h);
    shear(x, 0, 0.5 * h);
    shear(x, 2, 0.5 * h);
}

double FreeBody::kinetic(const State& x) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < 3; ++i) sum += 0.5 * x[i] * x[i] / inertia_[i];
    return sum;
}

double FreeBody::momentum(const State& x) {
    return 0.5 * (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

State FreeBody::rate(const State& x) const {
    State v(3);
    for (std::size_t i = 0; i < 3; ++i) v[i] = factor_[i] * x[(i + 1) % 3] * x[(i + 2) % 3];
    return v;
}

std::array<double, 2> FreeBody::speed(const State& x) const {
    const State v = rate(x);
    double square = 0.0, change = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
        square += v[i] * v[i];
        change += v[i] * factor_[i] * (v[j] * x[k] + x[j] * v[k]);
    }
    return {std::sqrt(square), change / std::sqrt(square)};
}

} // namespace shadow::models
