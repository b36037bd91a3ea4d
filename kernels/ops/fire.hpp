// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/by_level.hpp"
#include "kernels/ops/scalars.hpp"

#include <cmath>

/// The fast inertial relaxation engine (Bitzek, Koskinen, Gähler, Moseler, Gumbsch 2006). Every
/// particle has unit mass here: only the path to the minimum depends on it.
namespace shadow {

/// The sums that FIRE needs, as a row of scalars from Scalar::descent_power on.
template <int Dim>
struct MeasureFire {
    struct Value {
        double power;         ///< sum F.v
        double velocity2;     ///< sum v.v
        double force2;        ///< sum F.F
        double largest_force; ///< max |F|^2
    };
    ParticlesView<Dim> particles;
    TotalForce<Dim> force;

    static SHADOW_FUNCTION Value identity() { return {0.0, 0.0, 0.0, 0.0}; }
    static SHADOW_FUNCTION Value combine(const Value& a, const Value& b) {
        return {a.power + b.power, a.velocity2 + b.velocity2, a.force2 + b.force2,
                a.largest_force > b.largest_force ? a.largest_force : b.largest_force};
    }
    SHADOW_FUNCTION Value operator()(std::int64_t i) const {
        Value sums = identity();
        for (int d = 0; d < Dim; ++d) {
            const double v = particles.momentum.component[d][i];
            const double f = force(d, i);
            sums.power += f * v;
            sums.velocity2 += v * v;
            sums.force2 += f * f;
        }
        sums.largest_force = sums.force2;
        return sums;
    }
};

/// The rules of FIRE with its published parameters.
struct ControlFire {
    double largest_step; ///< upper limit of the step

    SHADOW_INLINE void operator()(const Scalars& x) const {
        double &step = x[Scalar::descent_step], &mixing = x[Scalar::descent_mixing],
               &downhill = x[Scalar::descent_downhill];
        if (x[Scalar::descent_power] > 0.0) {
            const double force2 = x[Scalar::descent_force];
            x[Scalar::descent_keep] = 1.0 - mixing;
            x[Scalar::descent_turn] =
                force2 > 0.0 ? mixing * sqrt(x[Scalar::descent_speed] / force2) : 0.0;
            downhill += 1.0;
            if (downhill > 5.0) {
                step = step * 1.1 < largest_step ? step * 1.1 : largest_step;
                mixing *= 0.99;
            }
        } else {
            x[Scalar::descent_keep] = x[Scalar::descent_turn] = 0.0;
            step *= downhill > 0.0 ? 0.5 : 1.0;
            mixing = 0.1;
            downhill = 0.0;
        }
    }
};

/// v <- keep v + turn F + dt F, then x <- x + dt v, where no particle moves by more than
/// `longest_move`.
template <int Dim>
struct MoveFire {
    ParticlesView<Dim> particles;
    TotalForce<Dim> force;
    Scalars scalars;
    double longest_move;

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        const double step = scalars[Scalar::descent_step], keep = scalars[Scalar::descent_keep],
                     turn = scalars[Scalar::descent_turn];
        double v[Dim], square = 0.0, largest = 0.0;
        for (int d = 0; d < Dim; ++d) {
            v[d] = keep * particles.momentum.component[d][i] + (turn + step) * force(d, i);
            largest = fabs(v[d]) > largest ? fabs(v[d]) : largest;
        }
        if (!(largest > 0.0)) largest = 1.0;
        for (int d = 0; d < Dim; ++d) square += (v[d] / largest) * (v[d] / largest);
        const double move = step * largest * sqrt(square);
        const double scale = move > longest_move ? longest_move / move : 1.0;
        for (int d = 0; d < Dim; ++d) {
            v[d] *= scale;
            particles.momentum.component[d][i] = v[d];
            particles.position.component[d][i] += step * v[d];
        }
    }
};

} // namespace shadow
