// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/scalars.hpp"

#include <cmath>

/// Steps that follow the motion: a fictive time tau has equal steps, and dt = g dtau with a factor
/// g > 0 that does not change when momenta are reversed (Leimkuhler and Reich 2004, chapter 9).
namespace shadow {

/// How the factor at the end of a step follows from that at its start, and from g at its midpoint.
enum class FactorRule : int {
    mean,    ///< g is the mean of both (eq. 9.19)
    harmonic ///< their harmonic mean (eq. 9.20)
};

[[nodiscard]] SHADOW_INLINE double next_factor(FactorRule rule, double middle, double factor) {
    return rule == FactorRule::mean ? 2.0 * middle - factor : 1.0 / (2.0 / middle - 1.0 / factor);
}

/// Half of the change of a density rho of steps, rho' = d ln Q / dt, whose steps are eps / rho
/// (Hairer and Söderlind 2005, SIAM J. Sci. Comput. 26, 1838).
[[nodiscard]] SHADOW_INLINE double half_density_step(double density, double eps, double rate) {
    return density + 0.5 * eps * rate;
}

/// The quantity that steps follow.
enum class StepMeasure : int {
    kinetic_energy,
    potential_energy,
    arclength,            ///< mean of v^2 + t^2 a^2 over particles, of velocities and accelerations
    acceleration,         ///< root of the mean of a^2
    largest_acceleration, ///< 16th root of the mean of a^16, which is smooth
    pair_sum              ///< Scalar::step_sum
};

/// A step is g times dt, with Q = (X / X_0)^power of the quantity X that it follows, and
///
///     g = (1 + a Q) / (Q + 1 / b),
///
/// which is 1 / Q within shortest and longest steps of a and b times dt (Leimkuhler and Reich 2004,
/// section 9.3.3).
struct StepObjective {
    StepMeasure of = StepMeasure::acceleration;
    double power = 0.5;
    double offset = 0.0;          ///< added to an energy, or a sum over pairs
    double time = 0.0;            ///< t of an arclength
    double shortest = 0.0;        ///< a
    double inverse_longest = 0.0; ///< 1 / b; 0: no step is too long

    [[nodiscard]] SHADOW_INLINE bool is_energy() const {
        return of == StepMeasure::kinetic_energy || of == StepMeasure::potential_energy;
    }
    /// Whether its rate of change is known.
    [[nodiscard]] SHADOW_INLINE bool has_rate() const {
        return is_energy() || of == StepMeasure::pair_sum;
    }
    /// X
    [[nodiscard]] SHADOW_INLINE double measured(const Scalars& x) const {
        switch (of) {
        case StepMeasure::kinetic_energy:
            return 0.5 * x[Scalar::motion_kinetic] + offset;
        case StepMeasure::potential_energy:
            return x[Scalar::potential] + offset;
        case StepMeasure::arclength:
            return x[Scalar::motion_speed] + time * time * x[Scalar::motion_acceleration];
        case StepMeasure::acceleration:
            return sqrt(x[Scalar::motion_acceleration]);
        case StepMeasure::pair_sum:
            return x[Scalar::step_sum] + offset;
        default:
            return pow(x[Scalar::motion_largest], 0.0625);
        }
    }
    /// g; NaN if X / X_0 is negative.
    [[nodiscard]] SHADOW_INLINE double factor(const Scalars& x) const {
        return factor_at(x, measured(x));
    }
    /// g for a given X.
    [[nodiscard]] SHADOW_INLINE double factor_at(const Scalars& x, double measured) const {
        const double q = value(x, measured);
        return (1.0 + shortest * q) / (q + inverse_longest);
    }
    /// dg / dX
    [[nodiscard]] SHADOW_INLINE double slope_at(const Scalars& x, double measured) const {
        const double q = value(x, measured), below = q + inverse_longest;
        return power * q / measured * (shortest * inverse_longest - 1.0) / (below * below);
    }
    /// g of an energy from one of its parts, where the other is the initial total minus this part.
    [[nodiscard]] SHADOW_INLINE double factor_by(const Scalars& x, StepMeasure part,
                                                 double energy) const {
        return factor_at(x, (part == of ? energy : x[Scalar::energy_0] - energy) + offset);
    }
    /// d ln(1 / g) / dt, if it `has_rate`.
    [[nodiscard]] SHADOW_INLINE double rate(const Scalars& x) const {
        const double change = of == StepMeasure::kinetic_energy     ? x[Scalar::motion_power]
                              : of == StepMeasure::potential_energy ? -x[Scalar::motion_power]
                                                                    : -x[Scalar::slope_power],
                     q = value(x, measured(x)), relative = power * change / measured(x);
        return relative * q * (1.0 - shortest * inverse_longest) /
               ((q + inverse_longest) * (1.0 + shortest * q));
    }

  private:
    /// Q
    [[nodiscard]] SHADOW_INLINE double value(const Scalars& x, double measured) const {
        return pow(measured / x[Scalar::step_reference], power);
    }
};

/// Whether this is a valid length of a step.
[[nodiscard]] SHADOW_INLINE bool is_length(double factor) {
    return factor > 0.0 && factor < 1e300;
}

/// The first factor, density and rate, from the measurement at the start of a stage.
struct BeginSteps {
    StepObjective objective;
    double reference; ///< X_0; 0: the initial value

