// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/scalars.hpp"

#include <cmath>

namespace shadow {

/// A Nosé bath of several variables sigma_i with momenta pi_i, in the Hamiltonian
///
///     s [sum p^2 / (2 m s^2) + V(q) + g kT ln s + (1 + |sigma|^2) pi^2 / (2 Q) + kT u(sigma)
///        + sum pi_i^2 / (2 Q_i) - E]
///
/// (Leimkuhler and Reich 2004, section 11.4): two oscillators (eq. 11.25) or three soft balls in a
/// harmonic trap (eqs. 11.29 and 11.30). The canonical momenta of particles are s times the
/// physical ones.
struct GeneralizedBath {
    bool balls = false;
    int size = 0; ///< of sigma; 0: there is no such bath
    double mass = 1.0, kT = 0.0;
    double g = 0.0; ///< degrees of freedom of the particles

    [[nodiscard]] SHADOW_INLINE double mass_of(int i) const {
        return (balls || i == 0 ? 1.0 : 3.0) * mass / g;
    }
    /// 1 + |sigma|^2
    [[nodiscard]] SHADOW_INLINE double spread(const Scalars& x) const {
        double sum = 1.0;
        for (int i = 0; i < size; ++i) {
            const double sigma = x[of_row(Scalar::bath_position, i)];
            sum += sigma * sigma;
        }
        return sum;
    }
    [[nodiscard]] SHADOW_INLINE double kinetic(const Scalars& x) const {
        double sum = 0.0;
        for (int i = 0; i < size; ++i) {
            const double momentum = x[of_row(Scalar::bath_momentum, i)];
            sum += 0.5 * momentum * momentum / mass_of(i);
        }
        return sum;
    }
    /// u: |sigma|^2 / 2, and for balls r^-12 of each pair.
    [[nodiscard]] SHADOW_INLINE double well(const Scalars& x) const {
        double sum = 0.5 * (spread(x) - 1.0);
        for (int i = 0; balls && i < 3; ++i)
            for (int j = 0; j < i; ++j) {
                const double sixth = sixth_power(x, i, j);
                sum += sixth * sixth;
            }
        return sum;
    }
    /// du / dsigma_i
    [[nodiscard]] SHADOW_INLINE double slope(const Scalars& x, int i) const {
        double sum = x[of_row(Scalar::bath_position, i)];
        for (int other = 0; balls && other < 3; ++other) {
            if (other == i / 3) continue;
            const double sixth = sixth_power(x, i / 3, other);
            sum -= 12.0 * sixth * sixth * cbrt(sixth) * apart(x, i, 3 * other + i % 3);
        }
        return sum;
    }
    /// The energy of the bath, with s.
    [[nodiscard]] SHADOW_INLINE double energy(const Scalars& x) const {
        if (size == 0) return 0.0;
        const double pi = x[Scalar::pi];
        return 0.5 * spread(x) * pi * pi / mass + g * kT * log(x[Scalar::s]) + kT * well(x) +
               kinetic(x);
    }

    /// The flow of s (V - E), without the momenta of particles.
    SHADOW_INLINE void kick(const Scalars& x, double t) const {
        x[Scalar::pi] -= t * (x[Scalar::potential] - x[Scalar::energy_0]);
    }
    /// The flow of s times the kinetic energies of the particles, without their positions, and of
    /// the bath.
    SHADOW_INLINE void drift(const Scalars& x, double t) const {
        const double s = x[Scalar::s];
        x[Scalar::drift_scale] = 1.0 / s;
        x[Scalar::pi] += t * (0.5 * x[Scalar::kinetic] / (s * s) - kinetic(x));
        for (int i = 0; i < size; ++i)
            x[of_row(Scalar::bath_position, i)] +=
                t * s * x[of_row(Scalar::bath_momentum, i)] / mass_of(i);
    }
    /// The generalized leapfrog method for s times the rest, at fixed sigma: a quadratic equation
    /// for pi at the midpoint. False: it has no solution, and nothing is changed.
    SHADOW_INLINE bool couple(const Scalars& x, double t) const {
        const double s = x[Scalar::s], a = spread(x), u = kT * well(x), g_kT = g * kT;
        const double delta = 0.5 * t * (u + g_kT * (1.0 + log(s))) - x[Scalar::pi];
        const double discriminant = 1.0 - a * t * delta / mass;
        const double middle = -2.0 * delta / (1.0 + sqrt(discriminant > 0.0 ? discriminant : 0.0));
        const double growth = 0.5 * t * a * middle / mass;
        if (!(discriminant >= 0.0) || !(growth < 1.0) || !(growth > -1.0)) {
            x[Scalar::failed] = 1.0;
            return false;
        }
        const double next = s * (1.0 + growth) / (1.0 - growth), push = middle * middle / mass;
        for (int i = 0; i < size; ++i)
            x[of_row(Scalar::bath_momentum, i)] -=
                0.5 * t * (s + next) *
                (x[of_row(Scalar::bath_position, i)] * push + kT * slope(x, i));
        x[Scalar::pi] = middle - 0.5 * t * (0.5 * a * push + u + g_kT * (1.0 + log(next)));
        x[Scalar::s] = next;
        return true;
    }

  private:
    [[nodiscard]] SHADOW_INLINE double apart(const Scalars& x, int i, int j) const {
        return x[of_row(Scalar::bath_position, i)] - x[of_row(Scalar::bath_position, j)];
    }
    /// r^-6 of two balls.
    [[nodiscard]] SHADOW_INLINE double sixth_power(const Scalars& x, int i, int j) const {
        double square = 0.0;
        for (int k = 0; k < 3; ++k) {
            const double d = apart(x, 3 * i + k, 3 * j + k);
            square += d * d;
        }
        return 1.0 / (square * square * square);
    }
};

/// All but the last part of a symmetric step of the variables of such a bath, after the kick of the
/// particles: half a step with V and E, half with the bath at fixed sigma, a full one with the
/// kinetic energies, half with the bath; and the factor of the drift of particles.
struct GeneralizedBathFirst {
    double dt;
    GeneralizedBath bath;

    SHADOW_INLINE void operator()(const Scalars& x) const {
        bath.kick(x, 0.5 * dt);
        if (!bath.couple(x, 0.5 * dt)) return;
        bath.drift(x, dt);
        (void)bath.couple(x, 0.5 * dt);
    }
};

/// The last part, with V at the new positions.
struct GeneralizedBathSecond {
    double dt;
    GeneralizedBath bath;

    SHADOW_INLINE void operator()(const Scalars& x) const { bath.kick(x, 0.5 * dt); }
};

/// Its temperature changes between two steps, its variables do not.
struct GeneralizedBathChange {
    double change; ///< of kT
    GeneralizedBath bath;

    SHADOW_INLINE void operator()(const Scalars& x) const {
        const double work = change * (bath.g * log(x[Scalar::s]) + bath.well(x));
        x[Scalar::energy_0] += work;
        x[Scalar::work] += work;
    }
};

} // namespace shadow
