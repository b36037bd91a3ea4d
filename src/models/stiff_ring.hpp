// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/models/small_system.hpp"
#include "src/models/split_model.hpp"

/// A particle in 2D, held to a ring by a stiff spring, V = q_1^2 / 2 + (|q| - L(phi))^2 / 2 eps^2
/// with L = 1 + 0.2 sin^2 phi (Leimkuhler and Reich 2004, exercise 10.6).
namespace shadow::models {

/// A particle at `angle` on the ring with an angular velocity along it, vibrating across it with
/// the action `action`.
[[nodiscard]] Problem stiff_ring(double eps, double angle, double angular_velocity, double action);

/// The averaged motion: on the ring, constrained to it, H = p^2 / 2 m(phi) + V(phi) + J w(phi),
/// with the vibration as a potential of its action J. State (phi, p).
class ReducedRing {
  public:
    ReducedRing(double eps, double action) : eps_(eps), action_(action) {}

    /// A step by a method of order four.
    void step(State& z, double dt) const;
    [[nodiscard]] double mass(double angle) const;

  private:
    double eps_, action_;
};

/// Energy of the vibration over its frequency, at the state of the particle.
[[nodiscard]] double ring_action(double eps, const State& z);

/// The radius of the ring and its derivatives.
struct RingRadius {
    explicit RingRadius(double angle);
    double l, slope, bend;

    /// The frequency of the vibration times eps: it is perpendicular to the ring, not along the
    /// radius.
    [[nodiscard]] double frequency() const;
};

} // namespace shadow::models
