// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/by_level.hpp"
#include "kernels/ops/scalar_flows.hpp"
#include "kernels/tensor.hpp"
#include "kernels/views.hpp"

namespace shadow {

/// Sums over particles for the thermodynamic quantities.
template <int Dim>
struct ThermoSums {
    double twice_kinetic;
    double potential;
    double heat;
    double momentum[Dim];
};

/// One pass over the particles.
template <int Dim>
struct MeasureThermo {
    using Value = ThermoSums<Dim>;
    ParticlesView<Dim> particles;
    ByLevel<const double*> energy;
    const double* heat; ///< may be null

    static SHADOW_FUNCTION Value identity() { return Value{}; }
    static SHADOW_FUNCTION Value combine(const Value& a, const Value& b) {
        Value sum{
            a.twice_kinetic + b.twice_kinetic, a.potential + b.potential, a.heat + b.heat, {}};
        for (int d = 0; d < Dim; ++d) sum.momentum[d] = a.momentum[d] + b.momentum[d];
        return sum;
    }
    SHADOW_FUNCTION Value operator()(std::int64_t i) const {
        Value value = identity();
        double square = 0.0;
        for (int d = 0; d < Dim; ++d) {
            value.momentum[d] = particles.physical_momentum(i, d);
            square += value.momentum[d] * value.momentum[d];
        }
        value.twice_kinetic = square * particles.inverse_mass[particles.species[i]];
        for (const double* of : energy) value.potential += of[i];
        if (heat) value.heat = heat[i];
        return value;
    }
};

/// One thread: the row of `thermo` from the sums.
///
///     T = 2 K' / (k_B g),  P = (2 K' + W) / (Dim V), W the trace of the virial,
///     K' = K - p_d^2 / 2M along each d where total momentum p_d is conserved: no degree of
///     freedom, conserved = K + U - heat of the baths + energy of the extended variables
template <int Dim>
struct FinishThermo {
    const ThermoSums<Dim>* sums;
    ByLevel<const SymmetricTensor<Dim>*> virial;
    Scalars scalars;
    ExtendedEnergy extended;
    Tail tail_energy, tail_virial;
    const double* levels;       ///< potential energies by level, without tails:
    ByLevel<double> level_tail; ///< these
    double freedom_boltzmann;   ///< degrees of freedom * k_B
    const BoxView<Dim>* box;
    bool with_pressure;
    double particles;                  ///< 0: without volume, density and enthalpy
    ConservedMass<Dim> conserved_mass; ///< M
    /// potential, kinetic, total, conserved, temperature, (pressure,)
    /// (volume, density, enthalpy,) (lengths of the box,) (potential of each level,) (s, pi,)
    /// (length of a step,) (energy of a boost,) momentum
    double* row;
    bool with_lengths = false;
    bool with_bath = false;    ///< with s and pi of a Nosé bath
    double adapted_step = 0.0; ///< dt of a method whose steps follow the motion
    bool boosted = false;
    double pressure = 0.0; ///< of a barostat, in the enthalpy

    SHADOW_FUNCTION void operator()(std::int64_t) const {
        const double twice_kinetic = sums->twice_kinetic;
        double thermal = twice_kinetic;
        for (int d = 0; d < Dim; ++d) {
            const double p = sums->momentum[d];
            if (conserved_mass.along[d] > 0.0) thermal -= p * p / conserved_mass.along[d];
        }
        const double potential = sums->potential + tail_energy.in(*box);
        const double total = 0.5 * twice_kinetic + potential;
        double* out = row;
        *out++ = potential;
        *out++ = 0.5 * twice_kinetic;
        *out++ = total;
        *out++ = total - sums->heat + extended(scalars, total);
        *out++ = freedom_boltzmann > 0.0 ? thermal / freedom_boltzmann : 0.0;
        if (with_pressure) {
            double trace = thermal + tail_virial.in(*box);
            for (const SymmetricTensor<Dim>* of : virial) trace += of->trace();
            *out++ = trace / (Dim * box->volume());
        }
        if (particles > 0.0) {
            *out++ = box->volume();
            *out++ = particles / box->volume();
            *out++ = total + pressure * box->volume();
        }
        if (with_lengths)
            for (int d = 0; d < Dim; ++d) *out++ = box->length[d];
        for (int k = 0; k < level_tail.count; ++k)
            *out++ = levels[k] + Tail{level_tail.of[k], tail_energy.volume}.in(*box);
        if (with_bath) {
            *out++ = scalars[Scalar::s];
            *out++ = scalars[Scalar::pi];
        }
        if (adapted_step > 0.0) *out++ = adapted_step * scalars[Scalar::step_weight];
        if (boosted) *out++ = scalars[Scalar::boost];
        for (int d = 0; d < Dim; ++d) *out++ = sums->momentum[d];
    }
};

/// Components of an angular momentum: (xy) in 2D; (yz, zx, xy) in 3D; 0 in 1D.
template <int Dim>
struct AngularSums {
    static constexpr int components = Dim == 3 ? 3 : 1;
    double component[components];
};

/// Sum of r x p about the origin, with unwrapped positions.
template <int Dim>
struct MeasureAngularMomentum {
    using Value = AngularSums<Dim>;
    ParticlesView<Dim> particles;

    static SHADOW_FUNCTION Value identity() { return Value{}; }
    static SHADOW_FUNCTION Value combine(const Value& a, const Value& b) {
        Value sum;
        for (int k = 0; k < Value::components; ++k)
            sum.component[k] = a.component[k] + b.component[k];
        return sum;
    }
    SHADOW_FUNCTION Value operator()(std::int64_t i) const {
        double r[Dim], p[Dim];
        for (int d = 0; d < Dim; ++d) {
            r[d] = particles.unwrapped(i, d);
            p[d] = particles.physical_momentum(i, d);
        }
        Value value = identity();
        if constexpr (Dim > 1)
            for (int k = 0; k < Value::components; ++k) {
                const int a = Dim == 3 ? (k + 1) % 3 : 0, b = Dim == 3 ? (k + 2) % 3 : 1;
                value.component[k] = r[a] * p[b] - r[b] * p[a];
            }
        return value;
    }
};

} // namespace shadow
