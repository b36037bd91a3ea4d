// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/sums.hpp"
#include "kernels/views.hpp"

#include <cmath>

/// Particles now compared with an origin in time: sums for mean square displacements, velocity
/// autocorrelations and self-intermediate scattering functions.
namespace shadow {

/// Sum of m x over particles: of positions or velocities.
template <int Dim>
struct CentreSum {
    double moment[Dim];
};

/// The `Dim` numbers stored for each particle: its velocity, or its unwrapped position; relative to
/// the centre of mass along directions in which total momentum is conserved, since a common motion
/// of all particles is not diffusion.
template <int Dim>
struct Kept {
    ParticlesView<Dim> particles;
    bool velocity;
    const CentreSum<Dim>* centre; ///< null: not subtracted
    ConservedMass<Dim> conserved_mass;

    SHADOW_INLINE void operator()(std::int64_t i, double (&x)[Dim]) const {
        as_it_is(i, x);
        for (int d = 0; d < Dim && centre; ++d)
            if (conserved_mass.along[d] > 0.0) x[d] -= centre->moment[d] / conserved_mass.along[d];
    }
    SHADOW_INLINE void as_it_is(std::int64_t i, double (&x)[Dim]) const {
        for (int d = 0; d < Dim; ++d)
            x[d] = velocity ? particles.velocity(i, d) : particles.unwrapped(i, d);
    }
};

template <int Dim>
struct SumMoments {
    using Value = CentreSum<Dim>;
    Kept<Dim> kept;

    static SHADOW_FUNCTION Value identity() { return Value{}; }
    static SHADOW_FUNCTION Value combine(const Value& a, const Value& b) {
        Value sum;
        for (int d = 0; d < Dim; ++d) sum.moment[d] = a.moment[d] + b.moment[d];
        return sum;
    }
    SHADOW_FUNCTION Value operator()(std::int64_t i) const {
        Value value;
        kept.as_it_is(i, value.moment);
        const double mass = kept.particles.mass[kept.particles.species[i]];
        for (int d = 0; d < Dim; ++d) value.moment[d] *= mass;
        return value;
    }
};

/// Stores them, by id.
template <int Dim>
struct StoreOrigin {
    Kept<Dim> kept;
    double* origin; ///< [id][d]

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        double x[Dim];
        kept(i, x);
        for (int d = 0; d < Dim; ++d) origin[std::int64_t{kept.particles.id[i]} * Dim + d] = x[d];
    }
};

/// Sums over the particles of one species.
struct OriginSums {
    double first;  ///< of v.v0, or of |x - x0|^2
    double second; ///< of the squares of these
};

/// Particles compared with an origin. `species` -1: all of them.
template <int Dim>
struct CompareWithOrigin {
    using Value = OriginSums;
    Kept<Dim> kept;
    const double* origin;
    std::int32_t species;

    static SHADOW_FUNCTION Value identity() { return {0.0, 0.0}; }
    static SHADOW_FUNCTION Value combine(const Value& a, const Value& b) {
        return {a.first + b.first, a.second + b.second};
    }
    SHADOW_FUNCTION Value operator()(std::int64_t i) const {
        if (species >= 0 && kept.particles.species[i] != species) return identity();
        double x[Dim], sum = 0.0;
        kept(i, x);
        const double* before = origin + std::int64_t{kept.particles.id[i]} * Dim;
        for (int d = 0; d < Dim; ++d) {
            const double dx = x[d] - before[d];
            sum += kept.velocity ? x[d] * before[d] : dx * dx;
        }
        return {sum, sum * sum};
    }
};

/// Sum of cos(k (x - x0)) over the particles of one species and over the directions, divided by
/// their number: an isotropic average.
template <int Dim>
struct ScatterFromOrigin : DoubleSum {
    Kept<Dim> kept;
    const double* origin;
    std::int32_t species;
    double wavenumber;

    SHADOW_FUNCTION double operator()(std::int64_t i) const {
        if (species >= 0 && kept.particles.species[i] != species) return 0.0;
        double x[Dim], sum = 0.0;
        kept(i, x);
        const double* before = origin + std::int64_t{kept.particles.id[i]} * Dim;
        for (int d = 0; d < Dim; ++d) sum += cos(wavenumber * (x[d] - before[d]));
        return sum / Dim;
    }
};

} // namespace shadow
