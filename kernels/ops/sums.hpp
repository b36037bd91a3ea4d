// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/by_level.hpp"
#include "kernels/chi_square.hpp"
#include "kernels/ops/scalar_flows.hpp"
#include "kernels/tensor.hpp"
#include "kernels/views.hpp"

namespace shadow {

/// Sum of doubles as the base of reductions.
struct DoubleSum {
    using Value = double;
    static SHADOW_FUNCTION double identity() { return 0.0; }
    static SHADOW_FUNCTION double combine(double a, double b) { return a + b; }
};

/// Sum of p.M^-1 p over particles: twice the kinetic energy of the canonical momenta.
template <int Dim>
struct TwiceKinetic : DoubleSum {
    ParticlesView<Dim> particles;

    SHADOW_FUNCTION double operator()(std::int64_t i) const {
        double square = 0.0;
        for (int d = 0; d < Dim; ++d) {
            const double p = particles.momentum.component[d][i];
            square += p * p;
        }
        return square * particles.inverse_mass[particles.species[i]];
    }
};

/// The same by direction.
template <int Dim>
struct TwiceKineticAlong {
    struct Value {
        double along[Dim];
    };
    ParticlesView<Dim> particles;

    static SHADOW_FUNCTION Value identity() { return Value{}; }
    static SHADOW_FUNCTION Value combine(const Value& a, const Value& b) {
        Value sum;
        for (int d = 0; d < Dim; ++d) sum.along[d] = a.along[d] + b.along[d];
        return sum;
    }
    SHADOW_FUNCTION Value operator()(std::int64_t i) const {
        const double inverse_mass = particles.inverse_mass[particles.species[i]];
        Value value;
        for (int d = 0; d < Dim; ++d) {
            const double p = particles.momentum.component[d][i];
            value.along[d] = p * p * inverse_mass;
        }
        return value;
    }
};

/// The same by species, of which there are at most max_species_chains.
template <int Dim>
struct TwiceKineticBySpecies {
    struct Value {
        double of[max_species_chains];
    };
    ParticlesView<Dim> particles;

    static SHADOW_FUNCTION Value identity() { return Value{}; }
    static SHADOW_FUNCTION Value combine(const Value& a, const Value& b) {
        Value sum;
        for (int k = 0; k < max_species_chains; ++k) sum.of[k] = a.of[k] + b.of[k];
        return sum;
    }
    SHADOW_FUNCTION Value operator()(std::int64_t i) const {
        const int species = particles.species[i];
        double square = 0.0;
        for (int d = 0; d < Dim; ++d) {
            const double p = particles.momentum.component[d][i];
            square += p * p;
        }
        Value value{};
        for (int k = 0; k < max_species_chains; ++k)
            if (k == species) value.of[k] = square * particles.inverse_mass[species];
        return value;
    }
};

/// Sum of per-particle arrays.
struct SumArrays : DoubleSum {
    ByLevel<const double*> array;

    SHADOW_FUNCTION double operator()(std::int64_t i) const {
        double sum = 0.0;
        for (const double* of : array) sum += of[i];
        return sum;
    }
};

/// The sum of one array.
inline SumArrays sum_of(const double* array) {
    SumArrays sum{};
    sum.array.add(array);
    return sum;
}

/// Sum of the parts of a virial, added to the present value (null: none). Their number is in
/// backend memory.
template <int Dim>
struct SumVirial : TensorSum<Dim> {
    const SymmetricTensor<Dim>* part;
    const std::int32_t* count; ///< null: one for each index
    const SymmetricTensor<Dim>* so_far;

    SHADOW_FUNCTION SymmetricTensor<Dim> operator()(std::int64_t i) const {
        SymmetricTensor<Dim> sum{};
        if (!count || i < *count) sum = part[i];
        if (i == 0 && so_far) sum.add(*so_far);
        return sum;
    }
};

/// As a launch, not a memset, it is part of a replayed step.
template <class T>
struct Clear {
    T* out;
    SHADOW_INLINE void operator()(std::int64_t i) const { out[i] = T{}; }
};
template <class T>
Clear(T*) -> Clear<T>;

/// One thread: adds a constant to a scalar.
struct AddConstant {
    double* target;
    double constant;
    SHADOW_FUNCTION void operator()(std::int64_t) const { *target += constant; }
};

/// One thread: adds a mean-field correction to a scalar.
template <int Dim>
struct AddTail {
    double* target;
    Tail tail;
    const BoxView<Dim>* box;
    SHADOW_FUNCTION void operator()(std::int64_t) const { *target += tail.in(*box); }
};

/// One thread: Scalar::normal, Scalar::uniform and Scalar::squares, of `squares` normal numbers,
/// for the step.
struct DrawNumbers {
    Scalars scalars;
    std::uint64_t seed;
    std::uint32_t stream;
    std::int64_t step;
    double squares;
    SHADOW_FUNCTION void operator()(std::int64_t) const {
        const auto counter = static_cast<std::uint64_t>(step);
        scalars[Scalar::squares] =
            squares > 0.0 ? chi_square(squares, seed, stream, counter, 2) : 0.0;
        double other;
        Philox(seed, stream, 0, counter, 0).normal(scalars[Scalar::normal], other);
        scalars[Scalar::uniform] = (Philox(seed, stream, 0, counter, 1).x[0] + 0.5) * 0x1p-32;
    }
};

/// p <- p / s: canonical momenta of a Nosé bath become physical ones.
template <int Dim>
struct DivideMomenta {
    VectorView<Dim, double> momentum;
    Scalars scalars;
    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        const double factor = 1.0 / scalars[Scalar::s];
        for (int d = 0; d < Dim; ++d) momentum.component[d][i] *= factor;
    }
};

/// One thread: advances the feedback scalars.
template <class Flow>
struct AdvanceScalars {
    Scalars scalars;
    Flow flow;
    SHADOW_FUNCTION void operator()(std::int64_t) const { flow(scalars); }
};

} // namespace shadow
