// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/energy_scaled.hpp"

namespace shadow::models {

Separable uneven_oscillator() {
    constexpr double tilt = 0.01;
    return {1, [](const double* p) { return p[0] * p[0] * (0.5 - tilt / 3.0 * p[0]); },
            [](const double* p, double* v) { v[0] = p[0] * (1.0 - tilt * p[0]); },
            [](const double* q) {
                const double a = 1.0 / q[0], b = 1.0 / (q[0] - 10.0);
                return a * a + b * b + tilt * q[0];
            },
            [](const double* q, double* g) {
                const double a = 1.0 / q[0], b = 1.0 / (q[0] - 10.0);
                g[0] = tilt - 2.0 * (a * a * a + b * b * b);
            }};
}

EnergyScaled::EnergyScaled(Separable hamiltonian)
    : EnergyScaled(
          std::move(hamiltonian), [](double) { return 1.0; }, [](double) { return 1.0; }) {}

void EnergyScaled::fast(State& z, double t) const {
    const double* p = z.data() + h_.size;
    h_.velocity(p, slope_.data());
    const double time = t * of_kinetic_(h_.kinetic(p));
    for (std::size_t i = 0; i < h_.size; ++i) z[i] += time * slope_[i];
}

void EnergyScaled::slow(State& z, double t) const {
    h_.gradient(z.data(), slope_.data());
    const double time = t * of_potential_(h_.potential(z.data()));
    for (std::size_t i = 0; i < h_.size; ++i) z[h_.size + i] -= time * slope_[i];
}

/// The flow of G(q_a) T(p_b).
void DoubledHalf::fast(State& z, double t) const {
    const double g = scale_(z[a_]);
    double v = 0.0;
    h_.velocity(&z[2 + b_], &v);
    z[b_] += t * g * v;
    z[2 + a_] -= t * slope_(z[a_]) * h_.kinetic(&z[2 + b_]);
}

/// The flow of G(q_a) (V(q_b) - E).
void DoubledHalf::slow(State& z, double t) const {
    const double g = scale_(z[a_]);
    double force = 0.0;
    h_.gradient(&z[b_], &force);
    z[2 + b_] -= t * g * force;
    z[2 + a_] -= t * slope_(z[a_]) * (h_.potential(&z[b_]) - energy_);
}

double DoubledHalf::energy(const State& z) const {
    return scale_(z[a_]) * (h_.kinetic(&z[2 + b_]) + h_.potential(&z[b_]) - energy_);
}

} // namespace shadow::models
