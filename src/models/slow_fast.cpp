// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/slow_fast.hpp"

#include "src/models/linear_models.hpp"

#include <algorithm>
#include <cmath>

namespace shadow::models {

void SlowFastModel::slow(State& z, double t) const {
    rotate(z[0], z[2], t);
}

double SlowFastModel::energy(const State& z) const {
    return 0.5 * (z[0] * z[0] + z[2] * z[2]) + fast_energy(z);
}

/// x rotates about q, and transfers momentum to p.
void LinearPair::fast(State& z, double t) const {
    double distance = z[1] - z[0];
    const double both = z[2] + z[3];
    rotate(distance, z[3], t / eps_);
    z[1] = z[0] + distance;
    z[2] = both - z[3];
}

double LinearPair::fast_energy(const State& z) const {
    const double distance = z[1] - z[0];
    return 0.5 * (z[3] * z[3] + distance * distance) / eps_;
}

double LinearPair::mean_force(const State& z, double window) const {
    return sinc(window / eps_) * (z[1] - z[0]) / eps_;
}

/// About a moving centre, the oscillator rotates about p_x = eps velocity.
void LinearPair::follow(State& z, double velocity, double t) const {
    double distance = z[1] - z[0], rate = z[3] - eps_ * velocity;
    rotate(distance, rate, t / eps_);
    z[0] += t * velocity;
    z[1] = z[0] + distance;
    z[3] = rate + eps_ * velocity;
}

double NonlinearPair::square_over(const State& z, double angle) const {
    const double k2 = stiffness(z[0]), k = std::sqrt(k2), x = z[1], px = z[3];
    const double c = std::cos(angle), s = std::sin(angle);
    return 0.5 * x * x * (angle + c * s) + 0.5 * px * px / k2 * (angle - c * s) +
           x * px / k * s * s;
}

/// p changes by minus alpha q / eps times the integral of x^2.
void NonlinearPair::fast(State& z, double t) const {
    const double k = std::sqrt(stiffness(z[0]));
    z[2] -= alpha_ * z[0] / k * square_over(z, k * t / eps_);
    follow(z, 0.0, t);
}

double NonlinearPair::fast_energy(const State& z) const {
    return 0.5 * (z[3] * z[3] + stiffness(z[0]) * z[1] * z[1]) / eps_;
}

double NonlinearPair::action(const State& z) const {
    return eps_ * fast_energy(z) / std::sqrt(stiffness(z[0]));
}

double NonlinearPair::mean_force(const State& z, double window) const {
    const double k = std::sqrt(stiffness(z[0])), angle = k * window / eps_;
    const double both = square_over(z, angle) - square_over(z, -angle);
    return -alpha_ * z[0] * both / (2.0 * k * window);
}

void NonlinearPair::follow(State& z, double velocity, double t) const {
    if (velocity == 0.0) {
        const double k = std::sqrt(stiffness(z[0]));
        double scaled = k * z[1];
        rotate(scaled, z[3], k * t / eps_);
        z[1] = scaled / k;
        return;
    }
    const double ratio = std::abs(t) / (substeps_.length * eps_);
    const int count =
        std::max(1, static_cast<int>(substeps_.rounded_up ? std::ceil(ratio) : std::round(ratio)));
    for (int k = 0; k < count; ++k)
        for (const Flow& flow : substeps_.word) {
            const double part = flow.fraction * t / count;
            if (flow.kind == FlowKind::drift) {
                z[0] += part * velocity;
                z[1] += part * z[3] / eps_;
            } else {
                z[3] -= part * stiffness(z[0]) * z[1] / eps_;
            }
        }
}

} // namespace shadow::models
