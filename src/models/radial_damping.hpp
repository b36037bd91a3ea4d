// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/models/following.hpp"

/// Mechanical systems of mass 1 that are damped along q alone, q'' = -grad V - eps n (n.q') with n
/// = q / |q| (Modin and Söderlind 2011). Uniform damping of all momenta is a method of the engine.
namespace shadow::models {

/// How the damping enters a step of Verlet's method, drift first.
enum class RadialMethod {
    outside, ///< exact damping, half before and half after the step (algorithm 3.1)
    exact,   ///< with the kick, exactly (3.2)
    heun     ///< with the kick, by Heun's method (3.3)
};

class RadiallyDamped {
  public:
    RadiallyDamped(Problem problem, double eps) : problem_(std::move(problem)), eps_(eps) {}

    /// The method as a map; the system must outlive it.
    [[nodiscard]] Map step(RadialMethod method, double h) const;
    [[nodiscard]] Rate rate() const;
    [[nodiscard]] const Problem& problem() const { return problem_; }

    /// The force of the damping, added to f.
    void add_damping(const double* q, const double* p, double* f) const;
    /// p after a time under a constant force and the damping, at fixed positions.
    void damp(const double* q, const double* force, double* p, double t) const;

  private:
    Problem problem_;
    double eps_;
};

/// A weight on a spring of length 1 in 3D, with unit constants: V = z + (|q| - 1)^2 / 2.
[[nodiscard]] Problem elastic_pendulum(std::vector<double> q, std::vector<double> p);

} // namespace shadow::models
