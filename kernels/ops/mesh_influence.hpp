// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include "kernels/mesh/charge_mesh.hpp"

/// The parts of charges on a mesh that depend on the lengths of the box: the influence function,
/// and the energy of charges in their own fields.
namespace shadow {

/// For index m along one direction, with U the transform of the spline: U^2 over the square of its
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
    /// In a rectangular box the Gaussian of k along each direction times `sharpening`; null: it
    /// does not factorise.
    const double* gauss[Dim];
    bool rectangular; ///< the box is: nothing changes with the sign of an index

    [[nodiscard]] SHADOW_INLINE double operator()(const std::int32_t (&m)[Dim]) const {
        double k[Dim];
        mesh.wave_vector(m, k);
        return at(m, k);
    }
    /// At the wave vector of mode m.
    [[nodiscard]] SHADOW_INLINE double at(const std::int32_t (&m)[Dim],
                                          const double (&k)[Dim]) const {
        double k2 = 0.0, product = 1.0;
        for (int d = 0; d < Dim; ++d) k2 += k[d] * k[d];
        if (!(k2 > 0.0) || mesh.is_ambiguous(m)) return 0.0;
        for (int d = 0; d < Dim; ++d)
            product *= gauss[0] ? gauss[d][m[d]] : factors[d][m[d]].sharpening;
        const double screened = gauss[0] ? mesh.screening.without_gauss(k2) : mesh.screening(k2);
        return coulomb / mesh.box->volume() * screened * product;
    }
};

/// One thread per index, for each direction that has that many.
template <int Dim, class T>
struct FillGauss {
    MeshInfluence<Dim, T> value;
    double* gauss[Dim];

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        for (int d = 0; d < Dim; ++d) {
            if (i >= value.mesh.count[d]) continue;
            std::int32_t m[Dim] = {};
            double k[Dim];
            m[d] = static_cast<std::int32_t>(i);
            value.mesh.wave_vector(m, k);
            gauss[d][i] = value.mesh.screening.gauss(k[d] * k[d]) * value.factors[d][i].sharpening;
        }
    }
};

/// One thread per mode that is kept.
template <int Dim, class T>
struct FillInfluence {
    MeshInfluence<Dim, T> value;
    T* influence;

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        std::int32_t m[Dim];
        value.mesh.find_mode(i, m);
        fill(m);
    }
#if !defined(__CUDACC__)
    void range(const Backend&, std::int64_t begin, std::int64_t end) const {
        std::int32_t m[Dim];
        if (begin < end) value.mesh.find_mode(begin, m);
        for (; begin < end; ++begin) {
            fill(m);
            value.mesh.next_mode(m);
        }
    }
#endif

  private:
    SHADOW_INLINE void fill(const std::int32_t (&m)[Dim]) const {
        influence[value.mesh.influence_index(m)] = static_cast<T>(value(m) / value.mesh.unit);
    }
};

/// Sum over modes that represent others with other signs of their indices: in a rectangular box all
/// indices run over the first half and one, otherwise only the last.
template <int Dim, class T>
struct SumSelfFactors {
    using Value = MeshSelf<Dim>;
    MeshInfluence<Dim, T> value;

    /// The number of indices along a direction.
    [[nodiscard]] SHADOW_INLINE std::int32_t indices(int d) const {
        const std::int32_t all = value.mesh.count[d];
        return value.rectangular || d == Dim - 1 ? all / 2 + 1 : all;
    }
    [[nodiscard]] std::int64_t modes() const {
        std::int64_t all = 1;
        for (int d = 0; d < Dim; ++d) all *= indices(d);
        return all;
    }
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
        double g = 1.0;
        for (int d = Dim - 1; d >= 0; --d) {
            const std::int32_t n = indices(d);
            m[d] = static_cast<std::int32_t>(i % n);
            i /= n;
            if (n < mesh.count[d] && m[d] > 0 && 2 * m[d] < mesh.count[d]) g *= 2.0;
        }
        double k[Dim], k2 = 0.0;
        mesh.wave_vector(m, k);
        for (int d = 0; d < Dim; ++d) k2 += k[d] * k[d];
        g *= mesh.order % 2 == 0 ? value.at(m, k) : -value.at(m, k);
        Value own{};
        if (g == 0.0) return own;
        const double slope = mesh.screening.slope(k2);
        for (int d = 0; d < Dim; ++d) {
            double product = g;
            for (int e = 0; e < Dim; ++e) {
                const SplineFactors& f = value.factors[e][m[e]];
                product *= e == d ? f.next : f.all;
            }
            own.energy[d] = product;
            for (int a = 0; a < Dim; ++a)
                for (int b = a; b < Dim; ++b)
                    if (a == b || !value.rectangular) // else signs cancel
                        own.virial[d].component[tensor_index<Dim>(a, b)] =
                            product * mesh.virial_factor(m, k, slope, a, b);
        }
        return own;
    }
};

} // namespace shadow
