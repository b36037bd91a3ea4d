// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/models/adaptive.hpp"

#include <functional>

namespace shadow::models {

/// Steps of Verlet's method over dtau / rho, where rho is an approximation of
/// sqrt(|p|^2 + |grad V|^2) that is integrated by its derivative, for a system of mass 1: explicit
/// except for one cubic equation in 1 / rho, time-reversible, of order two (Leimkuhler and Reich
/// 2004, section 9.2.3; the printed formula for g is right for rho = 1 / g).
class DifferentiatedControl {
  public:
    /// `of_force` is the gradient of |grad V|^2 / 2.
    DifferentiatedControl(Problem problem, std::function<void(const double* q, double* g)> of_force,
                          double dtau);

    void step();
    [[nodiscard]] const State& state() const { return now_.z; }
    [[nodiscard]] double time() const { return now_.time; }
    /// rho over its exact value, minus one.
    [[nodiscard]] double misfit() const;
    /// Reverses the motion from here on.
    void flip();

  private:
    /// |p|^2 + |grad V|^2 with momenta p - t grad V, and half of its derivative along the motion.
    struct Square {
        double value, rate;
    };
    [[nodiscard]] Square square(double t) const;
    /// Evaluates the forces and the gradient of their square at the current position.
    void look();

    Problem problem_;
    std::function<void(const double* q, double* g)> of_force_;
    double dtau_;
    TimedState now_;
    double rho_;
    std::vector<double> slope_, of_square_; ///< grad V, and grad (|grad V|^2 / 2 - V)
};

} // namespace shadow::models
