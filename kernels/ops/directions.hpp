// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/scalar_flows.hpp"
#include "kernels/views.hpp"

namespace shadow {

/// Canonical momenta by direction: sums of p^2 / m and of p.
template <int Dim>
struct DirectionSums {
    double twice_kinetic[Dim], momentum[Dim];
};

template <int Dim, class Real>
struct MeasureDirections {
    using Value = DirectionSums<Dim>;
    ParticlesView<Dim, Real> particles;

    static SHADOW_FUNCTION Value identity() { return Value{}; }
    static SHADOW_FUNCTION Value combine(const Value& a, const Value& b) {
        Value sum;
        for (int d = 0; d < Dim; ++d) {
            sum.twice_kinetic[d] = a.twice_kinetic[d] + b.twice_kinetic[d];
            sum.momentum[d] = a.momentum[d] + b.momentum[d];
        }
        return sum;
    }
    SHADOW_FUNCTION Value operator()(std::int64_t i) const {
        Value value;
        const double inverse_mass = particles.inverse_mass[particles.species[i]];
        for (int d = 0; d < Dim; ++d) {
            const auto p = static_cast<double>(particles.momentum.component[d][i]);
            value.twice_kinetic[d] = p * p * inverse_mass;
            value.momentum[d] = p;
        }
        return value;
    }
};

/// One thread: the row of `directional-temperature`, as FinishThermo leaving out the motion of the
/// centre of mass where it is conserved.
template <int Dim>
struct FinishDirections {
    const DirectionSums<Dim>* sums;
    Scalars scalars;
    double freedom_boltzmann; ///< degrees of freedom of a direction * k_B
    double moving_mass;       ///< 0: nothing is conserved
    double* row;

    SHADOW_FUNCTION void operator()(std::int64_t) const {
        const double scale = 1.0 / scalars[Scalar::s];
        for (int d = 0; d < Dim; ++d) {
            const double p = sums->momentum[d];
            const double still = moving_mass > 0.0 ? p * p / moving_mass : 0.0;
            row[d] = freedom_boltzmann > 0.0
                         ? (sums->twice_kinetic[d] - still) * scale * scale / freedom_boltzmann
                         : 0.0;
        }
    }
};

} // namespace shadow
