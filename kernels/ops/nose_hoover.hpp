// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/scalars.hpp"

#include <cmath>
#include <initializer_list>

namespace shadow {

/// A chain of thermostats, each of which thermostats the previous one (Martyna, Klein and Tuckerman
/// 1992).
struct NoseHooverChain {
    int length = 0;          ///< 0: there is none
    double first_mass = 1.0; ///< of the one that thermostats the particles, energy time^2
    double mass = 1.0;       ///< of each of the others
    double kT = 0.0;
    double g = 0.0; ///< degrees of freedom
    Scalar position = Scalar::chain_position, velocity = Scalar::chain_velocity; ///< of the first

    [[nodiscard]] SHADOW_INLINE double mass_of(int k) const { return k == 0 ? first_mass : mass; }
    /// Degrees of freedom that thermostat k controls: those of the particles, or of the previous
    /// thermostat.
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
    /// weights of Yoshida 1990): one, or as many as resolve a chain far from equilibrium, where
    /// many degrees of freedom drive it. Returns the factor of momenta; `twice_kinetic` is
    /// multiplied by its square.
    SHADOW_INLINE double flow(const Scalars& x, double dt, double& twice_kinetic) const {
        constexpr double outer = 1.3512071919596578; // 1 / (2 - 2^(1/3))
        constexpr double min_part = 1.0 / 65536.0;
        double factor = 1.0, rest = 1.0, part = 1.0;
        while (rest > 0.0) {
            part = fmin(rest, 2.0 * part);
            while (part > min_part && !follows(x, part * fabs(dt), twice_kinetic)) part *= 0.5;
            for (const double weight : {outer, 1.0 - 2.0 * outer, outer})
                factor *= leapfrog(x, weight * part * dt, twice_kinetic);
            rest -= part;
        }
        return factor;
    }

  private:
    /// The driving force of thermostat k, divided by its mass.
    [[nodiscard]] SHADOW_INLINE double drive(const Scalars& x, int k, double twice_kinetic) const {
        if (k > 0) {
            const double v = x[of_row(velocity, k - 1)];
            twice_kinetic = mass_of(k - 1) * v * v;
        }
        return driven_by(k, twice_kinetic);
    }
    [[nodiscard]] SHADOW_INLINE double driven_by(int k, double twice_kinetic) const {
        return (twice_kinetic - held_by(k) * kT) / mass_of(k);
    }
    /// Whether thermostats move little over t, and drive each other little.
    [[nodiscard]] SHADOW_INLINE bool follows(const Scalars& x, double t,
                                             double twice_kinetic) const {
        constexpr double turn = 0.5;
        bool all = true;
        for (int k = 0; k < length; ++k) { // with the velocities that may be reached in that time
            const double driven = fabs(driven_by(k, twice_kinetic)),
                         reached = fabs(x[of_row(velocity, k)]) + driven * t;
            all = all && !(reached * t > turn) && !(driven * t * t > turn * turn);
            twice_kinetic = mass_of(k) * reached * reached;
        }
        return all;
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

/// A Nosé-Hoover chain over half of a step, at its beginning. The kinetic energy is that of the end
/// of the last step, since nothing has changed it: no flow waits for this one, and this one for no
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

/// Friction and noise of a thermostat, the exact flow of an Ornstein-Uhlenbeck process, with
/// Scalar::normal; their heat is counted. No flow of particles changes the thermostat's velocity.
struct NoseHooverNoise {
    static constexpr bool independent = true;
    double friction; ///< times the time of the flow
    NoseHooverChain chain = {};

    SHADOW_INLINE void operator()(const Scalars& x) const {
        double& v = x[chain.velocity];
        const double before = v, mean_square = chain.kT / chain.first_mass;
        v = exp(-friction) * v + sqrt(-expm1(-2.0 * friction) * mean_square) * x[Scalar::normal];
        x[Scalar::bath_heat] += 0.5 * chain.first_mass * (v * v - before * before);
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

} // namespace shadow
