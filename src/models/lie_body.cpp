// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/lie_body.hpp"

#include "src/models/turning.hpp"

#include <cmath>

namespace shadow::models {
namespace {

constexpr Three body_inertia = {2.0, 2.0, 4.0};
constexpr double pull = 0.3;

Three momentum_of(const Three& w) {
    return {body_inertia[0] * w[0], body_inertia[1] * w[1], body_inertia[2] * w[2]};
}

Three velocity_of(const Three& m) {
    return {m[0] / body_inertia[0], m[1] / body_inertia[1], m[2] / body_inertia[2]};
}

/// The angular acceleration J^-1 (J w x w + torque).
Three acceleration(const Three& w, const Three& torque) {
    return velocity_of(plus(torque, 1.0, cross(momentum_of(w), w)));
}

using TurnOf = Nine (*)(const Three& x);

template <TurnOf turn_of>
void explicit_newmark(Attitude& a, double h) {
    const Three half =
        plus(a.velocity, 0.5 * h, acceleration(a.velocity, BodyInWell::torque(a.rotation)));
    a.rotation = times(a.rotation, turn_of(scaled(h, half)));
    const Three torque = BodyInWell::torque(a.rotation);
    a.velocity = fixed_point(
        half, [&](const Three& w) { return plus(half, 0.5 * h, acceleration(w, torque)); });
}

template <TurnOf turn_of>
void trapezoidal_newmark(Attitude& a, double h) {
    const Three m = momentum_of(a.velocity);
    const Three given =
        plus(plus(m, -0.5 * h, cross(a.velocity, m)), 0.5 * h, BodyInWell::torque(a.rotation));
    const auto there = [&](const Three& w) {
        return times(a.rotation, turn_of(scaled(0.5 * h, plus(a.velocity, 1.0, w))));
    };
    const Three w = fixed_point(a.velocity, [&](const Three& next) {
        const Three torque = BodyInWell::torque(there(next));
        return velocity_of(
            plus(plus(given, 0.5 * h, torque), -0.5 * h, cross(next, momentum_of(next))));
    });
    a.rotation = there(w);
    a.velocity = w;
}

/// The rotation vector x with x = t J^-1 exp(-x / 2) m.
Three midpoint_turn(const Three& m, double t) {
    return fixed_point(scaled(t, velocity_of(m)), [&](const Three& x) {
        return scaled(t, velocity_of(times(rotation_of(scaled(-0.5, x)), m)));
    });
}

void explicit_midpoint_lie(Attitude& a, double h) {
    Three m = plus(momentum_of(a.velocity), 0.5 * h, BodyInWell::torque(a.rotation));
    for (int half = 0; half < 2; ++half) {
        const Three turn = midpoint_turn(m, 0.5 * h);
        a.rotation = times(a.rotation, rotation_of(turn));
        m = times(rotation_of(scaled(-1.0, turn)), m);
    }
    a.velocity = velocity_of(plus(m, 0.5 * h, BodyInWell::torque(a.rotation)));
}

void partitioned(Attitude& a, double h) {
    const Three torque = BodyInWell::torque(a.rotation);
    const Three half = fixed_point(a.velocity, [&](const Three& w) {
        return plus(a.velocity, 0.5 * h, acceleration(w, torque));
    });
    a.rotation = times(a.rotation, cayley_of(scaled(h, half)));
    const Three last = BodyInWell::torque(a.rotation);
    a.velocity = plus(half, 0.5 * h, velocity_of(plus(last, 1.0, cross(momentum_of(half), half))));
}

void crouch_grossman(Attitude& a, double h) {
    const Three m = plus(momentum_of(a.velocity), 0.5 * h, BodyInWell::torque(a.rotation));
    const Three turn = midpoint_turn(m, h);
    a.rotation = times(a.rotation, rotation_of(turn));
    a.velocity = velocity_of(
        plus(times(rotation_of(scaled(-1.0, turn)), m), 0.5 * h, BodyInWell::torque(a.rotation)));
}

void semi_explicit_lie(Attitude& a, double h) {
    const Three turn = scaled(0.5 * h, a.velocity);
    const Nine middle = times(a.rotation, rotation_of(turn));
    const Three m = plus(times(rotation_of(scaled(-1.0, turn)), momentum_of(a.velocity)), h,
                         BodyInWell::torque(middle));
    a.velocity = fixed_point(a.velocity, [&](const Three& w) {
        return velocity_of(times(rotation_of(scaled(-0.5 * h, w)), m));
    });
    a.rotation = times(middle, rotation_of(scaled(0.5 * h, a.velocity)));
}

void variational(Attitude& a, double h) {
    const auto change = [h](const Three& w, double sign, const Three& torque) {
        const double twice_kinetic = dot(w, momentum_of(w));
        const Three force = plus(cross(momentum_of(w), w), sign * 0.5 * h * twice_kinetic, w);
        return scaled(0.5 * h, velocity_of(plus(force, 1.0, torque)));
    };
    const Three torque = BodyInWell::torque(a.rotation);
    const Three half = fixed_point(
        a.velocity, [&](const Three& w) { return plus(a.velocity, 1.0, change(w, -1.0, torque)); });
    a.rotation = times(a.rotation, cayley_of(scaled(h, half)));
    a.velocity = plus(half, 1.0, change(half, 1.0, BodyInWell::torque(a.rotation)));
}

/// A rotation without torque between kicks.
template <class Turn>
void between_kicks(Attitude& a, double h, const Turn& turn) {
    Turning body = {a.rotation,
                    plus(momentum_of(a.velocity), 0.5 * h, BodyInWell::torque(a.rotation))};
    turn(body);
    a.rotation = body.rotation;
    a.velocity = velocity_of(plus(body.momentum, 0.5 * h, BodyInWell::torque(body.rotation)));
}

void axis_splitting(Attitude& a, double h) {
    between_kicks(a, h, [h](Turning& body) { turn_about_axes(body, body_inertia, {0, 1, 2}, h); });
}

void moser_veselov(Attitude& a, double h) {
    between_kicks(a, h, [h](Turning& body) { turn_by_rattle(body, body_inertia, h); });
}

/// m(A, B)
double apart(const Nine& a, const Nine& b) {
    double trace = 0.0;
    for (std::size_t i = 0; i < 9; ++i) trace += a[i] * b[i];
    return std::sqrt(2.0 * (3.0 - trace));
}

Nine attracting() {
    static const Nine known = rotation_of({2.5 / std::sqrt(2.0), 0.0, 2.5 / std::sqrt(2.0)});
    return known;
}

} // namespace

Three BodyInWell::torque(const Nine& r) {
    const double m = apart(r, no_rotation), of_well = 2.0 * (m - 1.0) / m;
    const Nine& far = attracting();
    const double away = apart(far, r), of_pull = pull / (away * away * away);
    Nine relative{}; // far^T r
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            for (std::size_t k = 0; k < 3; ++k)
                relative[3 * i + j] += far[3 * k + i] * r[3 * k + j];
    Three torque{};
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
        torque[i] = of_well * (r[3 * j + k] - r[3 * k + j]) +
                    of_pull * (relative[3 * j + k] - relative[3 * k + j]);
    }
    return torque;
}

