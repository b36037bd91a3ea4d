// SPDX-License-Identifier: BSD-3-Clause
/// Motion on ellipses, and a method with a processor.
#include "src/models/kepler_flow.hpp"

#include "src/models/following.hpp"
#include "support/catch.hpp"
#include "support/maps.hpp"

#include "shadow/integrators/processed.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

using namespace shadow;
using namespace shadow::models;

TEST_CASE("bodies on ellipses are where their equation of motion takes them") {
    const double mu = 1.7;
    const PlaceAndVelocity start = on_orbit({1.3, 0.6, 20.0, 250.0, 130.0, 40.0}, mu);
    const double r = std::sqrt(dot(start.x, start.x)),
                 energy = 0.5 * dot(start.v, start.v) - mu / r;
    CHECK(std::abs(energy + 0.5 * mu / 1.3) < 1e-14);
    const Three spin = cross(start.x, start.v);
    CHECK(std::abs(std::sqrt(dot(spin, spin)) - std::sqrt(mu * 1.3 * (1.0 - 0.36))) < 1e-14);
    CHECK(std::abs(spin[2] / std::sqrt(dot(spin, spin)) -
                   std::cos(20.0 * std::numbers::pi / 180.0)) < 1e-14);
    const Rate rate = [mu](const State& z, State& f) {
        const double d = std::hypot(z[0], z[1], z[2]);
        for (std::size_t k = 0; k < 3; ++k) {
            f[k] = z[3 + k];
            f[3 + k] = -mu * z[k] / (d * d * d);
        }
    };
    State z = {start.x[0], start.x[1], start.x[2], start.v[0], start.v[1], start.v[2]};
    z = after(step_of(rate, gauss(3), 0.005), z, 600);
    Three x = start.x, v = start.v;
    move_on_ellipse(x, v, mu, 3.0);
    CHECK(distance({x[0], x[1], x[2], v[0], v[1], v[2]}, z) < 1e-9);
    // Back, and once round.
    move_on_ellipse(x, v, mu, -3.0);
    CHECK(std::abs(x[0] - start.x[0]) < 1e-13);
    move_on_ellipse(x, v, mu, 2.0 * std::numbers::pi * std::sqrt(1.3 * 1.3 * 1.3 / mu));
    for (std::size_t k = 0; k < 3; ++k) CHECK(std::abs(x[k] - start.x[k]) < 1e-12);
    Three fast = {0.0, 2.0, 0.0};
    CHECK_THROWS_AS(move_on_ellipse(x, fast, mu, 1.0), std::runtime_error);
    CHECK(std::abs(eccentric_anomaly(2.0, 0.9) - 0.9 * std::sin(eccentric_anomaly(2.0, 0.9)) -
                   2.0) < 1e-15);
}

TEST_CASE("a processor makes the order of its kernel six") {
    const Problem problem = kepler();
    const State exact = after(step_of(problem, "mclachlan-8", 0.005), start_of(problem), 400);
    const Processed method = blanes_processed_6();
    const auto error = [&](int steps, bool processed) {
        SmallSystem system(problem);
        const double dt = 2.0 / steps;
        if (processed) apply_word(system, method.before, dt);
        for (int k = 0; k < steps; ++k) apply_word(system, method.kernel, dt);
        if (processed) apply_word(system, method.after, dt);
        return distance(system.state(false), exact);
    };
    CHECK(std::abs(std::log2(error(20, true) / error(40, true)) - 6.0) < 0.5);
    CHECK(std::abs(std::log2(error(40, false) / error(80, false)) - 4.0) < 0.5);
}
