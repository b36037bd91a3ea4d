// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/by_level.hpp"
#include "kernels/tensor.hpp"
#include "kernels/views.hpp"

namespace shadow {

template <int Dim>
struct KineticSums {
    SymmetricTensor<Dim> tensor; ///< sum of p p / m
    double momentum[Dim];        ///< sum of p
    double mass;

    /// Sum of m v v without the motion of the centre of mass where total momentum is conserved.
    [[nodiscard]] SHADOW_INLINE SymmetricTensor<Dim>
    thermal(const ConservedMass<Dim>& conserved) const {
        SymmetricTensor<Dim> kinetic = tensor;
        for (int a = 0; a < Dim; ++a)
            for (int b = a; b < Dim; ++b) {
                double& k = kinetic.component[tensor_index<Dim>(a, b)];
                const double whole = conserved.along[conserved.along[a] > 0.0 ? a : b];
                if (whole > 0.0) k -= momentum[a] * momentum[b] / whole;
            }
        return kinetic;
    }
};

/// Removes the motion of the centre of mass, which rounding causes, along directions in which its
/// momentum is conserved.
template <int Dim>
struct StopCentre {
    ParticlesView<Dim> particles;
    const KineticSums<Dim>* sums;
    bool conserved[Dim];

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        const double share = *particles.s * particles.mass[particles.species[i]] / sums->mass;
        for (int d = 0; d < Dim; ++d)
            if (conserved[d])
                particles.momentum.component[d][i] -=
                    static_cast<double>(share * sums->momentum[d]);
    }
};

/// One pass over the particles.
template <int Dim>
struct MeasureKinetic {
    using Value = KineticSums<Dim>;
    ParticlesView<Dim> particles;

    static SHADOW_FUNCTION Value identity() { return Value{}; }
    static SHADOW_FUNCTION Value combine(const Value& a, const Value& b) {
        Value sum = a;
        sum.tensor.add(b.tensor);
        for (int d = 0; d < Dim; ++d) sum.momentum[d] += b.momentum[d];
        sum.mass += b.mass;
        return sum;
    }
    SHADOW_FUNCTION Value operator()(std::int64_t i) const {
        Value value = identity();
        for (int d = 0; d < Dim; ++d) value.momentum[d] = particles.physical_momentum(i, d);
        value.mass = particles.mass[particles.species[i]];
        const double inverse_mass = particles.inverse_mass[particles.species[i]];
        for (int a = 0; a < Dim; ++a)
            for (int b = a; b < Dim; ++b)
                value.tensor.component[tensor_index<Dim>(a, b)] =
                    value.momentum[a] * value.momentum[b] * inverse_mass;
        return value;
    }
};

/// One thread: the pressure tensor P = (sum of m v v + W) / V with the virial W, and after it the
/// temperature, trace(sum of m v v) / (k_B g).
template <int Dim>
struct FinishStress {
    const KineticSums<Dim>* sums;
    ByLevel<const SymmetricTensor<Dim>*> virial;
    Tail tail_virial; ///< its trace
    double freedom_boltzmann;
    ConservedMass<Dim> conserved_mass;
    const BoxView<Dim>* box;
    double* row;

    SHADOW_FUNCTION void operator()(std::int64_t) const {
        const SymmetricTensor<Dim> kinetic = sums->thermal(conserved_mass);
        for (int k = 0; k < tensor_size<Dim>; ++k) {
            double sum = kinetic.component[k] + (k < Dim ? tail_virial.in(*box) / Dim : 0.0);
            for (const SymmetricTensor<Dim>* of : virial) sum += of->component[k];
            row[k] = sum / box->volume();
        }
        row[tensor_size<Dim>] = freedom_boltzmann > 0.0 ? kinetic.trace() / freedom_boltzmann : 0.0;
    }
};

/// One thread: the temperature of the motion along each direction.
template <int Dim>
struct FinishDirections {
    const KineticSums<Dim>* sums;
    double freedom_boltzmann[Dim]; ///< by direction
    ConservedMass<Dim> conserved_mass;
    double* row;

    SHADOW_FUNCTION void operator()(std::int64_t) const {
        const SymmetricTensor<Dim> kinetic = sums->thermal(conserved_mass);
        for (int d = 0; d < Dim; ++d)
            row[d] = freedom_boltzmann[d] > 0.0 ? kinetic.component[d] / freedom_boltzmann[d] : 0.0;
    }
};

} // namespace shadow
