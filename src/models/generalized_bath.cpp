// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/generalized_bath.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

namespace shadow::models {

BathOfMany vertex_bath() {
    return {1.0, {1.0, 3.0}, [](const double* sigma, double* g) {
                g[0] = sigma[0];
                g[1] = sigma[1];
                return 0.5 * (sigma[0] * sigma[0] + sigma[1] * sigma[1]);
            }};
}

BathOfMany ball_bath() {
    return {1.0, std::vector<double>(9, 1.0), [](const double* sigma, double* g) {
                double energy = 0.0;
                for (int k = 0; k < 9; ++k) {
                    energy += 0.5 * sigma[k] * sigma[k];
                    g[k] = sigma[k];
                }
                for (int i = 0; i < 3; ++i)
                    for (int j = 0; j < i; ++j) {
                        double d[3], square = 0.0;
                        for (int k = 0; k < 3; ++k) {
                            d[k] = sigma[3 * i + k] - sigma[3 * j + k];
                            square += d[k] * d[k];
                        }
                        const double sixth = 1.0 / (square * square * square),
                                     push = 12.0 * sixth * sixth / square;
                        energy += sixth * sixth;
                        for (int k = 0; k < 3; ++k) {
                            g[3 * i + k] -= push * d[k];
                            g[3 * j + k] += push * d[k];
                        }
                    }
                return energy;
            }};
}

NoseOfMany::NoseOfMany(Potential potential, BathOfMany bath, double kT, const State& start)
    : potential_(std::move(potential)), bath_(std::move(bath)), kT_(kT), n_(bath_.masses.size()),
      gradient_(n_) {
    energy_ = excess(start);
}

double NoseOfMany::excess(const State& z) const {
    const double s = z[1], *sigma = &z[2], *p = &z[2 + n_];
    double a = 1.0, kinetic = 0.5 * p[0] * p[0] / (s * s);
    for (std::size_t i = 0; i < n_; ++i) {
        a += sigma[i] * sigma[i];
        kinetic += 0.5 * p[2 + i] * p[2 + i] / bath_.masses[i];
    }
    return kinetic + 0.5 * a * p[1] * p[1] / bath_.mass + bath_.potential(sigma, gradient_.data()) +
           potential_.value(z[0]) + kT_ * std::log(s) - energy_;
}

/// The flow of s (V - E).
void NoseOfMany::kick(State& z, double t) const {
    double* p = &z[2 + n_];
    p[0] -= t * z[1] * potential_.slope(z[0]);
    p[1] -= t * (potential_.value(z[0]) - energy_);
}

/// The flow of s times the kinetic energies of the particle and of the bath.
void NoseOfMany::drift(State& z, double t) const {
    double *sigma = &z[2], *p = &z[2 + n_];
    const double s = z[1], v = p[0] / s;
    double of_bath = 0.0;
    z[0] += t * v;
    for (std::size_t i = 0; i < n_; ++i) {
        const double rate = p[2 + i] / bath_.masses[i];
        sigma[i] += t * s * rate;
        of_bath += 0.5 * p[2 + i] * rate;
    }
    p[1] += t * (0.5 * v * v - of_bath);
}

/// The generalized leapfrog method for s times the rest, with sigma fixed: a quadratic equation for
/// pi_s in the middle.
void NoseOfMany::couple(State& z, double t) {
    double *sigma = &z[2], *p = &z[2 + n_];
    const double u = bath_.potential(sigma, gradient_.data()), s = z[1];
    double a = 1.0;
    for (std::size_t i = 0; i < n_; ++i) a += sigma[i] * sigma[i];
    const double d = 0.5 * t * (u + kT_ * (1.0 + std::log(s))) - p[1],
                 square = 1.0 - a * t * d / bath_.mass;
    if (!(square >= 0.0)) throw std::runtime_error("a step is too long for the bath");
    const double middle = -2.0 * d / (1.0 + std::sqrt(square)),
                 growth = 0.5 * t * a * middle / bath_.mass;
    const double next = s * (1.0 + growth) / (1.0 - growth);
    if (!(next > 0.0)) throw std::runtime_error("a step is too long for the bath");
    const double push = middle * middle / bath_.mass;
    for (std::size_t i = 0; i < n_; ++i)
        p[2 + i] -= 0.5 * t * (s + next) * (sigma[i] * push + gradient_[i]);
    p[1] = middle - 0.5 * t * (0.5 * a * push + u + kT_ * (1.0 + std::log(next)));
    z[1] = next;
}

void NoseOfMany::step(State& z, double h) {
    kick(z, 0.5 * h);
    couple(z, 0.5 * h);
    drift(z, h);
    couple(z, 0.5 * h);
    kick(z, 0.5 * h);
}

} // namespace shadow::models
