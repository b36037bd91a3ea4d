// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/boost.hpp"
#include "kernels/ops/scalars.hpp"

#include <cmath>

namespace shadow {

/// A Nosé bath for a density of the energy E = K + V (generalized density dynamics: Barth, Laird
/// and Leimkuhler 2003, J. Chem. Phys. 118, 5759; Leimkuhler and Reich 2004, section 11.4.2). With
/// F(E) a flattened energy, Nosé's is F(E) + pi^2 / (2 Q) + g kT ln s; where that has its conserved
/// value E_0,
///
///     s [sum p^2 / (2 m s^2) + V(q) - G(s, pi)] = 0,  G = F^-1(E_0 - pi^2 / (2 Q) - g kT ln s),
///
/// is a Hamiltonian with real time in which V is a separate term. Its surface has the density
/// exp(-F(E)/kT) F'(E); F(E) = E is Nosé-Poincaré. Energies are relative to the initial one, so
/// that parts of a step change pi little.
struct DensityBath {
    double mass = 1.0, g_kT = 0.0;
    Boost boost = {};

    /// E where s = 1 and pi = 0.
    [[nodiscard]] SHADOW_INLINE double reference(const Scalars& x) const {
        return boost.inverse(x[Scalar::energy_0]);
    }
    /// The flow of s V, without the momenta of particles.
    SHADOW_INLINE void kick(const Scalars& x, double t) const {
        x[Scalar::pi] -= t * (x[Scalar::potential] - reference(x));
    }
    /// The flow of s times the kinetic energy, without the positions.
    SHADOW_INLINE void drift(const Scalars& x, double t) const {
        x[Scalar::pi] += 0.5 * t * x[Scalar::kinetic] / (x[Scalar::s] * x[Scalar::s]);
    }
    /// The flow of -s G by the implicit midpoint rule, solved by iteration to rounding. False: s
    /// would grow or shrink fourfold or there is no solution, and it is unchanged.
    SHADOW_INLINE bool thermostats(const Scalars& x, double t, bool /*from_last*/) const {
        const double s = x[Scalar::s], pi = x[Scalar::pi], start = reference(x);
        // Energies are differences of these.
        const double rounded =
            fabs(start) + fabs(boost.threshold) + fabs(x[Scalar::energy_0]) + boost.width;
        double to_s = s, to_pi = pi;
        for (int k = 0; k < 100; ++k) {
            const double mid_s = 0.5 * (s + to_s), mid_pi = 0.5 * (pi + to_pi),
                         energy = boost.inverse(x[Scalar::energy_0] - 0.5 * mid_pi * mid_pi / mass -
                                                g_kT * log(mid_s)),
                         slope = boost.slope(energy), excess = energy - start,
                         new_s = s + t * mid_s * mid_pi / (mass * slope),
                         new_pi = pi + t * (excess - g_kT / slope),
                         size = fabs(pi) + fabs(t) * (rounded + g_kT) / slope;
            const bool found =
                fabs(new_s - to_s) <= 2e-15 * s && fabs(new_pi - to_pi) <= 1e-15 * size;
            to_s = new_s;
            to_pi = new_pi;
            if (!(to_s > 0.25 * s && to_s < 4.0 * s)) break;
            if (!found) continue;
            x[Scalar::s] = to_s;
            x[Scalar::pi] = to_pi;
            return true;
        }
        x[Scalar::failed] = 1.0;
        return false;
    }
};

} // namespace shadow
