// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/scalars.hpp"

#include <cmath>

namespace shadow {

/// A box whose volume V is a coordinate, with the momentum pi_V = Scalar::box_momentum and the mass
/// Q_V = Scalar::box_mass (Andersen 1980, J. Chem. Phys. 72, 2384), in a Hamiltonian whose time is
/// s times faster: s [... + pi_V^2 / (2 Q_V) + P V] (Sturgeon and Laird 2000, J. Chem. Phys. 112,
/// 3474).
struct AndersenBox {
    int dimension = 0; ///< 0: there is none
    double pressure = 0.0;
    double least = 0.0, most = 0.0; ///< the minimum and the maximum volume

    [[nodiscard]] SHADOW_INLINE double energy(const Scalars& x) const {
        if (dimension == 0) return 0.0;
        const double momentum = x[Scalar::box_momentum];
        return 0.5 * momentum * momentum / x[Scalar::box_mass] + pressure * x[Scalar::volume];
    }
    /// pi_V changes by the pressure of particles with this kinetic energy, over a time of the
    /// Hamiltonian without s.
    SHADOW_INLINE void push(const Scalars& x, double twice_kinetic, double t) const {
        if (dimension == 0) return;
        const double inside = (twice_kinetic + x[Scalar::virial]) / (dimension * x[Scalar::volume]);
        x[Scalar::box_momentum] += t * (inside - pressure);
    }
    /// V changes by its momentum over such a time: the factors of lengths and of momenta.
    SHADOW_INLINE void stretch(const Scalars& x, double t) const {
        const double before = x[Scalar::volume],
                     after = before + t * x[Scalar::box_momentum] / x[Scalar::box_mass];
        const bool stays = !(after >= least && after <= most);
        if (stays) x[Scalar::box_least] = after < least ? 1.0 : 2.0;
        hold(x, stays ? 1.0 : pow(after / before, 1.0 / dimension));
    }
    SHADOW_INLINE void hold(const Scalars& x, double strain) const {
        x[Scalar::strain] = strain;
        x[Scalar::box_friction] = 1.0 / strain;
    }
};

/// First half of the Nosé-Poincaré generalized leapfrog after the half kick (Leimkuhler and Reich
/// 2004, eqs. 11.16 to 11.18): pi to the half step, s to the full step, the factor of the drift.
/// With a box, first its momentum to the half step, and last its volume to the full step (Sturgeon
/// and Laird 2000): the drift uses momenta before they are scaled, and precedes the scaling of
/// positions.
///
/// Scalar::action of a step without a box is (q_1 - q_0).p - dt (H_0 + H_1) / 2 of all coordinates
/// and of the momenta p at half of it, with H_0 and H_1 at the positions before and after it: by
/// its differential p_1 dq_1 - p_0 dq_0 this is the generating function of the step.
struct NosePoincareFirst {
    double dt, mass, kT, degrees_of_freedom;
    AndersenBox box = {};
    bool begins = true; ///< whether this is the first part of a step

    SHADOW_INLINE void operator()(const Scalars& x) const {
        const double s = x[Scalar::s], twice_kinetic = x[Scalar::kinetic] / (s * s);
        box.push(x, twice_kinetic, 0.5 * dt * s);
        const double delta =
            0.5 * dt *
                (degrees_of_freedom * kT * (1.0 + log(s)) - 0.5 * x[Scalar::kinetic] / (s * s) +
                 (x[Scalar::potential] - x.fast_energy_0() + box.energy(x))) -
            x[Scalar::pi];
        const double discriminant = 1.0 - delta * dt / mass;
        const double pi = -2.0 * delta / (1.0 + sqrt(discriminant > 0.0 ? discriminant : 0.0));
        const double a = 0.5 * dt * pi / mass;
        if (!(discriminant >= 0.0) || !(a < 1.0) || !(a > -1.0)) {
            x[Scalar::failed] = 1.0;
            if (box.dimension > 0) box.hold(x, 1.0);
            return;
        }
        const double s_new = s * (1.0 + a) / (1.0 - a);
        x[Scalar::pi] = pi;
        x[Scalar::s] = s_new;
        x[Scalar::drift_scale] = 0.5 * (1.0 / s_new + 1.0 / s);
        const double energy = 0.5 * twice_kinetic + 0.5 * pi * pi / mass +
                              degrees_of_freedom * kT * log(s) + x[Scalar::potential] -
                              x.fast_energy_0();
        x[Scalar::action] = (begins ? 0.0 : x[Scalar::action]) +
                            dt * x[Scalar::drift_scale] * x[Scalar::kinetic] + pi * (s_new - s) -
                            0.5 * dt * s * energy;
        if (box.dimension == 0) return;
        box.stretch(x, 0.5 * dt * (s + s_new));
        const double slower = x[Scalar::box_friction] * x[Scalar::box_friction];
        x[Scalar::drift_scale] = 0.5 * (slower / s_new + 1.0 / s);
        x[Scalar::kinetic] *= slower;
    }
};

/// Second half, after the drift and with V at the new positions (eq. 11.20), and with the virial
/// and the volume there.
struct NosePoincareSecond {
    double dt, mass, kT, degrees_of_freedom;
    AndersenBox box = {};

    SHADOW_INLINE void operator()(const Scalars& x) const {
        const double s = x[Scalar::s], pi = x[Scalar::pi];
        const double twice_kinetic = x[Scalar::kinetic] / (s * s);
        const double delta_h = 0.5 * twice_kinetic + 0.5 * pi * pi / mass +
                               degrees_of_freedom * kT * log(s) +
                               (x[Scalar::potential] - x.fast_energy_0() + box.energy(x));
        x[Scalar::pi] = pi + 0.5 * dt * (twice_kinetic - degrees_of_freedom * kT - delta_h);
        x[Scalar::action] -= 0.5 * dt * s * delta_h;
        box.push(x, twice_kinetic, 0.5 * dt * s);
    }
};

/// The flow of s [V - E] of a slow level on pi, with the level's V and E, its part of energy_0; s
/// and q are constant.
struct NosePoincareSlow {
    double dt;
    int level;

    SHADOW_INLINE void operator()(const Scalars& x) const {
        x[Scalar::pi] -= dt * (x[Scalar::potential] - x[level_energy_0(level)]);
    }
};

/// The temperature of the bath and the pressure on a box change between two steps, s and V do not:
/// dH = g d(kT) ln s + dP V.
struct NosePoincareChange {
    double g_dkT, more_pressure = 0.0;

    SHADOW_INLINE void operator()(const Scalars& x) const {
        const double work = g_dkT * log(x[Scalar::s]) + more_pressure * x[Scalar::volume];
        x[Scalar::energy_0] += work;
        x[Scalar::work] += work;
    }
};

} // namespace shadow
