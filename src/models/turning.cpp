// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/turning.hpp"

#include <cmath>
#include <utility>

namespace shadow::models {
namespace {

/// Rotates by a vector in body axes, with the momentum fixed in space.
void turn_by(Turning& a, const Three& x) {
    a.rotation = times(a.rotation, rotation_of(x));
    a.momentum = times(rotation_of(scaled(-1.0, x)), a.momentum);
}

Three over(const Three& m, const Three& inertia) {
    return {m[0] / inertia[0], m[1] / inertia[1], m[2] / inertia[2]};
}

Three times_inertia(const Three& w, const Three& inertia) {
    return {w[0] * inertia[0], w[1] * inertia[1], w[2] * inertia[2]};
}

} // namespace

void turn_about_axes(Turning& a, const Three& inertia, const std::array<std::size_t, 3>& axes,
                     double t) {
    for (const auto& [k, part] :
         {std::pair<std::size_t, double>{0, 0.5}, {1, 0.5}, {2, 1.0}, {1, 0.5}, {0, 0.5}}) {
        Three x{};
        x[axes[k]] = part * t * a.momentum[axes[k]] / inertia[axes[k]];
        turn_by(a, x);
    }
}

void turn_symmetric(Turning& a, const Three& inertia, double t) {
    // As a spherical body, about the momentum, which is constant in the body then; and about the
    // axis of symmetry.
    a.rotation = times(a.rotation, rotation_of(scaled(t / inertia[0], a.momentum)));
    turn_by(a, {0.0, 0.0, t * (1.0 / inertia[2] - 1.0 / inertia[0]) * a.momentum[2]});
}

void turn_by_rattle(Turning& a, const Three& inertia, double t) {
    const Three half = scaled(0.5 * t, a.momentum);
    const Three s = fixed_point(over(half, inertia), [&](const Three& x) {
        const Three lack = plus(half, -1.0, cross(x, times_inertia(x, inertia)));
        return scaled(1.0 / std::sqrt(1.0 - dot(x, x)), over(lack, inertia));
    });
    const double sine = std::sqrt(dot(s, s));
    turn_by(a, sine > 0.0 ? scaled(2.0 * std::asin(sine) / sine, s) : s);
}

double rattle_factor(const Three& inertia, const Three& momentum, double t, int order) {
    if (order < 4) return 1.0;
    const double half = 0.5 * (inertia[0] + inertia[1] + inertia[2]);
    const Three r = {half - inertia[0], half - inertia[1], half - inertia[2]};
    const auto trace = [&](int n) {
        return std::pow(r[0], n) + std::pow(r[1], n) + std::pow(r[2], n);
    };
    const auto mixed = [&](int i, int j) {
        return std::pow(r[0], i) * std::pow(r[1], j) + std::pow(r[2], i) * std::pow(r[0], j) +
               std::pow(r[1], i) * std::pow(r[2], j);
    };
    const double det = r[0] * r[1] * r[2], of_inertia = inertia[0] * inertia[1] * inertia[2],
                 square = dot(momentum, momentum), c1 = mixed(1, 1), c2 = mixed(2, 2),
                 t1 = trace(1), t2 = trace(2);
    double h = 0.0;
    for (std::size_t i = 0; i < 3; ++i) h += r[i] * r[i] * momentum[i] * momentum[i];
    const double third =
        ((3.0 * det * t1 + c2) * square + (3.0 * c1 + t2) * h) / (6.0 * of_inertia * of_inertia);
    if (order == 4) return 1.0 + t * t * third;
    const double fifth = ((3.0 * trace(4) + 27.0 * c2 + 15.0 * t2 * c1 + 45.0 * det * t1) * h * h +
                          (10.0 * mixed(3, 3) + 50.0 * det * t1 * c1 + 10.0 * det * t1 * t2 +
                           2.0 * c2 * t2 - 28.0 * det * det) *
                              square * h +
                          (60.0 * det * det * c1 + 3.0 * mixed(4, 4) + 27.0 * det * det * t2 +
                           15.0 * det * (mixed(2, 3) + mixed(3, 2))) *
                              square * square) /
                         (40.0 * std::pow(of_inertia, 4));
    return 1.0 + t * t * (third + t * t * (fifth - 2.0 * third * third));
}

double kinetic_energy_of(const Turning& a, const Three& inertia) {
    return 0.5 * dot(a.momentum, over(a.momentum, inertia));
}

Three axis_in_space(const Turning& a) {
    return {a.rotation[2], a.rotation[5], a.rotation[8]};
}

Three torque_at_axis(const Turning& a, const Three& force) {
    Three in_body{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 3; ++k) in_body[i] += a.rotation[3 * k + i] * force[k];
    return {-in_body[1], in_body[0], 0.0};
}

} // namespace shadow::models
