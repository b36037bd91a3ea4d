// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/fields/field.hpp"

namespace shadow {

/// A plane through a point; its normal points to the side of the particles.
template <int Dim>
struct Plane {
    double normal[Dim], offset;

    /// The distance of a position from the plane, negative behind it.
    [[nodiscard]] SHADOW_INLINE double distance(const double (&x)[Dim]) const {
        double sum = -offset;
        for (int d = 0; d < Dim; ++d) sum += normal[d] * x[d];
        return sum;
    }
    /// `push`: the force along the normal.
    [[nodiscard]] SHADOW_INLINE FieldResult<Dim> result(double push, double u) const {
        FieldResult<Dim> result{};
        for (int d = 0; d < Dim; ++d) result.force[d] = push * normal[d];
        result.u = u;
        return result;
    }

    /// From a point p[0 .. Dim) and a normal of any length p[Dim .. 2 Dim).
    static Plane from(const double* p) {
        constexpr double rounding = 1e-14; // of a normal that was computed
        Plane plane{};
        double largest = 0.0, square = 0.0;
        for (int d = 0; d < Dim; ++d) largest = std::fmax(largest, std::fabs(p[Dim + d]));
        for (int d = 0; d < Dim; ++d) {
            const double part = p[Dim + d] / largest;
            plane.normal[d] = std::fabs(part) > rounding ? part : 0.0;
            square += plane.normal[d] * plane.normal[d];
        }
        for (int d = 0; d < Dim; ++d) {
            plane.normal[d] /= std::sqrt(square);
            plane.offset += plane.normal[d] * p[d];
        }
        return plane;
    }
    static const char* problem(const double* p) {
        for (int d = 0; d < Dim; ++d)
            if (p[Dim + d] != 0.0) return nullptr;
        return "a wall whose normal is zero (it points to the side of the particles); give a "
               "direction, such as [0, 0, 1]";
    }
};

inline constexpr FieldParameter wall_point{"point", "length", "any point of the wall",
                                           "[0.0, 0.0, -1.0]", FieldParameter::Kind::vector};
inline constexpr FieldParameter wall_normal{"normal", "",
                                            "of any length, towards the side of the particles",
                                            "[0.0, 0.0, 1.0]", FieldParameter::Kind::vector};

/// u = e [(2/15) (s/z)^9 - (s/z)^3] at the distance z
template <int Dim>
struct Wall93 {
    Plane<Dim> plane;
    double epsilon, sigma;

    /// NaN behind the wall, where no particle may be.
    SHADOW_INLINE FieldResult<Dim> operator()(const double (&x)[Dim]) const {
        const double z = plane.distance(x);
        const double s = z > 0.0 ? sigma / z : static_cast<double>(NAN);
        const double s3 = s * s * s, s9 = s3 * s3 * s3;
        return plane.result(epsilon / z * (1.2 * s9 - 3.0 * s3), epsilon * (2.0 / 15.0 * s9 - s3));
    }
    [[nodiscard]] double gradient(int d) const { return plane.normal[d]; }

    static constexpr FieldInfo info{
        .name = "wall-93",
        .summary =
            "a half-space filled with Lennard-Jones particles, integrated, without a cut-off",
        .equation = "u = epsilon [(2/15) (sigma/z)^9 - (sigma/z)^3] at the distance z",
        .reference = "W. A. Steele, Surf. Sci. 36 (1973) 317",
        .parameter_count = 4,
        .parameters = {wall_point,
                       wall_normal,
                       {"epsilon", "energy", "strength", "1.0", FieldParameter::Kind::number,
                        FieldParameter::Range::positive},
                       {"sigma", "length", "range; the minimum is at (2/5)^(1/6) sigma", "1.0",
                        FieldParameter::Kind::number, FieldParameter::Range::positive}},
        .in_open_directions = true};

    static Wall93 from(const double* p, const BoxView<Dim>&) {
        return {Plane<Dim>::from(p), p[2 * Dim], p[2 * Dim + 1]};
    }
    static const char* problem(const double* p, const BoxView<Dim>&) {
        return Plane<Dim>::problem(p);
    }
};

/// u = k z^2 / 2 at the distance z behind the wall
template <int Dim>
struct WallHarmonic {
    Plane<Dim> plane;
    double stiffness;

    SHADOW_INLINE FieldResult<Dim> operator()(const double (&x)[Dim]) const {
        const double z = plane.distance(x), depth = z < 0.0 ? z : 0.0;
        return plane.result(-stiffness * depth, 0.5 * stiffness * depth * depth);
    }
    [[nodiscard]] double gradient(int d) const { return plane.normal[d]; }
    [[nodiscard]] double largest_curvature(double factor, int a, int b) const {
        return std::fmax(0.0, factor * stiffness) * plane.normal[a] * plane.normal[b];
    }

    static constexpr FieldInfo info{
        .name = "wall-harmonic",
        .summary = "a soft wall that pushes back particles that penetrate it",
        .equation = "u = stiffness z^2 / 2 at the depth z within the wall",
        .reference = "Modin 2009, Paper II, example 3.2",
        .parameter_count = 3,
        .parameters = {wall_point,
                       wall_normal,
                       {"stiffness", "energy/length^2", "force per depth", "1.0",
                        FieldParameter::Kind::number, FieldParameter::Range::positive}},
        .in_open_directions = true};

    static WallHarmonic from(const double* p, const BoxView<Dim>&) {
        return {Plane<Dim>::from(p), p[2 * Dim]};
    }
    static const char* problem(const double* p, const BoxView<Dim>&) {
        return Plane<Dim>::problem(p);
    }
};

} // namespace shadow
