// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/charged_particle.hpp"

#include <cmath>

namespace shadow::models {

/// Momenta rotate by b t.
void ChargedParticle::fast(State& z, double t) const {
    const double c = std::cos(field_ * t), s = std::sin(field_ * t);
    const double half = std::sin(0.5 * field_ * t);
    const double along = s / field_, across = 2.0 * half * half / field_;
    const double px = z[3], py = z[4];
    z[0] += along * px - across * py;
    z[1] += across * px + along * py;
    z[2] += t * z[5];
    z[3] = c * px - s * py;
    z[4] = s * px + c * py;
}

void ChargedParticle::slow(State& z, double t) const {
    problem_.gradient(z.data(), all_levels, gradient_.data());
    for (std::size_t i = 0; i < 3; ++i) z[3 + i] -= t * gradient_[i];
}

double ChargedParticle::energy(const State& z) const {
    return 0.5 * (z[3] * z[3] + z[4] * z[4] + z[5] * z[5]) +
           problem_.potential(z.data(), all_levels);
}

double ChargedParticle::magnetic_momentum(const State& z) const {
    return field_ * (z[0] * z[4] - z[1] * z[3] - 0.5 * field_ * (z[0] * z[0] + z[1] * z[1]));
}

Rate ChargedParticle::rate() const {
    return [this](const State& z, State& f) {
        problem_.gradient(z.data(), all_levels, gradient_.data());
        for (std::size_t i = 0; i < 3; ++i) {
            f[i] = z[3 + i];
            f[3 + i] = -gradient_[i];
        }
        f[3] -= field_ * z[4];
        f[4] += field_ * z[3];
    };
}

Problem attraction() {
    return {"attraction",
            {1.0, 1.0, 1.0},
            {1.0, 1.0, 1.0},
            {0.0, 0.0, 0.0},
            [](const double* q, ForceLevel) {
                return -1.0 / std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
            },
            [](const double* q, ForceLevel, double* g) {
                const double r2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2];
                const double factor = 1.0 / (r2 * std::sqrt(r2));
                for (int i = 0; i < 3; ++i) g[i] = factor * q[i];
            }};
}

Problem three_bodies() {
    constexpr double moon = 0.012277471, earth = 1.0 - moon;
    return {"three-bodies",
            {1.0, 1.0, 1.0},
            {0.994, 0.0, 0.0},
            {0.0, -2.001585106379082, 0.0},
            [](const double* q, ForceLevel) {
                return -0.5 * (q[0] * q[0] + q[1] * q[1]) -
                       moon / std::hypot(q[0] - earth, q[1], q[2]) -
                       earth / std::hypot(q[0] + moon, q[1], q[2]);
            },
            [](const double* q, ForceLevel, double* g) {
                const double to_moon = q[0] - earth, to_earth = q[0] + moon;
                const double beside = q[1] * q[1] + q[2] * q[2];
                const double a = to_moon * to_moon + beside, b = to_earth * to_earth + beside;
                const double of_moon = moon / (a * std::sqrt(a)),
                             of_earth = earth / (b * std::sqrt(b));
                g[0] = of_moon * to_moon + of_earth * to_earth - q[0];
                g[1] = (of_moon + of_earth - 1.0) * q[1];
                g[2] = (of_moon + of_earth) * q[2];
            }};
}

} // namespace shadow::models
