// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/scalar_flows.hpp"
#include "kernels/tensor.hpp"
#include "kernels/views.hpp"

namespace shadow {

template <int Dim>
struct StressSums {
    SymmetricTensor<Dim> kinetic; ///< sum of p p / m of the canonical momenta
    double momentum[Dim];         ///< their sum
};

/// One pass over the particles.
template <int Dim, class Real>
struct MeasureStress {
    using Value = StressSums<Dim>;
    ParticlesView<Dim, Real> particles;

    static SHADOW_FUNCTION Value identity() { return Value{}; }
    static SHADOW_FUNCTION Value combine(const Value& a, const Value& b) {
        Value sum = a;
        sum.kinetic.add(b.kinetic);
        for (int d = 0; d < Dim; ++d) sum.momentum[d] += b.momentum[d];
        return sum;
    }
    SHADOW_FUNCTION Value operator()(std::int64_t i) const {
        Value value = identity();
        for (int d = 0; d < Dim; ++d)
            value.momentum[d] = static_cast<double>(particles.momentum.component[d][i]);
        const double inverse_mass = particles.inverse_mass[particles.species[i]];
        for (int a = 0; a < Dim; ++a)
            for (int b = a; b < Dim; ++b)
                value.kinetic.component[tensor_index<Dim>(a, b)] =
                    value.momentum[a] * value.momentum[b] * inverse_mass;
        return value;
    }
};

/// One thread: the pressure tensor P = (sum of p p / m + W) / V with physical momenta and the
/// virial W, and behind it the temperature, trace(sum of p p / m) / (k_B g). Where total momentum
/// is conserved, the motion of the centre of mass is left out, as in FinishThermo.
template <int Dim>
struct FinishStress {
    const StressSums<Dim>* sums;
    const SymmetricTensor<Dim>* virial[2]; ///< by force class; null where it is empty
    Scalars scalars;
    double tail_virial; ///< its trace
    double freedom_boltzmann;
    double moving_mass; ///< M where total momentum is conserved; 0 elsewhere
    double volume;
    double* row;

    SHADOW_FUNCTION void operator()(std::int64_t) const {
        const double square = 1.0 / (scalars[Scalar::s] * scalars[Scalar::s]);
        SymmetricTensor<Dim> kinetic = sums->kinetic;
        for (int a = 0; a < Dim; ++a)
            for (int b = a; b < Dim; ++b) {
                double& k = kinetic.component[tensor_index<Dim>(a, b)];
                if (moving_mass > 0.0) k -= sums->momentum[a] * sums->momentum[b] / moving_mass;
                k *= square;
            }
        for (int k = 0; k < tensor_size<Dim>; ++k) {
            double sum = kinetic.component[k] + (k < Dim ? tail_virial / Dim : 0.0);
            for (int c = 0; c < 2; ++c)
                if (virial[c]) sum += virial[c]->component[k];
            row[k] = sum / volume;
        }
        row[tensor_size<Dim>] = freedom_boltzmann > 0.0 ? kinetic.trace() / freedom_boltzmann : 0.0;
    }
};

} // namespace shadow
