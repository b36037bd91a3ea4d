// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/stiff_ring.hpp"

#include "src/models/runge_kutta.hpp"

#include <cmath>

namespace shadow::models {

RingRadius::RingRadius(double angle)
    : l(1.0 + 0.2 * std::sin(angle) * std::sin(angle)), slope(0.2 * std::sin(2.0 * angle)),
      bend(0.4 * std::cos(2.0 * angle)) {}

double RingRadius::frequency() const {
    return std::hypot(1.0, slope / l);
}

Problem stiff_ring(double eps, double angle, double angular_velocity, double action) {
    const RingRadius ring(angle);
    const double c = std::cos(angle), s = std::sin(angle), norm = std::hypot(ring.l, ring.slope);
    // Directions along the ring, and outwards.
    const double along[] = {ring.slope * c - ring.l * s, ring.slope * s + ring.l * c};
    const double across = std::sqrt(2.0 * action * ring.frequency() / eps) / norm;
    return {"stiff-ring",
            {1.0, 1.0},
            {ring.l * c, ring.l * s},
            {angular_velocity * along[0] + across * along[1],
             angular_velocity * along[1] - across * along[0]},
            [eps](const double* q, ForceLevel) {
                const double stretch =
                    std::hypot(q[0], q[1]) - RingRadius(std::atan2(q[1], q[0])).l;
                return 0.5 * q[0] * q[0] + 0.5 * stretch * stretch / (eps * eps);
            },
            [eps](const double* q, ForceLevel, double* g) {
                const double r = std::hypot(q[0], q[1]);
                const RingRadius here(std::atan2(q[1], q[0]));
                const double pull = (r - here.l) / (eps * eps * r), turn = here.slope / r;
                g[0] = q[0] + pull * (q[0] + turn * q[1]);
                g[1] = pull * (q[1] - turn * q[0]);
            }};
}

double ReducedRing::mass(double angle) const {
    const RingRadius ring(angle);
    return ring.l * ring.l + ring.slope * ring.slope;
}

void ReducedRing::step(State& z, double dt) const {
    runge_kutta_step(
        [this](const State& y, State& f) {
            const RingRadius ring(y[0]);
            const double m = mass(y[0]), c = std::cos(y[0]), s = std::sin(y[0]);
            const double ratio = ring.slope / ring.l;
            const double ratio_slope = ring.bend / ring.l - ratio * ratio;
            const double heavier = 2.0 * ring.slope * (ring.l + ring.bend);
            f[0] = y[1] / m;
            f[1] = 0.5 * y[1] * y[1] / (m * m) * heavier -
                   ring.l * c * (ring.slope * c - ring.l * s) -
                   action_ / eps_ * ratio * ratio_slope / ring.frequency();
        },
        dt, z);
}

double ring_action(double eps, const State& z) {
    const RingRadius ring(std::atan2(z[1], z[0]));
    const double r = std::hypot(z[0], z[1]), turn = ring.slope / r;
    const double stretch = r - ring.l;
    const double across =
        (z[2] * (z[0] + turn * z[1]) + z[3] * (z[1] - turn * z[0])) / (r * std::hypot(1.0, turn));
    const double energy = 0.5 * across * across + 0.5 * stretch * stretch / (eps * eps);
    return energy * eps / ring.frequency();
}

} // namespace shadow::models
