// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/particle_force.hpp"
#include "kernels/ops/slab.hpp"

namespace shadow {

template <int Dim>
struct ForceSum {
    double component[Dim];
};
/// The force on all particles together.
template <int Dim>
struct SumForces {
    using Value = ForceSum<Dim>;
    VectorView<Dim, double> force;

    static SHADOW_FUNCTION Value identity() { return Value{}; }
    static SHADOW_FUNCTION Value combine(const Value& a, const Value& b) {
        Value sum;
        for (int d = 0; d < Dim; ++d) sum.component[d] = a.component[d] + b.component[d];
        return sum;
    }
    SHADOW_FUNCTION Value operator()(std::int64_t i) const {
        Value value;
        for (int d = 0; d < Dim; ++d) value.component[d] = force.component[d][i];
        return value;
    }
};

/// The forces of particles without that on all together, of which each particle gives its part by
/// mass, as if the centre of mass were held: where it rests, that does no work. Where a layer is
/// higher than it may be, the force on its uppermost charges is infinite.
template <int Dim>
struct StoreFourierForces {
    ParticlesView<Dim, double> particles;
    VectorView<Dim, double> force;
    const double* energy; ///< null: not asked for
    const ForceSum<Dim>* net;
    double inverse_mass;  ///< one over that of all particles
    const double* charge; ///< by species
    double background;    ///< energy of a charge of 1
    SlabView<Dim> slab;
    const Layer* layer; ///< null: periodic in all directions
    ParticleForceOutput<Dim> output;

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        const double part = particles.mass[particles.species[i]] * inverse_mass;
        const double q = charge[particles.species[i]];
        double sum[Dim];
        for (int d = 0; d < Dim; ++d) sum[d] = force.component[d][i] - part * net->component[d];
        if (layer && slab.is_beyond(*layer, q, slab.place(particles, i)))
            sum[slab.direction] = __builtin_huge_val();
        output.store(i, particles.id[i], sum, energy ? energy[i] + background * q : 0.0);
    }
};

} // namespace shadow
