// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/particle_force.hpp"
#include "kernels/ops/slab.hpp"
#include "kernels/ops/wire.hpp"

namespace shadow {

template <int Dim>
struct ForceSum {
    double component[Dim];
};
/// The total force on all particles.
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

/// The forces of particles without the total force, of which each particle subtracts its part by
/// mass, as if the centre of mass were held: if it is at rest, this does no work. If a layer or a
/// wire is thicker than allowed, the force on its uppermost charges is infinite, and `left` names
/// one of them.
template <int Dim>
struct StoreFourierForces {
    ParticlesView<Dim> particles;
    VectorView<Dim, double> force;
    const double* energy; ///< null: not requested
    const ForceSum<Dim>* net;
    double inverse_mass;  ///< inverse of the total mass
    const double* charge; ///< by species
    double background;    ///< energy of a charge of 1
    SlabView<Dim> slab;
    const Layer* layer; ///< null: no slab
    WireView<Dim> wire;
    const WireExtent<Dim>* extent; ///< null: no wire
    std::int32_t* left;            ///< 0, or 1 + the lowest id of the charges beyond
    ParticleForceOutput<Dim> output;

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        const double part = particles.mass[particles.species[i]] * inverse_mass;
        const double q = charge[particles.species[i]];
        double sum[Dim];
        for (int d = 0; d < Dim; ++d) sum[d] = force.component[d][i] - part * net->component[d];
        int beyond = -1;
        if (layer && slab.is_beyond(*layer, q, slab.place(particles, i))) beyond = slab.direction;
        if (extent) beyond = wire.beyond(particles, *extent, q, i);
        if (beyond >= 0) {
            sum[beyond] = __builtin_huge_val();
            atomic_keep_lowest(left, 1 + static_cast<std::int32_t>(particles.id[i]));
        }
        output.store(i, particles.id[i], sum, energy ? energy[i] + background * q : 0.0);
    }
};

} // namespace shadow
