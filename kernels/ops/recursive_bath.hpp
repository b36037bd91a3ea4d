// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/scalars.hpp"

#include <cmath>

namespace shadow {

/// Nosé thermostats s_1 ... s_M, each of which scales the particles and the thermostats before it
/// (after Leimkuhler and Sweet 2005, SIAM J. Appl. Dyn. Syst. 4, 187), of masses Q, in the
/// Hamiltonian
///
///     S [sum p^2 / (2 m S^2) + V(q) + sum_j pi_j^2 / (2 Q (s_(j+1) ... s_M)^2) + g kT ln S
///        + kT sum_(j>1) ((j - 1) ln s_j + w (ln s_j)^2 / 2) - E],  S = s_1 ... s_M.
///
/// With p / S and pi_j / (s_(j+1) ... s_M) as momenta the volume of phase space has s_1^(g-1) and
/// s_j^(g+j-2), whose logarithms make ln s_j normal with the variance 1/w, and particles canonical.
///
/// Its coordinates are S = Scalar::s and, in the rows of a bath, s_2 ...; their momenta are
/// Scalar::pi = pi_1 / (s_2 ... s_M) and pi_j - pi S / s_j. In these the first thermostat is that
/// of Nosé-Poincaré, S pi^2 / (2 Q).
struct RecursiveBath {
    int length = 0; ///< M; 0: there is none
    double mass = 1.0, kT = 0.0;
    double g = 0.0; ///< degrees of freedom of the particles

    /// s_(j+2) and its momentum: the thermostats after the first.
    [[nodiscard]] SHADOW_INLINE static double& scale(const Scalars& x, int j) {
        return x[of_row(Scalar::bath_position, j)];
    }
    [[nodiscard]] SHADOW_INLINE static double& momentum(const Scalars& x, int j) {
        return x[of_row(Scalar::bath_momentum, j)];
    }
    [[nodiscard]] SHADOW_INLINE int further() const { return length > 1 ? length - 1 : 0; }
    /// w: as stiff as the first thermostat for many degrees of freedom, and for few stiff enough to
    /// keep the spread of s_j within a quarter.
    [[nodiscard]] SHADOW_INLINE double stiffness() const { return g + 16.0; }
    /// (s_(k+1) ... s_M)^2 of the thermostat after the first.
    [[nodiscard]] SHADOW_INLINE double behind(const Scalars& x, int j) const {
        double product = 1.0;
        for (int k = j + 1; k < further(); ++k) product *= scale(x, k);
        return product * product;
    }
    /// pi_j
    [[nodiscard]] SHADOW_INLINE double own(const Scalars& x, int j) const {
        return momentum(x, j) + x[Scalar::pi] * x[Scalar::s] / scale(x, j);
    }
    /// The energy of their logarithms, divided by kT.
    [[nodiscard]] SHADOW_INLINE double well(const Scalars& x) const {
        double sum = 0.0;
        for (int j = 0; j < further(); ++j) {
            const double log_s = log(scale(x, j));
            sum += ((j + 1) + 0.5 * stiffness() * log_s) * log_s;
        }
        return sum;
    }
    /// For the thermostats after the first.
    [[nodiscard]] SHADOW_INLINE double further_energy(const Scalars& x) const {
        double sum = kT * well(x);
        for (int j = 0; j < further(); ++j)
            sum += 0.5 * own(x, j) * own(x, j) / (mass * behind(x, j));
        return sum;
    }
    [[nodiscard]] SHADOW_INLINE double energy(const Scalars& x) const {
        const double pi = x[Scalar::pi];
        return 0.5 * pi * pi / mass + g * kT * log(x[Scalar::s]) + further_energy(x);
    }

    /// The flow of S (V - E), without the momenta of particles. Like all of these flows it adds its
    /// p dq - H dt to Scalar::action.
    SHADOW_INLINE void kick(const Scalars& x, double t) const {
        x[Scalar::action] -= t * x[Scalar::s] * (x[Scalar::potential] - x[Scalar::energy_0]);
        x[Scalar::pi] -= t * (x[Scalar::potential] - x[Scalar::energy_0]);
    }
    /// The flow of S times the kinetic energy of particles, without their positions, and the
    /// logarithms.
    SHADOW_INLINE void drift(const Scalars& x, double t) const {
        const double s = x[Scalar::s];
        x[Scalar::action] += t * (0.5 * x[Scalar::kinetic] / s - s * kT * (g * log(s) + well(x)));
        x[Scalar::pi] +=
            t * (0.5 * x[Scalar::kinetic] / (s * s) - g * kT * (1.0 + log(s)) - kT * well(x));
        for (int j = 0; j < further(); ++j) {
            const double own_s = scale(x, j);
            momentum(x, j) -= t * s * kT / own_s * ((j + 1) + stiffness() * log(own_s));
        }
    }
    /// The flows of the kinetic energies of the thermostats one after another, from the last to the
    /// first or back. False: one would make s negative, or grow fourfold, and it and the following
    /// ones are unchanged.
    SHADOW_INLINE bool thermostats(const Scalars& x, double t, bool from_last) const {
        bool found = true;
        if (!from_last) found = first_thermostat(x, t);
        for (int k = 0; k < further() && found; ++k)
            found = thermostat(x, from_last ? further() - 1 - k : k, t);
        if (from_last && found) found = first_thermostat(x, t);
        if (!found) x[Scalar::failed] = 1.0;
        return found;
    }

  private:
    [[nodiscard]] SHADOW_INLINE static bool grows_little(double growth) {
        return growth > 0.0 && growth < 2.0;
    }
    SHADOW_INLINE bool first_thermostat(const Scalars& x, double t) const {
        const double growth = 1.0 + 0.5 * t * x[Scalar::pi] / mass;
        if (!grows_little(growth)) return false;
        x[Scalar::action] += 0.5 * t * x[Scalar::s] * x[Scalar::pi] * x[Scalar::pi] / mass;
        x[Scalar::s] *= growth * growth;
        x[Scalar::pi] /= growth;
        return true;
    }
    /// S pi_k^2 / (2 Q (s_(k+1) ...)^2), which is conserved; so is S / s_k.
    SHADOW_INLINE bool thermostat(const Scalars& x, int k, double t) const {
        const double ratio = x[Scalar::s] / scale(x, k), heavy = mass * behind(x, k),
                     held = own(x, k), growth = 1.0 + 0.5 * t * ratio * held / heavy;
        if (!grows_little(growth)) return false;
        const double square = growth * growth, energy = 0.5 * held * held / heavy;
        x[Scalar::action] += t * x[Scalar::s] * energy;
        for (int j = k + 1; j < further(); ++j)
            momentum(x, j) += 2.0 * t * x[Scalar::s] * energy / scale(x, j);
        x[Scalar::pi] = (x[Scalar::pi] - t * energy) / square;
        momentum(x, k) = held / growth - x[Scalar::pi] * ratio;
        x[Scalar::s] *= square;
        scale(x, k) *= square;
        return true;
    }
};

/// The temperature changes between two steps, the variables do not.
struct ExplicitNoseChange {
    static constexpr bool independent = true;
    double change; ///< of kT
    RecursiveBath bath;

    SHADOW_INLINE void operator()(const Scalars& x) const {
        const double work = change * (bath.g * log(x[Scalar::s]) + bath.well(x));
        x[Scalar::energy_0] += work;
        x[Scalar::work] += work;
    }
};

} // namespace shadow
