// SPDX-License-Identifier: BSD-3-Clause
/// Bodies that turn without a torque: order, what is kept, and the exact motion.
#include "src/models/turning.hpp"

#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

using namespace shadow::models;

namespace {

using TurnOfBody = std::function<void(Turning& a, double t)>;

double turnings_apart(const Turning& a, const Turning& b) {
    double most = 0.0;
    for (std::size_t k = 0; k < 9; ++k)
        most = std::max(std::abs(a.rotation[k] - b.rotation[k]), most);
    for (std::size_t k = 0; k < 3; ++k)
        most = std::max(std::abs(a.momentum[k] - b.momentum[k]), most);
    return most;
}

Turning turned(const TurnOfBody& turn, Turning a, double time, int steps) {
    for (int k = 0; k < steps; ++k) turn(a, time / steps);
    return a;
}

const Turning turning_body = {rotation_of({0.3, -0.2, 0.5}), {0.4, 0.9, -0.3}};

} // namespace

TEST_CASE("bodies turn by methods of order two that keep their angular momentum and go back") {
    constexpr Three inertia = {1.1, 1.4, 1.7};
    const TurnOfBody methods[] = {[&](Turning& a, double t) {
                                      turn_about_axes(a, inertia, {0, 1, 2}, t);
                                  },
                                  [&](Turning& a, double t) { turn_by_rattle(a, inertia, t); }};
    const Turning exact = turned(methods[0], turning_body, 2.0, 20000);
    const Three in_space = times(turning_body.rotation, turning_body.momentum);
    for (const TurnOfBody& method : methods) {
        const auto error = [&](int steps) {
            return turnings_apart(turned(method, turning_body, 2.0, steps), exact);
        };
        CHECK(std::abs(std::log2(error(16) / error(32)) - 2.0) < 0.1);
        const Turning there = turned(method, turning_body, 2.0, 8);
        const Three now = times(there.rotation, there.momentum);
        for (std::size_t k = 0; k < 3; ++k) CHECK(std::abs(now[k] - in_space[k]) < 1e-14);
        CHECK(turnings_apart(turned(method, there, -2.0, 8), turning_body) < 1e-13);
    }
    const double kinetic = kinetic_energy_of(turning_body, inertia);
    CHECK(std::abs(kinetic_energy_of(turned(methods[1], turning_body, 2.0, 4), inertia) - kinetic) <
          1e-14);
    CHECK(std::abs(kinetic_energy_of(turned(methods[0], turning_body, 2.0, 4), inertia) - kinetic) >
          1e-5);
}

TEST_CASE("a symmetric body turns exactly, a spherical one by arcsin under RATTLE") {
    constexpr Three symmetric = {1.3, 1.3, 0.6};
    const TurnOfBody exact = [&](Turning& a, double t) { turn_symmetric(a, symmetric, t); };
    CHECK(turnings_apart(turned(exact, turning_body, 3.0, 1), turned(exact, turning_body, 3.0, 7)) <
          1e-14);
    const TurnOfBody axes = [&](Turning& a, double t) {
        turn_about_axes(a, symmetric, {2, 0, 1}, t);
    };
    CHECK(turnings_apart(turned(exact, turning_body, 3.0, 1),
                         turned(axes, turning_body, 3.0, 20000)) < 1e-8);
    Turning ball = {no_rotation, {0.0, 0.0, 0.25}};
    turn_by_rattle(ball, {1.0, 1.0, 1.0}, 1.0);
    CHECK(std::abs(std::asin(ball.rotation[3]) - std::asin(0.25)) < 1e-15);
}

TEST_CASE("scaled momenta make RATTLE of order four and six in them") {
    constexpr Three inertia = {1.1, 1.4, 1.7};
    const auto error = [&](int order, int steps) {
        Turning a = turning_body, fine = a;
        const double h = 4.0 / steps, factor = rattle_factor(inertia, a.momentum, h, order);
        a.momentum = scaled(1.0 / factor, a.momentum);
        for (int k = 0; k < steps; ++k) turn_by_rattle(a, inertia, h);
        a.momentum = scaled(factor, a.momentum);
        const double small = 4.0 / 256, of_fine = rattle_factor(inertia, fine.momentum, small, 6);
        fine.momentum = scaled(1.0 / of_fine, fine.momentum);
        for (int k = 0; k < 256; ++k) turn_by_rattle(fine, inertia, small);
        fine.momentum = scaled(of_fine, fine.momentum);
        const Three off = plus(a.momentum, -1.0, fine.momentum);
        return std::sqrt(dot(off, off));
    };
    for (const int order : {2, 4, 6})
        CHECK(std::abs(std::log2(error(order, 8) / error(order, 16)) - order) < 0.2);
}
