// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/models/split_model.hpp"

#include <functional>
#include <vector>

/// Baths of several variables for one coordinate of mass 1 (Leimkuhler and Reich 2004, section
/// 11.4): s (H - E) with H = p^2 / 2 s^2 + V(q) + kT ln s + (1 + |sigma|^2) pi_s^2 / 2 Q + U(sigma)
/// + sum of pi_i^2 / 2 Q_i.
namespace shadow::models {

struct BathOfMany {
    double mass;                ///< Q
    std::vector<double> masses; ///< Q_i
    /// U, and its gradient.
    std::function<double(const double* sigma, double* gradient)> potential;
};

/// Two oscillators, masses 1 and 3 (eq. 11.25).
[[nodiscard]] BathOfMany vertex_bath();
/// Three soft balls in a harmonic trap, of mass 1 (eqs. 11.29 and 11.30).
[[nodiscard]] BathOfMany ball_bath();

class NoseOfMany {
  public:
    struct Potential {
        std::function<double(double q)> value, slope;
    };
    /// A state is (q, s, sigma, p, pi_s, pi); the energy E is that of `start`.
    NoseOfMany(Potential potential, BathOfMany bath, double kT, const State& start);

    /// Order two, symplectic, time-reversible: V and E, bath, kinetic energies, and back. Throws
    /// std::runtime_error if the step is too long for its equation.
    void step(State& z, double h);
    /// H - E
    [[nodiscard]] double excess(const State& z) const;

  private:
    void kick(State& z, double t) const;
    void drift(State& z, double t) const;
    void couple(State& z, double t);

    Potential potential_;
    BathOfMany bath_;
    double kT_, energy_ = 0.0;
    std::size_t n_; ///< bath variables besides s
    mutable std::vector<double> gradient_;
};

} // namespace shadow::models
