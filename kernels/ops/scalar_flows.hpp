// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/barostat.hpp"
#include "kernels/ops/scalars.hpp"
#include "kernels/ops/step_control.hpp"

#include <cmath>
#include <variant>

namespace shadow {

/// A chain of thermostats, each of which holds the next (Martyna, Klein and Tuckerman 1992).
struct NoseHooverChain {
    int length = 0;          ///< 0: there is none
    double first_mass = 1.0; ///< of the one that holds the particles, energy time^2
    double mass = 1.0;       ///< of each of the others
    double kT = 0.0;
    double g = 0.0; ///< degrees of freedom
    Scalar position = Scalar::chain_position, velocity = Scalar::chain_velocity; ///< of the first

    [[nodiscard]] SHADOW_INLINE double mass_of(int k) const { return k == 0 ? first_mass : mass; }
    /// Degrees of freedom that thermostat k holds: those of the particles, or of the one before.
    [[nodiscard]] SHADOW_INLINE double held_by(int k) const { return k == 0 ? g : 1.0; }

    /// sum Q_k v_k^2 / 2 + g kT x_1 + kT (x_2 + ...), with velocities v and positions x.
    [[nodiscard]] SHADOW_INLINE double energy(const Scalars& x) const {
        double sum = 0.0;
        for (int k = 0; k < length; ++k) {
            const double v = x[of_row(velocity, k)];
            sum += 0.5 * mass_of(k) * v * v + held_by(k) * kT * x[of_row(position, k)];
        }
        return sum;
    }

    /// Its exact flows over `dt`, with that of the scale of momenta, in a symmetric composition of
    /// fourth order (Martyna, Tuckerman, Tobias and Klein 1996, Mol. Phys. 87, 1117, with the
    /// weights of Yoshida 1990). Returns the factor of momenta; `twice_kinetic` gets its square.
    SHADOW_INLINE double flow(const Scalars& x, double dt, double& twice_kinetic) const {
        constexpr double outer = 1.3512071919596578; // 1 / (2 - 2^(1/3))
        double factor = 1.0;
        for (const double weight : {outer, 1.0 - 2.0 * outer, outer})
            factor *= leapfrog(x, weight * dt, twice_kinetic);
        return factor;
    }

  private:
    /// What drives thermostat k, divided by its mass.
    [[nodiscard]] SHADOW_INLINE double drive(const Scalars& x, int k, double twice_kinetic) const {
        if (k > 0) {
            const double v = x[of_row(velocity, k - 1)];
            twice_kinetic = mass_of(k - 1) * v * v;
        }
        return (twice_kinetic - held_by(k) * kT) / mass_of(k);
    }
    /// The flow of v_k over t: friction by the next one for half of it, the drive, friction again.
    SHADOW_INLINE void push(const Scalars& x, int k, double t, double twice_kinetic) const {
        double& v = x[of_row(velocity, k)];
        const double friction = k + 1 < length ? exp(-0.5 * t * x[of_row(velocity, k + 1)]) : 1.0;
        v = (v * friction + t * drive(x, k, twice_kinetic)) * friction;
    }
    SHADOW_INLINE double leapfrog(const Scalars& x, double t, double& twice_kinetic) const {
        for (int k = length; k-- > 0;) push(x, k, 0.5 * t, twice_kinetic);
        const double factor = exp(-t * x[velocity]);
        twice_kinetic *= factor * factor;
        for (int k = 0; k < length; ++k) x[of_row(position, k)] += t * x[of_row(velocity, k)];
        for (int k = 0; k < length; ++k) push(x, k, 0.5 * t, twice_kinetic);
        return factor;
    }
};

/// A box the lengths L of which have velocities v = d ln L / dt, one for each group of directions,
/// and a mass W for each direction. With K_a of the motion along direction a and so much of the
/// virial, and a mean over the directions of a group,
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
    double least = 0.0, most = 0.0; ///< no volume is less, or more
    int dimension = 0;
    int groups = 0;             ///< that move
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
    /// Its velocities change by the forces on it over a time.
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
    /// Its one chain of thermostats over a time.
    SHADOW_INLINE void hold(const Scalars& x, const NoseHooverChain& chain, double t) const {
        double twice_energy = twice_energy_of_motion(x);
        const double factor = chain.flow(x, t, twice_energy);
        for (int k = 0; k < groups; ++k) x[of_row(Scalar::box_velocity, k)] *= factor;
    }
    /// The factors of momenta over a time, of each group and behind these of the directions that
    /// stay.
    SHADOW_INLINE void slow(const Scalars& x, double t) const {
        const double all = growth(x) / g;
        for (int k = 0; k < max_groups; ++k) {
            const double v = k < groups ? x[of_row(Scalar::box_velocity, k)] : 0.0;
            x[of_row(Scalar::box_friction, k)] = exp(-t * (v + all));
        }
    }
    /// The factors of lengths over a time: 1, and a flag, where no volume may be so small or large.
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

/// Energy of the variables which a method adds, without the work on them: pi^2 / (2 mass) + g_kT
/// ln s - work, that of a chain, or 0; and what mollified kicks have more of energy at the averages
/// than where particles are, less the work of changes of the box and the heat of momenta that are
/// rescaled; and that of a box with a mass and of its chain. The conserved quantity of every method
/// is kinetic + potential - bath heat + this.
struct ExtendedEnergy {
    double bath_mass = 0.0; ///< 0: the method has no s and pi
    double g_kT = 0.0;
    NoseHooverChain chain = {}, box_chain = {};
    BoxMotion box = {};

