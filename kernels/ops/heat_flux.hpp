// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/shares.hpp"
#include "kernels/ops/stress.hpp"

/// The energy flux with and between particles. The heat flux times the volume (Irving and Kirkwood
/// 1950, J. Chem. Phys. 18, 817; Allen and Tildesley 2017, section 2.7),
///
///     sum over i of e_i v_i + sum over pairs of r (f . (v_i + v_j)) / 2
///
/// with e_i = m v_i^2 / 2 + its share of the potential energy, is sum over i of e_i v_i + W_i v_i
/// with its share W_i = sum over pairs of r f / 2 of the virial: exact for pair forces.
namespace shadow {

template <int Dim>
struct Flux {
    double component[Dim];
};

/// One thread: the momentum over the total mass.
template <int Dim>
struct FindCentreVelocity {
    const KineticSums<Dim>* sums;
    double* centre;

    SHADOW_FUNCTION void operator()(std::int64_t) const {
        for (int d = 0; d < Dim; ++d) centre[d] = sums->momentum[d] / sums->mass;
    }
};

/// The contribution of each particle to the flux times the volume. Velocities are relative to the
/// centre of mass: a common motion of all particles carries no heat, also if a bath changes it.
template <int Dim>
struct MeasureHeatFlux {
    using Value = Flux<Dim>;
    ParticlesView<Dim> particles;
    const Share<Dim>* share; ///< by particle; null: no forces
    const double* centre;    ///< from FindCentreVelocity

    static SHADOW_FUNCTION Value identity() { return Value{}; }
    static SHADOW_FUNCTION Value combine(const Value& a, const Value& b) {
        Value sum;
        for (int d = 0; d < Dim; ++d) sum.component[d] = a.component[d] + b.component[d];
        return sum;
    }
    SHADOW_FUNCTION Value operator()(std::int64_t i) const {
        const int species = particles.species[i];
        double v[Dim], square = 0.0;
        for (int d = 0; d < Dim; ++d) {
            v[d] = particles.velocity(i, d) - centre[d];
            square += v[d] * v[d];
        }
        const double energy =
            0.5 * particles.mass[species] * square + (share ? share[i].energy : 0.0);
        Value flux;
        for (int a = 0; a < Dim; ++a) {
            flux.component[a] = energy * v[a];
            for (int b = 0; share && b < Dim; ++b)
                flux.component[a] += share[i].virial.component[tensor_index<Dim>(a, b)] * v[b];
        }
        return flux;
    }
};

/// One thread: the heat flux, and after it the temperature as of FinishStress.
template <int Dim>
struct FinishHeatFlux {
    const KineticSums<Dim>* sums;
    const Flux<Dim>* flux; ///< times the volume
    double freedom_boltzmann;
    ConservedMass<Dim> conserved_mass;
    const BoxView<Dim>* box;
    double* row;

    SHADOW_FUNCTION void operator()(std::int64_t) const {
        for (int d = 0; d < Dim; ++d) row[d] = flux->component[d] / box->volume();
        row[Dim] = freedom_boltzmann > 0.0
                       ? sums->thermal(conserved_mass).trace() / freedom_boltzmann
                       : 0.0;
    }
};

} // namespace shadow
