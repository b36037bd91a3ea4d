// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/mesh/charge_mesh.hpp"

/// What of charges on a mesh depends on the lengths of the box: the influence function, and what
/// charges have in their own fields.
namespace shadow {

/// Of index m along one direction, with U the transform of the spline: U^2 over the square of its
/// sum over aliases; that sum; and the sum of U times U of the next alias.
struct SplineFactors {
    double sharpening, all, next;
};

/// The influence function, by mode.
template <int Dim, class T>
struct MeshInfluence {
    ChargeMesh<Dim, T> mesh;
    const SplineFactors* factors[Dim]; ///< by index along each direction
    double coulomb;

    [[nodiscard]] SHADOW_INLINE double operator()(const std::int32_t (&m)[Dim]) const {
        double k[Dim], k2 = 0.0, sharpening = 1.0;
        if (mesh.is_ambiguous(m)) return 0.0;
        mesh.wave_vector(m, k);
        for (int d = 0; d < Dim; ++d) {
            k2 += k[d] * k[d];
            sharpening *= factors[d][m[d]].sharpening;
        }
        return k2 > 0.0 ? coulomb / mesh.box->volume() * mesh.screening(k2) * sharpening : 0.0;
    }
};

/// One thread a mode that is kept.
template <int Dim, class T>
struct FillInfluence {
    MeshInfluence<Dim, T> value;
    T* influence;

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        std::int32_t m[Dim];
        value.mesh.find_mode(i, m);
        influence[value.mesh.influence_index(m)] = static_cast<T>(value(m) / value.mesh.unit);
    }
};

/// Over all modes.
template <int Dim, class T>
struct SumSelfFactors {
    using Value = MeshSelf<Dim>;
    MeshInfluence<Dim, T> value;

    static SHADOW_FUNCTION Value identity() { return Value{}; }
    static SHADOW_FUNCTION Value combine(const Value& a, const Value& b) {
        Value sum = a;
        for (int d = 0; d < Dim; ++d) {
            sum.energy[d] += b.energy[d];
            sum.virial[d].add(b.virial[d]);
        }
        return sum;
    }
    SHADOW_FUNCTION Value operator()(std::int64_t i) const {
        const ChargeMesh<Dim, T>& mesh = value.mesh;
        std::int32_t m[Dim];
        for (int d = Dim - 1; d >= 0; --d) {
            m[d] = static_cast<std::int32_t>(i % mesh.count[d]);
            i /= mesh.count[d];
        }
        const double g = mesh.order % 2 == 0 ? value(m) : -value(m);
        Value own{};
        for (int d = 0; d < Dim; ++d) {
            double product = g;
            for (int e = 0; e < Dim; ++e) {
                const SplineFactors& f = value.factors[e][m[e]];
                product *= e == d ? f.next : f.all;
            }
            own.energy[d] = product;
            for (int c = 0; c < tensor_size<Dim>; ++c)
                own.virial[d].component[c] = product * mesh.virial_factor(m, c);
        }
        return own;
    }
};

} // namespace shadow
