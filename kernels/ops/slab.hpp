// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/shares.hpp"

/// Charges that are periodic in two directions, from those that are in three (I.-C. Yeh and M. L.
/// Berkowitz 1999, J. Chem. Phys. 111, 3155): layers of images separated by a vacuum, minus the
/// interaction of their dipoles, E = 2 pi k M^2 / V, with the dipole M across the layer.
namespace shadow {

/// Dipole and extent of the charges along the direction in which they are not periodic.
struct Layer {
    double dipole, low, high;
};

template <int Dim>
struct SlabView {
    int direction;
    double middle; ///< origin of the dipole; for a neutral layer it does not matter
    double height; ///< maximum distance of charges along this direction
    double factor; ///< 2 pi k / V

    SHADOW_INLINE double place(const ParticlesView<Dim>& particles, std::int64_t i) const {
        return particles.position.component[direction][i] - middle;
    }
    /// Whether the layer is higher than allowed, and this is one of its uppermost charges.
    SHADOW_INLINE bool is_beyond(const Layer& layer, double charge, double place) const {
        return charge != 0.0 && place == layer.high && layer.high - layer.low > height;
    }
};

/// For particles with a charge.
template <int Dim>
struct MeasureLayer {
    using Value = Layer;
    ParticlesView<Dim> particles;
    const double* charge; ///< by species
    SlabView<Dim> slab;

    static SHADOW_FUNCTION Value identity() { return {0.0, 1e300, -1e300}; }
    static SHADOW_FUNCTION Value combine(const Value& a, const Value& b) {
        return {a.dipole + b.dipole, a.low < b.low ? a.low : b.low,
                a.high > b.high ? a.high : b.high};
    }
    SHADOW_FUNCTION Value operator()(std::int64_t i) const {
        const double q = charge[particles.species[i]], z = slab.place(particles, i);
        return q == 0.0 ? identity() : Value{q * z, z, z};
    }
};

/// Adds force and energy of each particle in the field of the dipole.
template <int Dim>
struct AddSlab {
    ParticlesView<Dim> particles;
    const double* charge; ///< by species
    SlabView<Dim> slab;
    const Layer* layer;
    VectorView<Dim, double> force;
    double* energy; ///< null: not requested

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        const double q = charge[particles.species[i]], z = slab.place(particles, i);
        const double field = slab.factor * q * layer->dipole;
        force.component[slab.direction][i] -= 2.0 * field;
        if (energy) energy[i] += field * z;
    }
};

/// One thread: the virial, minus the derivative of E by a strain.
template <int Dim>
struct AddSlabVirial {
    SlabView<Dim> slab;
    const Layer* layer;
    SymmetricTensor<Dim>* virial;

    SHADOW_FUNCTION void operator()(std::int64_t) const {
        const double energy = slab.factor * layer->dipole * layer->dipole;
        for (int d = 0; d < Dim; ++d)
            virial->component[d] += d == slab.direction ? -energy : energy;
    }
};

/// Adds the energy and virial of each particle.
template <int Dim>
struct ShareSlab {
    ParticlesView<Dim> particles;
    const double* charge; ///< by species
    SlabView<Dim> slab;
    const Layer* layer;
    Share<Dim>* share;

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        const double q = charge[particles.species[i]], z = slab.place(particles, i);
        const double own = slab.factor * q * layer->dipole * z;
        share[i].energy += own;
        for (int d = 0; d < Dim; ++d)
            share[i].virial.component[d] += d == slab.direction ? -own : own;
    }
};

} // namespace shadow