    SHADOW_INLINE double operator()(const Scalars& x) const {
        const double work = x[Scalar::box_work] + x[Scalar::bath_heat] + x[Scalar::shear_work];
        const double other = x[Scalar::mollified] - x[Scalar::unmollified] - work + box.energy(x) +
                             box_chain.energy(x);
        if (chain.length > 0) return chain.energy(x) - x[Scalar::work] + other;
        if (bath_mass == 0.0) return other;
        const double pi = x[Scalar::pi];
        return 0.5 * pi * pi / bath_mass + g_kT * log(x[Scalar::s]) - x[Scalar::work] + other;
    }
};

/// First half of the Nosé-Poincaré generalized leapfrog after the half kick (Leimkuhler and Reich
/// 2004, eqs. 11.16 to 11.18): pi to the half step, s to the full step, the factor of the drift.
struct NosePoincareFirst {
    double dt, mass, kT, degrees_of_freedom;

    SHADOW_INLINE void operator()(const Scalars& x) const {
        const double s = x[Scalar::s];
        const double delta =
            0.5 * dt *
                (degrees_of_freedom * kT * (1.0 + log(s)) - 0.5 * x[Scalar::kinetic] / (s * s) +
                 (x[Scalar::potential] - x.fast_energy_0())) -
            x[Scalar::pi];
        const double discriminant = 1.0 - delta * dt / mass;
        const double pi = -2.0 * delta / (1.0 + sqrt(discriminant > 0.0 ? discriminant : 0.0));
        const double a = 0.5 * dt * pi / mass;
        if (!(discriminant >= 0.0) || !(a < 1.0) || !(a > -1.0)) {
            x[Scalar::failed] = 1.0;
            return;
        }
        const double s_new = s * (1.0 + a) / (1.0 - a);
        x[Scalar::pi] = pi;
        x[Scalar::s] = s_new;
        x[Scalar::drift_scale] = 0.5 * (1.0 / s_new + 1.0 / s);
    }
};

/// Second half, after the drift and with V at the new positions (eq. 11.20).
struct NosePoincareSecond {
    double dt, mass, kT, degrees_of_freedom;

    SHADOW_INLINE void operator()(const Scalars& x) const {
        const double s = x[Scalar::s], pi = x[Scalar::pi];
        const double twice_kinetic = x[Scalar::kinetic] / (s * s);
        const double delta_h = 0.5 * twice_kinetic + 0.5 * pi * pi / mass +
                               degrees_of_freedom * kT * log(s) +
                               (x[Scalar::potential] - x.fast_energy_0());
        x[Scalar::pi] = pi + 0.5 * dt * (twice_kinetic - degrees_of_freedom * kT - delta_h);
    }
};

/// The flow of s [V - E] of a slow level on pi, V of it and E what it has of energy_0; s and q
/// stay.
struct NosePoincareSlow {
    double dt;
    int level;

