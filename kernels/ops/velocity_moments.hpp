// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/stress.hpp"

namespace shadow {

/// Sums over components of velocities, or over particles, of m v^2 and (m v^2)^2.
struct VelocityMoments {
    double square, fourth;
};

/// For one species, without the motion of the centre of mass where that is conserved.
template <int Dim>
struct MeasureVelocityMoments {
    using Value = VelocityMoments;
    ParticlesView<Dim> particles;
    const KineticSums<Dim>* sums;
    ConservedMass<Dim> conserved_mass;
    std::int32_t species;
    bool by_particle;

    static SHADOW_FUNCTION Value identity() { return Value{}; }
    static SHADOW_FUNCTION Value combine(const Value& a, const Value& b) {
        return {a.square + b.square, a.fourth + b.fourth};
    }
    SHADOW_FUNCTION Value operator()(std::int64_t i) const {
        Value value{};
        if (particles.species[i] != species) return value;
        for (int d = 0; d < Dim; ++d) {
            const double share = conserved_mass.share(particles.mass[species], d);
            const double p = particles.physical_momentum(i, d) - share * sums->momentum[d];
            const double square = p * p * particles.inverse_mass[species];
            value.square += square;
            value.fourth += square * square;
        }
        if (by_particle) value.fourth = value.square * value.square;
        return value;
    }
};

/// One thread: relative deviations of squares and fourth powers from the Maxwell-Boltzmann
/// distribution. With u = sqrt(m) v uniform on a sphere in a space of f dimensions on which the
/// projection has the diagonal P, whatever its radius (so at constant energy and at constant
/// temperature alike),
///
///     <u_i^2> / R^2 = P_ii / f,   <u_i^4> / R^4 = 3 P_ii^2 / (f (f + 2)),   R^2 = sum u_i^2
///
/// and for the squared length of a particle d + 2 instead of 3.
struct FinishVelocityMoments {
    const VelocityMoments* moments; ///< by species
    const double* projection;       ///< sums over components of P_ii and of P_ii^2, by species
    int species;
    double gaussian; ///< 3, or d + 2
    double* row;     ///< fourth powers: all, and of a mixture each species; squares of each

    SHADOW_FUNCTION void operator()(std::int64_t) const {
        double f = 0.0, f2 = 0.0, square = 0.0, fourth = 0.0;
        for (int s = 0; s < species; ++s) {
            f += projection[2 * s];
            f2 += projection[2 * s + 1];
            square += moments[s].square;
            fourth += moments[s].fourth;
        }
        row[0] = excess(fourth, f2, f, square);
        for (int s = 0; s < species && species > 1; ++s) {
            row[1 + s] = excess(moments[s].fourth, projection[2 * s + 1], f, square);
            const double share = projection[2 * s] * square;
            row[1 + species + s] = share > 0.0 ? moments[s].square * f / share - 1.0 : 0.0;
        }
    }

  private:
    SHADOW_INLINE double excess(double fourth, double f2, double f, double square) const {
        const double expected = gaussian * f2 * square * square;
        return expected > 0.0 ? fourth * f * (f + 2.0) / expected - 1.0 : 0.0;
    }
};

} // namespace shadow
