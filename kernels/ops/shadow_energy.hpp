// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/by_level.hpp"
#include "kernels/ops/sums.hpp"
#include "kernels/ops/thermo.hpp"

/// What the energy conserved by a step has beside the energy itself: sums over particles of forces
/// with velocities and with each other.
namespace shadow {

/// Where particles are a time later without forces.
template <int Dim>
struct MoveAlong {
    ParticlesView<Dim> particles;
    double time;

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        const double by = time * particles.inverse_mass[particles.species[i]];
        for (int d = 0; d < Dim; ++d)
            particles.position.component[d][i] += by * particles.physical_momentum(i, d);
    }
};

/// Sum over particles of sum_l along_l v.F_l + sum_(k <= l) product_kl F_k.M^-1 F_l.
template <int Dim>
struct SumForceProducts : DoubleSum {
    ParticlesView<Dim> particles;
    TotalForce<Dim> force; ///< of constant forces, by level
    double along[max_levels];
    double product[max_levels][max_levels]; ///< at [k][l], k <= l

    SHADOW_FUNCTION double operator()(std::int64_t i) const {
        double sum = 0.0;
        for (int l = 0; l < force.count; ++l)
            for (int d = 0; d < Dim; ++d) {
                const double f = force.component[l][d][i];
                double times = along[l] * particles.physical_momentum(i, d);
                for (int k = 0; k <= l; ++k) times += product[k][l] * force.component[k][d][i];
                sum += times * f;
            }
        return sum * particles.inverse_mass[particles.species[i]];
    }
};

/// One thread: the row of `shadow-energy`.
template <int Dim>
struct FinishShadowEnergy {
    const ThermoSums<Dim>* sums;
    const double* products; ///< here, ahead and behind
    Tail tail_energy;
    const BoxView<Dim>* box;
    double* row;

    SHADOW_FUNCTION void operator()(std::int64_t) const {
        row[0] = 0.5 * sums->twice_kinetic + sums->potential + tail_energy.in(*box) + products[0] +
                 products[1] + products[2];
    }
};

} // namespace shadow
