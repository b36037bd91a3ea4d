// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/bonded/bonded.hpp"
#include "kernels/bonded/trigonometry.hpp"
#include "kernels/tensor.hpp"
#include "kernels/views.hpp"

#include <cstdint>
#include <type_traits>

/// The variables of bonded potentials and their gradients with respect to positions. The edges are
/// differences x_from - x_to through the nearest image; the virial is W = sum over members of (x -
/// x_reference) f.
namespace shadow {

/// The maximum length of a bond, as a fraction of the box. The nearest image of the partner may
/// soon change in a longer bond: its force is NaN, so that the run stops.
inline constexpr double max_edge = 0.45;

/// dx of the nearest image; NaN if it is longer than `max_edge`.
SHADOW_INLINE double nearest_edge(double dx, double length, double inverse_length) {
    const double turns = dx * inverse_length, image = nearbyint(turns), part = turns - image;
    return part < max_edge && part > -max_edge ? dx - length * image : 0.0 / 0.0;
}

/// From particle `to` to `from`, through the nearest image.
template <int Dim>
SHADOW_INLINE void find_edge(const ParticlesView<Dim>& particles, std::int64_t from,
                             std::int64_t to, double (&edge)[Dim]) {
    const BoxView<Dim>& box = *particles.box;
    for (int d = 0; d < Dim; ++d)
        edge[d] = particles.position.component[d][from] - particles.position.component[d][to];
    box.unslide(edge);
    for (int d = 0; d < Dim; ++d)
        edge[d] = nearest_edge(edge[d], box.length[d], box.inverse_length[d]);
}

template <int Dim, class T>
SHADOW_INLINE T dot(const T (&a)[Dim], const T (&b)[Dim]) {
    T sum = T(0.0);
    for (int d = 0; d < Dim; ++d) sum = sum + a[d] * b[d];
    return sum;
}

/// Sum of a_p b_q, made symmetric, times `factor`.
template <int Dim>
SHADOW_INLINE void add_product(SymmetricTensor<Dim>& sum, const double (&a)[Dim],
                               const double (&b)[Dim], double factor) {
    for (int p = 0; p < Dim; ++p)
        for (int q = p; q < Dim; ++q)
            sum.component[tensor_index<Dim>(p, q)] += 0.5 * factor * (a[p] * b[q] + a[q] * b[p]);
}

/// T is double, or another number type where forces are differentiated.
template <int Dim, BondedKind kind, class T = double>
struct BondedGeometry;

/// r^2; its gradient is halved, since `slope` of a bond is u'(r) / r.
template <int Dim, class T>
struct BondedGeometry<Dim, BondedKind::bond, T> {
    static constexpr int edges = 1;
    static SHADOW_INLINE int from(int) { return 0; }
    static SHADOW_INLINE int to(int) { return 1; }
    T edge[edges][Dim];
    T variable;

    SHADOW_INLINE void prepare() { variable = dot(edge[0], edge[0]); }
    SHADOW_INLINE void gradient(std::int64_t member, T (&g)[Dim]) const {
        for (int d = 0; d < Dim; ++d) g[d] = member == 0 ? edge[0][d] : -edge[0][d];
    }
    SHADOW_INLINE void add_virial(double slope, SymmetricTensor<Dim>& sum) const {
        add_product(sum, edge[0], edge[0], -slope);
    }
};

/// cos(theta) between the edges from the second particle to the others.
template <int Dim, class T>
struct BondedGeometry<Dim, BondedKind::angle, T> {
    static constexpr int edges = 2;
    static SHADOW_INLINE int from(int k) { return 2 * k; }
    static SHADOW_INLINE int to(int) { return 1; }
    T edge[edges][Dim];
    T variable;
    T square[2], inverse; ///< of edges; 1 / (|a| |b|)

    SHADOW_INLINE void prepare() {
        square[0] = dot(edge[0], edge[0]);
        square[1] = dot(edge[1], edge[1]);
        inverse = 1.0 / sqrt(square[0] * square[1]);
        const T cosine = dot(edge[0], edge[1]) * inverse;
        variable = cosine > 1.0 ? T(1.0) : cosine < -1.0 ? T(-1.0) : cosine;
    }
    /// Gradient with respect to the end of edge `k`.
    SHADOW_INLINE void end_gradient(int k, T (&g)[Dim]) const {
        for (int d = 0; d < Dim; ++d)
            g[d] = edge[1 - k][d] * inverse - variable * edge[k][d] / square[k];
    }
    SHADOW_INLINE void gradient(std::int64_t member, T (&g)[Dim]) const {
        T first[Dim], last[Dim];
        end_gradient(0, first);
        end_gradient(1, last);
        for (int d = 0; d < Dim; ++d)
            g[d] = member == 0 ? first[d] : member == 2 ? last[d] : -first[d] - last[d];
    }
    SHADOW_INLINE void add_virial(double slope, SymmetricTensor<Dim>& sum) const {
        for (int k = 0; k < 2; ++k) {
            double g[Dim];
            end_gradient(k, g);
            add_product(sum, edge[k], g, -slope);
        }
    }
};

/// r^2 between the ends of an angle, computed along its edges; its gradient is that of a bond.
template <int Dim, class T = double>
struct EndsGeometry {
    static constexpr int edges = 2;
    static SHADOW_INLINE int from(int k) { return 2 * k; }
    static SHADOW_INLINE int to(int) { return 1; }
    T edge[edges][Dim];
    T variable;
    T way[Dim];

