// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/by_level.hpp"
#include "kernels/macros.hpp"

#include <cmath>
#include <variant>

namespace shadow {

/// Numbers which feed back into the dynamics; they live in backend memory beside the particles.
enum class Scalar : int {
    one = 0,        ///< always 1
    s,              ///< time scaling of a Nosé bath; physical momentum = canonical momentum / s
    pi,             ///< momentum of s
    drift_scale,    ///< factor of the next drift
    kinetic,        ///< sum p.M^-1 p, by System::measure_kinetic
    potential,      ///< V(q), or that of a level, by System::measure_potential
    energy_0,       ///< the constant E of the Nosé-Poincaré Hamiltonian
    failed,         ///< not 0: a flow met a condition without a solution
    work,           ///< given to a Nosé bath by a temperature that changes
    mollified,      ///< energy at averages of levels with mollified kicks, when last measured,
    unmollified,    ///< and that where particles are
    level_energy_0, ///< what a slow level has of energy_0, one after the other
    count = level_energy_0 + max_levels - 1
};

/// level > 1
SHADOW_INLINE constexpr Scalar level_energy_0(int level) {
    return static_cast<Scalar>(static_cast<int>(Scalar::level_energy_0) + level - 2);
}

/// Scalars as a functor sees them.
struct Scalars {
    double* value;
    SHADOW_INLINE double& operator[](Scalar which) const { return value[static_cast<int>(which)]; }
    /// What slow levels leave of energy_0.
    [[nodiscard]] SHADOW_INLINE double fast_energy_0() const {
        double left = (*this)[Scalar::energy_0];
        for (int level = 2; level <= max_levels; ++level) left -= (*this)[level_energy_0(level)];
        return left;
    }
};

/// Energy of the variables which a method adds, without the work on them: pi^2 / (2 mass) + g_kT
/// ln s - work, or 0; and what mollified kicks have more of energy at the averages than where
/// particles are. The conserved quantity of every method is kinetic + potential - bath heat + this.
struct ExtendedEnergy {
    double bath_mass = 0.0; ///< 0: the method adds no variables
    double g_kT = 0.0;

    SHADOW_INLINE double operator()(const Scalars& x) const {
        const double mollified = x[Scalar::mollified] - x[Scalar::unmollified];
        if (bath_mass == 0.0) return mollified;
        const double pi = x[Scalar::pi];
        return 0.5 * pi * pi / bath_mass + g_kT * log(x[Scalar::s]) - x[Scalar::work] + mollified;
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

/// Every functor that `System::advance` takes.
using ScalarFlow =
    std::variant<NosePoincareFirst, NosePoincareSecond, NosePoincareSlow, NosePoincareTemperature>;

} // namespace shadow
