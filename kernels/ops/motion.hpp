// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/by_level.hpp"
#include "kernels/ops/scalars.hpp"
#include "kernels/views.hpp"

namespace shadow {

/// Quantities that steps may follow, as a row of scalars from Scalar::motion_kinetic on: sums
/// p.M^-1 p and F.v, and means over particles of v^2, a^2 and a^16, of accelerations a.
template <int Dim>
struct MeasureMotion {
    struct Value {
        double kinetic, power, speed, acceleration, largest;
    };
    ParticlesView<Dim> particles;
    TotalForce<Dim> force;

    static SHADOW_FUNCTION Value identity() { return Value{}; }
    static SHADOW_FUNCTION Value combine(const Value& a, const Value& b) {
        return {a.kinetic + b.kinetic, a.power + b.power, a.speed + b.speed,
                a.acceleration + b.acceleration, a.largest + b.largest};
    }
    SHADOW_FUNCTION Value operator()(std::int64_t i) const {
        const double inverse_mass = particles.inverse_mass[particles.species[i]],
                     share = 1.0 / static_cast<double>(particles.size);
        double momentum2 = 0.0, power = 0.0, force2 = 0.0;
        for (int d = 0; d < Dim; ++d) {
            const double p = particles.momentum.component[d][i], f = force(d, i);
            momentum2 += p * p;
            power += f * p;
            force2 += f * f;
        }
        const double a2 = force2 * inverse_mass * inverse_mass, a4 = a2 * a2, a8 = a4 * a4;
        return {momentum2 * inverse_mass, power * inverse_mass,
                share * momentum2 * inverse_mass * inverse_mass, share * a2, share * (a8 * a8)};
    }
};

/// For forces f, as a row of scalars from Scalar::slope_power on: sums f.v and f.M^-1 f.
template <int Dim>
struct MeasureSlope {
    struct Value {
        double power, square;
    };
    ParticlesView<Dim> particles;
    TotalForce<Dim> force;

    static SHADOW_FUNCTION Value identity() { return Value{}; }
    static SHADOW_FUNCTION Value combine(const Value& a, const Value& b) {
        return {a.power + b.power, a.square + b.square};
    }
    SHADOW_FUNCTION Value operator()(std::int64_t i) const {
        const double inverse_mass = particles.inverse_mass[particles.species[i]];
        double power = 0.0, square = 0.0;
        for (int d = 0; d < Dim; ++d) {
            const double f = force(d, i);
            power += f * particles.momentum.component[d][i];
            square += f * f;
        }
        return {power * inverse_mass, square * inverse_mass};
    }
};

/// One thread: time since steps began to follow the motion (0 if they do not), and the weight of
/// the present measurement, for the last of `count` rows.
struct ReadClock {
    Scalars scalars;
    const std::int32_t* count;
    double* clock; ///< of all rows

    SHADOW_FUNCTION void operator()(std::int64_t) const {
        double* const last = clock + 2 * (std::int64_t{*count} - 1);
        last[0] = scalars[Scalar::elapsed];
        last[1] = scalars[Scalar::step_weight];
    }
};

} // namespace shadow
