// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/fields/list.hpp"
#include "kernels/ops/particle_force.hpp"
#include "kernels/ops/shares.hpp"

/// An external field on all particles: one pass over them.
namespace shadow {

/// A field at the positions of particles; images are unwrapped, so that its energy is one function
/// of time also for a particle that leaves the box.
template <int Dim>
struct FieldOnParticles {
    ParticlesView<Dim> particles;
    const double* weight; ///< by species: forces and energies are multiplied by it
    std::int32_t field;   ///< position in `Fields`
    double factor;        ///< also multiplies them
    double numbers[max_field_numbers];

    template <class Field>
    [[nodiscard]] SHADOW_INLINE FieldResult<Dim> at(const Field& f, std::int64_t i) const {
        double x[Dim];
        for (int d = 0; d < Dim; ++d) x[d] = particles.unwrapped(i, d);
        FieldResult<Dim> result = f(x);
        const double scale = factor * weight[particles.species[i]];
        if (scale == 0.0) return {}; // also where the field is NaN
        for (int d = 0; d < Dim; ++d) result.force[d] *= scale;
        result.u *= scale;
        return result;
    }
    [[nodiscard]] SHADOW_INLINE double energy(std::int64_t i) const;
};

/// Adds the energy of one particle.
template <int Dim>
struct TakeFieldEnergy {
    const FieldOnParticles<Dim>& on;
    std::int64_t i;
    double& energy;

    template <class Field>
    SHADOW_INLINE void operator()(const Field& f) const {
        energy = on.at(f, i).u;
    }
};

template <int Dim>
SHADOW_INLINE double FieldOnParticles<Dim>::energy(std::int64_t i) const {
    double u = 0.0;
    visit_field<Dim>(Fields{}, field, numbers, TakeFieldEnergy<Dim>{*this, i, u});
    return u;
}

/// Forces, and energies on request.
template <int Dim>
struct ApplyField {
    FieldOnParticles<Dim> on;
    ParticleForceOutput<Dim> output;

    SHADOW_FUNCTION void operator()(std::int64_t i) const { range(i, i + 1); }
    /// For each index in [begin, end); the field is chosen once.
    SHADOW_FUNCTION void range(std::int64_t begin, std::int64_t end) const {
        visit_field<Dim>(Fields{}, on.field, on.numbers, Each{*this, begin, end});
    }

  private:
    struct Each {
        const ApplyField& op;
        std::int64_t begin, end;

        template <class Field>
        SHADOW_INLINE void operator()(const Field& f) const {
            for (std::int64_t i = begin; i < end; ++i) {
                const FieldResult<Dim> result = op.on.at(f, i);
                op.output.store(i, op.on.particles.id[i], result.force, result.u);
            }
        }
    };
};

/// Adds the energy of each particle.
template <int Dim>
struct AddFieldEnergy {
    FieldOnParticles<Dim> on;
    double* sum;

    SHADOW_FUNCTION void operator()(std::int64_t i) const { sum[i] += on.energy(i); }
};

/// The share of each particle: its energy, and no virial.
template <int Dim>
struct ShareField {
    FieldOnParticles<Dim> on;
    bool accumulate;
    Share<Dim>* share;

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        Share<Dim> own{};
        if (accumulate) own = share[i];
        own.energy += on.energy(i);
        share[i] = own;
    }
};

} // namespace shadow