double BodyInWell::energy(const Attitude& a) {
    const double m = apart(a.rotation, no_rotation) - 1.0;
    return 0.5 * dot(a.velocity, momentum_of(a.velocity)) + m * m -
           pull / apart(a.rotation, attracting());
}

Attitude BodyInWell::start() {
    return {rotation_of({0.0, 0.7227, 0.0}), {0.0, 0.0, 0.625}};
}

const std::vector<LieMethod>& lie_methods() {
    static const std::vector<LieMethod> methods = {
        {"explicit Lie-Newmark", explicit_newmark<cayley_of>},
        {"trapezoidal Lie-Newmark", trapezoidal_newmark<cayley_of>},
        {"explicit Lie midpoint", explicit_midpoint_lie},
        {"partitioned Runge-Kutta", partitioned},
        {"Crouch-Grossman", crouch_grossman},
        {"semi-explicit", semi_explicit_lie},
        {"variational Lie-Verlet", variational},
        {"explicit Lie-Newmark, exponential", explicit_newmark<rotation_of>},
        {"trapezoidal Lie-Newmark, exponential", trapezoidal_newmark<rotation_of>},
        {"turns about axes", axis_splitting},
        {"Moser-Veselov", moser_veselov}};
    return methods;
}

} // namespace shadow::models
