// SPDX-License-Identifier: BSD-3-Clause
/// Methods for a rigid body under a torque: rotations, torques, order, symmetry.
#include "src/models/lie_body.hpp"

#include "support/catch.hpp"

#include <algorithm>
#include <cmath>

using namespace shadow::models;

namespace {

double attitudes_apart(const Attitude& a, const Attitude& b) {
    double most = 0.0;
    for (std::size_t i = 0; i < 9; ++i)
        most = std::max(most, std::abs(a.rotation[i] - b.rotation[i]));
    for (std::size_t i = 0; i < 3; ++i)
        most = std::max(most, std::abs(a.velocity[i] - b.velocity[i]));
    return most;
}

Attitude after_steps(const LieMethod& method, Attitude a, double h, int steps) {
    for (int k = 0; k < steps; ++k) method.step(a, h);
    return a;
}

/// Largest entry of R^T R - 1.
double orthogonality_defect(const Nine& r) {
    double most = 0.0;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            double sum = i == j ? -1.0 : 0.0;
            for (std::size_t k = 0; k < 3; ++k) sum += r[3 * k + i] * r[3 * k + j];
            most = std::max(most, std::abs(sum));
        }
    return most;
}

} // namespace

TEST_CASE("rotations by vectors are those of the angle, and Cayley's are near to them") {
    const Nine quarter = rotation_of({0.0, 0.0, std::acos(0.0)});
    const Nine known = {0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0};
    for (std::size_t i = 0; i < 9; ++i) CHECK(std::abs(quarter[i] - known[i]) < 1e-15);
    for (const double angle : {1e-9, 0.9e-3, 1.1e-3, 0.7, 3.0}) {
        const Three x = {angle * 0.6, -angle * 0.48, angle * 0.64};
        CHECK(orthogonality_defect(rotation_of(x)) < 1e-15);
        CHECK(orthogonality_defect(cayley_of(x)) < 1e-15);
        const double trace = rotation_of(x)[0] + rotation_of(x)[4] + rotation_of(x)[8];
        CHECK(std::abs(trace - 1.0 - 2.0 * std::cos(angle)) < 1e-14);
        double most = 0.0;
        for (std::size_t i = 0; i < 9; ++i)
            most = std::max(most, std::abs(rotation_of(x)[i] - cayley_of(x)[i]));
        CHECK(most <= angle * angle * angle / 12.0 + 1e-15);
    }
}

TEST_CASE("the torque of a body is the slope of its energy") {
    Attitude a = BodyInWell::start();
    a.velocity = {0.0, 0.0, 0.0};
    const Three torque = BodyInWell::torque(a.rotation);
    constexpr double h = 1e-3;
    for (std::size_t i = 0; i < 3; ++i) {
        const auto at = [&](double by) {
            Three x{};
            x[i] = by;
            const Nine turn = rotation_of(x);
            Attitude moved = a;
            moved.rotation = {};
            for (std::size_t r = 0; r < 3; ++r)
                for (std::size_t c = 0; c < 3; ++c)
                    for (std::size_t k = 0; k < 3; ++k)
                        moved.rotation[3 * r + c] += a.rotation[3 * r + k] * turn[3 * k + c];
            return BodyInWell::energy(moved);
        };
        const double slope = (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h);
        CHECK(std::abs(torque[i] + slope) < 1e-9);
    }
}

TEST_CASE("methods for a body under a torque are of order two, symmetric, and keep rotations") {
    const Attitude start = BodyInWell::start();
    // By two methods, so fine that they agree.
    const Attitude exact = after_steps(lie_methods()[3], start, 1.0 / 4096, 8192);
    CHECK(attitudes_apart(after_steps(lie_methods()[4], start, 1.0 / 4096, 8192), exact) < 1e-6);
    CHECK(lie_methods().size() == 11);
    for (const LieMethod& method : lie_methods()) {
        CAPTURE(method.name);
        const auto error = [&](int steps) {
            return attitudes_apart(after_steps(method, start, 2.0 / steps, steps), exact);
        };
        CHECK(std::abs(std::log2(error(32) / error(64)) - 2.0) < 0.15);
        const Attitude there = after_steps(method, start, 0.25, 20);
        CHECK(attitudes_apart(there, start) > 0.1);
        CHECK(attitudes_apart(after_steps(method, there, -0.25, 20), start) < 1e-12);
        CHECK(orthogonality_defect(there.rotation) < 1e-13);
    }
}