    SHADOW_INLINE void operator()(const Scalars& x) const {
        x[Scalar::pi] -= dt * (x[Scalar::potential] - x[level_energy_0(level)]);
    }
};

/// The temperature of the bath changes between two steps, s does not: dH = g d(kT) ln s.
struct NosePoincareTemperature {
    double g_dkT;

    SHADOW_INLINE void operator()(const Scalars& x) const {
        const double work = g_dkT * log(x[Scalar::s]);
        x[Scalar::energy_0] += work;
        x[Scalar::work] += work;
    }
};

/// A Nosé-Hoover chain over half of a step, at its beginning. The kinetic energy is that of the end
/// of the last step, from which nothing has changed it: no flow waits for this one, nor this for a
/// flow of particles.
struct NoseHooverFirst {
    static constexpr bool independent = true;
    double dt;
    NoseHooverChain chain = {};

    SHADOW_INLINE void operator()(const Scalars& x) const {
        x[Scalar::chain_first] = chain.flow(x, dt, x[Scalar::chain_kinetic]);
    }
};

/// The same at the end of a step, with Scalar::kinetic.
struct NoseHooverSecond {
    double dt;
    NoseHooverChain chain = {};

    SHADOW_INLINE void operator()(const Scalars& x) const {
        x[Scalar::chain_kinetic] = x[Scalar::kinetic];
        x[Scalar::chain_last] = chain.flow(x, dt, x[Scalar::chain_kinetic]);
    }
};

/// The temperature of a chain changes between two steps.
struct NoseHooverTemperature {
    double change; ///< of kT
    NoseHooverChain chain = {};

    SHADOW_INLINE void operator()(const Scalars& x) const {
        for (int k = 0; k < chain.length; ++k)
            x[Scalar::work] += chain.held_by(k) * change * x[of_row(chain.position, k)];
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
/// each time, and lengths, over the whole step (Martyna, Tuckerman, Tobias and Klein 1996, Mol.
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

/// All momenta are multiplied by a number, whose square this is; what that gives them is counted.
SHADOW_INLINE void rescale_momenta(const Scalars& x, double square, bool turned = false) {
    x[Scalar::momentum_factor] = turned ? -sqrt(square) : sqrt(square);
    x[Scalar::bath_heat] += 0.5 * x[Scalar::kinetic] * (square - 1.0);
}

/// How all momenta are rescaled in a step, such that the kinetic energy is that of a canonical
/// ensemble (Bussi, Donadio and Parrinello 2007, J. Chem. Phys. 126, 014101, eq. A7).
/// Scalar::squares is of one less than the degrees of freedom.
struct RescaleMomenta {
    double kT, decay; ///< exp(-dt / time)

    SHADOW_INLINE void operator()(const Scalars& x) const {
        x[Scalar::momentum_factor] = 1.0;
        if (!(x[Scalar::kinetic] > 0.0)) return;
        const double noise = sqrt((1.0 - decay) * kT / x[Scalar::kinetic]),
                     along = sqrt(decay) + noise * x[Scalar::normal],
                     square = along * along + noise * noise * x[Scalar::squares];
        rescale_momenta(x, square, along < 0.0);
    }
};

/// The same without noise: twice the kinetic energy comes closer to `wanted` by a part of what it
/// lacks (Berendsen et al. 1984, J. Chem. Phys. 81, 3684, eq. 11).
struct CoupleWeakly {
    double wanted, part;

    SHADOW_INLINE void operator()(const Scalars& x) const {
        x[Scalar::momentum_factor] = 1.0;
        if (!(x[Scalar::kinetic] > 0.0)) return;
        rescale_momenta(x, 1.0 + part * (wanted / x[Scalar::kinetic] - 1.0));
    }
};

/// Every functor that `System::advance` takes.
using ScalarFlow =
    std::variant<NosePoincareFirst, NosePoincareSecond, NosePoincareSlow, NosePoincareTemperature,
                 NoseHooverFirst, NoseHooverSecond, NoseHooverTemperature, RescaleMomenta,
                 CoupleWeakly, ProposeVolume, AcceptVolume, ChangePressure, MoveBoxFirst,
                 MoveBoxSecond, BeginSteps, AdaptStep, StepDensityFirst, StepDensitySecond>;

} // namespace shadow
