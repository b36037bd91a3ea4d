// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/by_level.hpp"

#include <cmath>

namespace shadow {

/// What FIRE needs to know of the whole system.
struct FireSums {
    double power;         ///< sum F.v
    double velocity2;     ///< sum v.v
    double force2;        ///< sum F.F
    double largest_force; ///< max |F|^2
};

/// State of the minimiser; lives in backend memory.
struct FireState {
    double step_size, mixing;
    double keep, turn; ///< v <- keep v + turn F
    std::int64_t downhill;
    double largest_force; ///< max |F| at the last step
    double largest_step;  ///< constant: the step size never exceeds this
};

template <int Dim>
struct MeasureFire {
    using Value = FireSums;
    ParticlesView<Dim> particles;
    TotalForce<Dim> force;

    static SHADOW_FUNCTION FireSums identity() { return {0.0, 0.0, 0.0, 0.0}; }
    static SHADOW_FUNCTION FireSums combine(const FireSums& a, const FireSums& b) {
        return {a.power + b.power, a.velocity2 + b.velocity2, a.force2 + b.force2,
                a.largest_force > b.largest_force ? a.largest_force : b.largest_force};
    }
    SHADOW_FUNCTION FireSums operator()(std::int64_t i) const {
        FireSums sums = identity();
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

/// One thread: Bitzek et al. 2006, the rules of FIRE with its published parameters.
struct ControlFire {
    const FireSums* sums;
    FireState* state;

    SHADOW_FUNCTION void operator()(std::int64_t) const {
        FireState& s = *state;
        s.largest_force = sqrt(sums->largest_force);
        if (sums->power > 0.0) {
            s.keep = 1.0 - s.mixing;
            s.turn = sums->force2 > 0.0 ? s.mixing * sqrt(sums->velocity2 / sums->force2) : 0.0;
            if (++s.downhill > 5) {
                s.step_size =
                    s.step_size * 1.1 < s.largest_step ? s.step_size * 1.1 : s.largest_step;
                s.mixing *= 0.99;
            }
        } else {
            s.keep = s.turn = 0.0;
            s.step_size *= s.downhill > 0 ? 0.5 : 1.0;
            s.mixing = 0.1;
            s.downhill = 0;
        }
    }
};

/// v <- keep v + turn F + dt F, then x <- x + dt v, where no particle moves more than
/// `longest_move`. Every particle has unit mass here: only the way to the minimum depends on it.
template <int Dim>
struct MoveFire {
    ParticlesView<Dim> particles;
    TotalForce<Dim> force;
    const FireState* state;
    double longest_move;

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        const FireState& s = *state;
        double v[Dim], square = 0.0, largest = 0.0;
        for (int d = 0; d < Dim; ++d) {
            v[d] =
                s.keep * particles.momentum.component[d][i] + (s.turn + s.step_size) * force(d, i);
            largest = fabs(v[d]) > largest ? fabs(v[d]) : largest;
        }
        if (!(largest > 0.0)) largest = 1.0;
        for (int d = 0; d < Dim; ++d) square += (v[d] / largest) * (v[d] / largest);
        const double move = s.step_size * largest * sqrt(square);
        const double scale = move > longest_move ? longest_move / move : 1.0;
        for (int d = 0; d < Dim; ++d) {
            v[d] *= scale;
            particles.momentum.component[d][i] = v[d];
            particles.position.component[d][i] += static_cast<double>(s.step_size * v[d]);
        }
    }
};

} // namespace shadow