    SHADOW_INLINE void operator()(const Scalars& x) const {
        x[Scalar::step_reference] = reference != 0.0 ? reference : objective.measured(x);
        const double g = objective.factor(x), rate = objective.has_rate() ? objective.rate(x) : 0.0;
        if (!is_length(g) || !(rate == rate)) {
            x[Scalar::failed] = no_step_length;
            return;
        }
        x[Scalar::step_factor] = x[Scalar::step_weight] = g;
        x[Scalar::step_density] = 1.0 / g;
        x[Scalar::step_rate] = rate;
        x[Scalar::step_shortest] = x[Scalar::step_longest] = x[Scalar::step_count] = 0.0;
    }
};

/// Advances time by a step of `length`.
SHADOW_INLINE void pass_time(const Scalars& x, double length) {
    double &least = x[Scalar::step_shortest], &most = x[Scalar::step_longest];
    x[Scalar::elapsed] += length;
    x[Scalar::step_count] += 1.0;
    if (!(least > 0.0) || length < least) least = length;
    if (length > most) most = length;
}

/// At the midpoint of a step of an adaptive method, with the quantities of its objective there.
struct AdaptStep {
    StepObjective objective;
    FactorRule rule;
    double dt;

    SHADOW_INLINE void operator()(const Scalars& x) const {
        const double factor = x[Scalar::step_factor],
                     next = next_factor(rule, objective.factor(x), factor);
        if (!is_length(next)) {
            x[Scalar::failed] = no_step_length;
            return;
        }
        pass_time(x, 0.5 * dt * (factor + next));
        x[Scalar::step_factor] = x[Scalar::step_weight] = next;
    }
};

/// For a step in which kicks are scaled by the potential energy at the positions, and the drift by
/// the kinetic energy after the first kick: their factor; time advances in drifts.
struct ScaleByEnergy {
    StepObjective objective;
    StepMeasure part; ///< of the energy
    double dt;        ///< of the drift

    SHADOW_INLINE void operator()(const Scalars& x) const {
        const bool drifts = part == StepMeasure::kinetic_energy;
        const double g =
            objective.factor_by(x, part, drifts ? 0.5 * x[Scalar::kinetic] : x[Scalar::potential]);
        if (!is_length(g)) {
            x[Scalar::failed] = no_step_length;
            return;
        }
        x[Scalar::step_factor] = g;
        if (drifts)
            pass_time(x, dt * g);
        else
            x[Scalar::step_weight] = g;
    }
};

/// Advances a density of steps to the midpoint of a step, and sets its length.
struct StepDensityFirst {
    double dt;

    SHADOW_INLINE void operator()(const Scalars& x) const {
        const double density = half_density_step(x[Scalar::step_density], dt, x[Scalar::step_rate]);
        if (!is_length(1.0 / density)) {
            x[Scalar::failed] = no_step_length;
            return;
        }
        x[Scalar::step_density] = density;
        x[Scalar::step_factor] = 1.0 / density;
        pass_time(x, dt / density);
    }
};

/// And to its end, with the quantities of its objective there.
struct StepDensitySecond {
    StepObjective objective;
    double dt;

    SHADOW_INLINE void operator()(const Scalars& x) const {
        const double rate = objective.rate(x),
                     density = half_density_step(x[Scalar::step_density], dt, rate);
        if (!is_length(1.0 / density)) {
            x[Scalar::failed] = no_step_length;
            return;
        }
        x[Scalar::step_rate] = rate;
        x[Scalar::step_density] = density;
        x[Scalar::step_weight] = 1.0 / density;
    }
};

/// Symplectic Euler for g (K + V - E), with g a function of the potential energy V, kick first,
/// between two half kicks of the flow of the integral of g over V, which make its error of second
/// order on the initial energy E. The kick uses a multiple x of the forces, with
///
///     x = dt [g / 2 + (V - E + K') g'],    K' = K + x f.v + x^2 f.M^-1 f / 2
///
/// (Leimkuhler and Reich 2004, eqs. 9.33 and 9.34; Modin 2009, Paper II). Needs K, V and the slope
/// of V.
struct PoincareKick {
    StepObjective objective;
    double dt;

    SHADOW_INLINE void operator()(const Scalars& x) const {
        const double potential = x[Scalar::potential], g = objective.factor(x),
                     slope = dt * objective.slope_at(x, objective.measured(x)),
                     linear = 1.0 - slope * x[Scalar::slope_power],
                     twice_square = slope * x[Scalar::slope_square],
                     constant = 0.5 * dt * g + slope * (potential - x[Scalar::energy_0] +
                                                        0.5 * x[Scalar::kinetic]),
                     root2 = linear * linear - 2.0 * twice_square * constant;
        if (!is_length(g) || !(linear > 0.0) || !(root2 >= 0.0)) {
            x[Scalar::failed] = no_step_length;
            x[Scalar::kick_scale] = 0.0;
            return;
        }
        x[Scalar::step_factor] = g;
        x[Scalar::kick_scale] = 2.0 * constant / (linear + sqrt(root2));
    }
};

/// After its drift: the elapsed time, which is that of the drift to second order, and the factor of
/// the remaining half kick.
struct PoincareEnd {
    StepObjective objective;
    double dt;

    SHADOW_INLINE void operator()(const Scalars& x) const {
        const double g = objective.factor(x);
        if (!is_length(g)) {
            x[Scalar::failed] = no_step_length;
            return;
        }
        pass_time(x, dt * x[Scalar::step_factor]);
        x[Scalar::step_factor] = x[Scalar::step_weight] = g;
    }
};

} // namespace shadow
