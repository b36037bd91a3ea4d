// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/models/linear_map.hpp"
#include "src/models/runge_kutta.hpp"
#include "src/models/three.hpp"

#include <functional>
#include <vector>

/// Rotating unit vectors, q_i' = w_i x q_i, by methods on spheres (Ortolan 2011, chapters 6 and 7).
/// A state is all q, then all w, three numbers each.
namespace shadow::models {

[[nodiscard]] Three vector_at(const State& z, std::size_t i);
void put_vector(State& z, std::size_t i, const Three& x);

/// Kinetic energy sum M_ij q_i'.q_j' / 2 and a potential of the q_i.
struct SphereProblem {
    Matrix inertia; ///< M, a row for each vector
    State start;
    std::function<double(const State& z)> potential;
    /// g <- its gradient, three numbers for each vector.
    std::function<void(const State& z, State& g)> gradient;

    [[nodiscard]] std::size_t size() const { return inertia.size; }
    [[nodiscard]] double energy(const State& z) const;
    /// sum q_i x M_ij q_j'
    [[nodiscard]] Three angular_momentum(const State& z) const;
    /// w' of all vectors (eq. 6.5b). If the kinetic energy couples them, this is a system of linear
    /// equations.
    void accelerate(const State& z, std::vector<Three>& rate) const;
};

/// Largest q_i.w_i, which the motion keeps zero.
[[nodiscard]] double turn_about_itself(const State& z);

/// Explicit Lie-Newmark steps: half a kick, a rotation, half a kick. Where the kinetic energy
/// couples vectors the second kick is implicit, and solved by iteration.
[[nodiscard]] Map sphere_newmark(const SphereProblem& problem, double h);
/// Munthe-Kaas methods: a tableau for u and w with q = exp(u) q_0, u' = dexp_u^-1 w up to its
/// second commutator, so of order four at most.
[[nodiscard]] Map sphere_munthe_kaas(const SphereProblem& problem, const Tableau& tableau,
                                     double h);
/// RATTLE for positions q_i with |q_i| = 1.
[[nodiscard]] Map sphere_rattle(const SphereProblem& problem, double h);

} // namespace shadow::models
