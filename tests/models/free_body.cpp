// SPDX-License-Identifier: BSD-3-Clause
/// A rigid body without torque: order, what is conserved, volume and reversal of its methods.
#include "src/models/free_body.hpp"

#include "src/models/runge_kutta.hpp"
#include "support/catch.hpp"
#include "support/maps.hpp"

#include <functional>

using namespace shadow;
using namespace shadow::models;

namespace {

const FreeBody some_body({0.5, 1.0, 2.0});
const State turning = {0.3, 0.9, -0.4};

double determinant_of_three(const Matrix& m) {
    double sum = 0.0;
    for (std::size_t i = 0; i < 3; ++i)
        sum += m(0, i) *
               (m(1, (i + 1) % 3) * m(2, (i + 2) % 3) - m(1, (i + 2) % 3) * m(2, (i + 1) % 3));
    return sum;
}

} // namespace

TEST_CASE("methods for a free body are of order two, keep volume and go back") {
    const Rate rate = [](const State& x, State& f) { f = some_body.rate(x); };
    const State exact = after(step_of(rate, gauss(3), 0.01), turning, 200);
    CHECK(std::abs(some_body.kinetic(exact) - some_body.kinetic(turning)) < 1e-13);
    using Method = std::function<void(State & x, double h)>;
    const Method methods[] = {[](State& x, double h) { some_body.shears(x, h); },
                              [](State& x, double h) {
                                  some_body.rotations(x, h, {0, 1, 2});
                              },
                              [](State& x, double h) {
                                  some_body.rotations(x, h, {1, 0, 2});
                              },
                              [](State& x, double h) { some_body.ellipses(x, h); }};
    for (const Method& method : methods) {
        CAPTURE(&method - &methods[0]);
        const auto steps = [&](double h) { return [&method, h](State& x) { method(x, h); }; };
        const auto error = [&](int n) {
            return distance(after(steps(2.0 / n), turning, n), exact);
        };
        CHECK(std::abs(std::log2(error(64) / error(128)) - 2.0) < 0.1);
        CHECK(std::abs(determinant_of_three(derivative_at(steps(0.3), turning)) - 1.0) < 1e-9);
        const State there = after(steps(0.3), turning, 20);
        CHECK(distance(after(steps(-0.3), there, 20), turning) < 1e-13);
        const double change = FreeBody::momentum(there) - FreeBody::momentum(turning);
        const double of_kinetic = some_body.kinetic(there) - some_body.kinetic(turning);
        const auto which = &method - &methods[0];
        if (which == 0 || which == 3)
            CHECK(std::abs(change) > 1e-5);
        else
            CHECK(std::abs(change) < 1e-14);
        if (which == 3)
            CHECK(std::abs(of_kinetic) < 1e-14);
        else
            CHECK(std::abs(of_kinetic) > 1e-5);
    }
    // The speed changes as its derivative says.
    constexpr double h = 1e-4;
    State before = turning, behind = turning;
    some_body.rotations(before, -h, {0, 1, 2});
    some_body.rotations(behind, h, {0, 1, 2});
    const double slope = (some_body.speed(behind)[0] - some_body.speed(before)[0]) / (2.0 * h);
    CHECK(std::abs(some_body.speed(turning)[1] - slope) < 1e-7);
}
