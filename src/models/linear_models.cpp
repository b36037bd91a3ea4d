// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/linear_models.hpp"

#include <cmath>

namespace shadow::models {

void rotate(double& q, double& p, double angle) {
    const double c = std::cos(angle), s = std::sin(angle), before = q;
    q = before * c + p * s;
    p = p * c - before * s;
}

double sinc(double x) {
    return std::abs(x) < 1e-4 ? 1.0 - x * x / 6.0 : std::sin(x) / x;
}

void PerturbedOscillator::fast(State& z, double t) const {
    rotate(z[0], z[1], frequency_ * t);
}

void PerturbedOscillator::slow(State& z, double t) const {
    z[1] -= t * z[0];
}

/// The mean of the motion, over times before and after now, is sinc(angle) q: a kick by the square.
void PerturbedOscillator::mollified_slow(State& z, double t, double window) const {
    const double left = sinc(frequency_ * window);
    z[1] -= t * left * left * z[0];
}

double PerturbedOscillator::energy(const State& z) const {
    return 0.5 * frequency_ * (z[0] * z[0] + z[1] * z[1]) + 0.5 * z[0] * z[0];
}

double ImpulsePair::frequency() const {
    return std::sqrt((1.0 + 1.0 / eps_) / eps_);
}

/// The centre of the masses 1 and eps drifts, their distance oscillates.
void ImpulsePair::fast(State& z, double t) const {
    const double mass = 1.0 + eps_, w = frequency();
    const double velocity = (z[2] + z[3]) / mass;
    const double centre = (z[0] + eps_ * z[1]) / mass + t * velocity;
    double distance = z[1] - z[0], rate = (z[3] / eps_ - z[2]) / w;
    rotate(distance, rate, w * t);
    z[0] = centre - eps_ * distance / mass;
    z[1] = centre + distance / mass;
    z[2] = velocity - eps_ * w * rate / mass;
    z[3] = eps_ * (velocity + w * rate / mass);
}

/// From rest the mean of the distance is sinc(w window) times the distance; the centre is fixed.
void ImpulsePair::mollified_slow(State& z, double t, double window) const {
    const double lost = eps_ * (1.0 - sinc(frequency() * window)) / (1.0 + eps_);
    const double mean = (1.0 - lost) * z[0] + lost * z[1];
    z[2] -= t * (1.0 - lost) * mean;
    z[3] -= t * lost * mean;
}

double ImpulsePair::energy(const State& z) const {
    const double distance = z[1] - z[0];
    return 0.5 * (z[2] * z[2] + z[0] * z[0]) + 0.5 * (z[3] * z[3] + distance * distance) / eps_;
}

void TwoFastModes::fast(State& z, double t) const {
    rotate(z[0], z[2], first_ * t);
    rotate(z[1], z[3], second_ * t);
}

void TwoFastModes::slow(State& z, double t) const {
    const double push = t * coupling_ * (z[0] + z[1]);
    z[2] -= push;
    z[3] -= push;
}

double TwoFastModes::energy(const State& z) const {
    const double sum = z[0] + z[1];
    return 0.5 * first_ * (z[0] * z[0] + z[2] * z[2]) +
           0.5 * second_ * (z[1] * z[1] + z[3] * z[3]) + 0.5 * coupling_ * sum * sum;
}

} // namespace shadow::models
