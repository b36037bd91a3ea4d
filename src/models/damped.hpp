// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/models/following.hpp"

#include <memory>

/// Damped mechanical systems of mass 1, q'' = -grad V - eps D(q) q' (Modin and Söderlind 2011).
namespace shadow::models {

/// How the damping enters a step of Verlet's method, drift first.
enum class DampedMethod {
    outside, ///< exact damping, half before and half after the step (algorithm 3.1)
    exact,   ///< with the kick, exactly (3.2)
    heun     ///< with the kick, by Heun's method (3.3)
};

/// D is 1 or the projection on the direction of q.
class DampedSystem {
  public:
    DampedSystem(Problem problem, double eps, bool along_q)
        : problem_(std::move(problem)), eps_(eps), along_q_(along_q) {}

    /// The method as a map; the system must live as long.
    [[nodiscard]] Map step(DampedMethod method, double h) const;
    [[nodiscard]] Rate rate() const;
    [[nodiscard]] const Problem& problem() const { return problem_; }

    /// The force of the damping, added to f.
    void add_damping(const double* q, const double* p, double* f) const;
    /// p after a time under a constant force and the damping, places at rest.
    void damp(const double* q, const double* force, double* p, double t) const;

  private:
    Problem problem_;
    double eps_;
    bool along_q_;
};

/// A weight on a spring of length 1 in space, with unit constants: V = z + (|q| - 1)^2 / 2.
[[nodiscard]] Problem elastic_pendulum(std::vector<double> q, std::vector<double> p);

} // namespace shadow::models