    SHADOW_INLINE void prepare() {
        for (int d = 0; d < Dim; ++d) way[d] = edge[0][d] - edge[1][d];
        variable = dot(way, way);
    }
    SHADOW_INLINE void gradient(std::int64_t member, T (&g)[Dim]) const {
        for (int d = 0; d < Dim; ++d) g[d] = member == 0 ? way[d] : member == 1 ? T(0.0) : -way[d];
    }
    SHADOW_INLINE void add_virial(double slope, SymmetricTensor<Dim>& sum) const {
        add_product(sum, way, way, -slope);
    }
};

/// phi, without the singularities at 0 and pi (Blondel and Karplus 1996, J. Comput. Chem. 17,
/// 1132, eqs. 3 to 13, and 27).
template <class T = double>
struct DihedralGeometry {
    static constexpr int edges = 3;
    static SHADOW_INLINE int from(int k) { return k == 2 ? 3 : k; }
    static SHADOW_INLINE int to(int k) { return k == 0 ? 1 : 2; }
    T edge[edges][3]; ///< F, G, H
    T variable;
    T a[3], b[3];               ///< F x G / |F x G|^2 and H x G / |H x G|^2
    T length, along_f, along_h; ///< |G|, F . G / |G|, H . G / |G|

    static SHADOW_INLINE void cross(const T (&x)[3], const T (&y)[3], T (&z)[3]) {
        for (int d = 0; d < 3; ++d)
            z[d] = x[(d + 1) % 3] * y[(d + 2) % 3] - x[(d + 2) % 3] * y[(d + 1) % 3];
    }
    SHADOW_INLINE void prepare() {
        cross(edge[0], edge[1], a);
        cross(edge[2], edge[1], b);
        length = sqrt(dot(edge[1], edge[1]));
        along_f = dot(edge[0], edge[1]) / length;
        along_h = dot(edge[2], edge[1]) / length;
        T turn[3];
        cross(b, a, turn);
        variable = polar_angle(dot(turn, edge[1]) / length, dot(a, b));
        const T a2 = dot(a, a), b2 = dot(b, b);
        for (int d = 0; d < 3; ++d) {
            a[d] = a[d] / a2;
            b[d] = b[d] / b2;
        }
    }
    SHADOW_INLINE void gradient(std::int64_t member, T (&g)[3]) const {
        for (int d = 0; d < 3; ++d) {
            const T inner = along_f * a[d] - along_h * b[d];
            g[d] = member == 0   ? -length * a[d]
                   : member == 1 ? length * a[d] + inner
                   : member == 2 ? -length * b[d] - inner
                                 : length * b[d];
        }
    }
    /// The reference is the second particle.
    SHADOW_INLINE void add_virial(double slope, SymmetricTensor<3>& sum) const {
        double g[3], way[3];
        gradient(0, g);
        add_product(sum, edge[0], g, -slope);
        gradient(2, g);
        add_product(sum, edge[1], g, slope);
        gradient(3, g);
        for (int d = 0; d < 3; ++d) way[d] = edge[2][d] - edge[1][d];
        add_product(sum, way, g, -slope);
    }
};

template <class T>
struct BondedGeometry<3, BondedKind::dihedral, T> : DihedralGeometry<T> {};
template <class T>
struct BondedGeometry<3, BondedKind::improper, T> : DihedralGeometry<T> {};

/// The geometry of the terms of a form.
template <int Dim, class Form, class T = double>
using GeometryOf = std::conditional_t<Form::info.of_ends, EndsGeometry<Dim, T>,
                                      BondedGeometry<Dim, Form::info.kind, T>>;

/// Are there such terms in `Dim` dimensions?
template <int Dim>
[[nodiscard]] SHADOW_INLINE constexpr bool exists_in(BondedKind kind) {
    return members_of(kind) <= Dim + 1;
}

} // namespace shadow
