// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/nose_hoover.hpp"
#include "kernels/views.hpp"

#include <cmath>

namespace shadow {

/// A box whose lengths L have velocities v = d ln L / dt, one for each group of directions, and a
/// mass W for each direction. With the kinetic energy K_a and the virial of direction a, and a mean
/// over the directions of a group,
///
///     W dv/dt = <2 K_a + sum r_a f_a> + 2 K / g - P V,
///     dp_a/dt = f_a - (v_a + d ln V/dt / g) p_a
///
/// (Martyna, Tobias and Klein 1994, J. Chem. Phys. 101, 4177: eq. 2.9 where all directions are one
/// group, and section II C without shears where each is one).
struct BoxMotion {
    double mass = 0.0; ///< W, energy time^2; 0: the box has none
    double pressure = 0.0;
    double g = 0.0;                 ///< degrees of freedom of the particles
    double least = 0.0, most = 0.0; ///< the minimum and the maximum volume
    int dimension = 0;
    int groups = 0;             ///< that change
    Axes axes[max_groups] = {}; ///< the directions of each

    /// Directions in a group.
    [[nodiscard]] SHADOW_INLINE int directions(int group) const {
        int count = 0;
        for (int d = 0; d < dimension; ++d) count += has_axis(axes[group], d) ? 1 : 0;
        return count;
    }
    [[nodiscard]] SHADOW_INLINE double twice_kinetic(const Scalars& x) const {
        double sum = 0.0;
        for (int d = 0; d < dimension; ++d) sum += x[of_row(Scalar::kinetic_along, d)];
        return sum;
    }
    /// d ln V / dt.
    [[nodiscard]] SHADOW_INLINE double growth(const Scalars& x) const {
        double sum = 0.0;
        for (int k = 0; k < groups; ++k) sum += directions(k) * x[of_row(Scalar::box_velocity, k)];
        return sum;
    }
    [[nodiscard]] SHADOW_INLINE double twice_energy_of_motion(const Scalars& x) const {
        double sum = 0.0;
        for (int k = 0; k < groups; ++k) {
            const double v = x[of_row(Scalar::box_velocity, k)];
            sum += directions(k) * mass * v * v;
        }
        return sum;
    }
    /// sum W v^2 / 2 + P V.
    [[nodiscard]] SHADOW_INLINE double energy(const Scalars& x) const {
        return mass > 0.0 ? 0.5 * twice_energy_of_motion(x) + pressure * x[Scalar::volume] : 0.0;
    }
    /// Changes the velocities of the box by the forces on it over a time.
    SHADOW_INLINE void push(const Scalars& x, double t) const {
        const double common = twice_kinetic(x) / g - pressure * x[Scalar::volume];
        for (int k = 0; k < groups; ++k) {
            double sum = 0.0;
            for (int d = 0; d < dimension; ++d)
                if (has_axis(axes[k], d))
                    sum += x[of_row(Scalar::kinetic_along, d)] + x[of_row(Scalar::virial_along, d)];
            x[of_row(Scalar::box_velocity, k)] += t * (sum / directions(k) + common) / mass;
        }
    }
    /// The chain of thermostats of the box over a time.
    SHADOW_INLINE void hold(const Scalars& x, const NoseHooverChain& chain, double t) const {
        double twice_energy = twice_energy_of_motion(x);
        const double factor = chain.flow(x, t, twice_energy);
        for (int k = 0; k < groups; ++k) x[of_row(Scalar::box_velocity, k)] *= factor;
    }
    /// The factors of momenta over a time, of each group and after these of the directions that do
    /// not change.
    SHADOW_INLINE void slow(const Scalars& x, double t) const {
        const double all = growth(x) / g;
        for (int k = 0; k < max_groups; ++k) {
            const double v = k < groups ? x[of_row(Scalar::box_velocity, k)] : 0.0;
            x[of_row(Scalar::box_friction, k)] = exp(-t * (v + all));
        }
    }
    /// The factors of lengths over a time: 1, and a flag, if the volume would be too small or
    /// large.
    SHADOW_INLINE void stretch(const Scalars& x, double t) const {
        const double next = x[Scalar::volume] * exp(t * growth(x));
        const bool stays = !(next >= least && next <= most);
        if (stays) x[Scalar::box_least] = next < least ? 1.0 : 2.0;
        for (int k = 0; k < groups; ++k)
            x[of_row(Scalar::box_strain, k)] =
                stays ? 1.0 : exp(t * x[of_row(Scalar::box_velocity, k)]);
    }
    /// The particles' chain of thermostats over a time; returns the factor of momenta.
    SHADOW_INLINE double warm(const Scalars& x, const NoseHooverChain& chain, double t) const {
        double twice = twice_kinetic(x);
        const double factor = chain.flow(x, t, twice);
        for (int d = 0; d < dimension; ++d) x[of_row(Scalar::kinetic_along, d)] *= factor * factor;
        return factor;
    }
};

/// The pressure on a box with a mass changes between two steps.
struct ChangePressure {
    double change;

    SHADOW_INLINE void operator()(const Scalars& x) const {
        x[Scalar::work] += change * x[Scalar::volume];
    }
};

/// The first half of a step with a box that has a mass: both chains of thermostats over `half` of
/// it, the force on the box, and the factors by which it changes momenta, a quarter of the step
/// each time, and lengths, over the full step (Martyna, Tuckerman, Tobias and Klein 1996, Mol.
/// Phys. 87, 1117, section 4). Kinetic energies, virial and volume are those of the end of the last
/// step.
struct MoveBoxFirst {
    static constexpr bool independent = true;
    double half;
    NoseHooverChain chain, box_chain;
    BoxMotion box;

    SHADOW_INLINE void operator()(const Scalars& x) const {
        x[Scalar::chain_first] = box.warm(x, chain, half);
        box.hold(x, box_chain, half);
        box.push(x, half);
        box.slow(x, 0.5 * half);
        box.stretch(x, 2.0 * half);
    }
};

/// The second half, with kinetic energies, virial and volume at its end.
struct MoveBoxSecond {
    double half;
    NoseHooverChain chain, box_chain;
    BoxMotion box;

    SHADOW_INLINE void operator()(const Scalars& x) const {
        box.push(x, half);
        box.hold(x, box_chain, half);
        x[Scalar::chain_last] = box.warm(x, chain, half);
    }
};

} // namespace shadow
