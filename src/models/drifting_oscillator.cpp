// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/drifting_oscillator.hpp"

#include <cmath>
#include <numbers>

namespace shadow::models {
namespace {

constexpr double whole_turn = 2.0 * std::numbers::pi;

/// The square of the frequency, and its derivative by s.
double square_of_frequency(double s) {
    return 1.0 / (1.0 + 0.25 * std::sin(whole_turn * s));
}

double slope_of_square(double s) {
    const double square = square_of_frequency(s);
    return -0.25 * whole_turn * std::cos(whole_turn * s) * square * square;
}

} // namespace

void DriftingOscillator::fast(State& z, double t) const {
    z[0] += t * z[2];
    z[1] += t * eps_;
}

void DriftingOscillator::slow(State& z, double t) const {
    z[2] -= t * square_of_frequency(z[1]) * z[0];
    z[3] -= 0.5 * t * slope_of_square(z[1]) * z[0] * z[0];
}

double DriftingOscillator::energy(const State& z) const {
    return 0.5 * (z[2] * z[2] + square_of_frequency(z[1]) * z[0] * z[0]) + eps_ * z[3];
}

double DriftingOscillator::action(const State& z) {
    const double square = square_of_frequency(z[1]);
    return 0.5 * (z[2] * z[2] + square * z[0] * z[0]) / std::sqrt(square);
}

void UnbalancedRotor::fast(State& z, double t) const {
    z[0] += t * z[3];
    z[1] += t * z[4];
    z[2] += t;
}

void UnbalancedRotor::slow(State& z, double t) const {
    constexpr double force = unbalance * speed * speed;
    const double c = std::cos(speed * z[2]), s = std::sin(speed * z[2]);
    z[3] -= t * (z[0] + force * c);
    z[4] -= t * (z[1] - force * s);
    z[5] += t * force * speed * (z[0] * s + z[1] * c);
}

double UnbalancedRotor::energy(const State& z) const {
    constexpr double force = unbalance * speed * speed;
    const double of_place = 0.5 * (z[0] * z[0] + z[1] * z[1]) +
                            force * (z[0] * std::cos(speed * z[2]) - z[1] * std::sin(speed * z[2]));
    return 0.5 * (z[3] * z[3] + z[4] * z[4]) + z[5] + of_place;
}

double UnbalancedRotor::exact(double t) {
    constexpr double c = unbalance * speed * speed / (speed * speed - 1.0);
    return c * (std::cos(speed * t) - std::cos(t));
}

} // namespace shadow::models
