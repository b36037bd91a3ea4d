// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/by_level.hpp"
#include "kernels/views.hpp"

#include <cmath>

/// Forces at positions displaced to both sides along the accelerations.
namespace shadow {

/// Displaces particles by a squared time times their acceleration; the old positions are kept.
template <int Dim>
struct MoveByForce {
    ParticlesView<Dim> particles;
    TotalForce<Dim> force;
    double square;
    VectorView<Dim, double> kept;

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        const double by = square * particles.inverse_mass[particles.species[i]];
        for (int d = 0; d < Dim; ++d) {
            double& x = particles.position.component[d][i];
            kept.component[d][i] = x;
            x += by * force(d, i);
        }
    }
};

/// ahead <- times (ahead - behind)
template <int Dim>
struct DifferenceOfForces {
    VectorView<Dim, double> ahead, behind;
    double times;

    SHADOW_INLINE void operator()(std::int64_t i) const {
        for (int d = 0; d < Dim; ++d) {
            double& f = ahead.component[d][i];
            f = times * (f - behind.component[d][i]);
        }
    }
};

} // namespace shadow
