// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/fields/field.hpp"

namespace shadow {

/// u = sum over directions of k_d (x_d - c_d)^2 / 2
template <int Dim>
struct HarmonicTrap {
    double stiffness[Dim], centre[Dim];

    SHADOW_INLINE FieldResult<Dim> operator()(const double (&x)[Dim]) const {
        FieldResult<Dim> result{};
        for (int d = 0; d < Dim; ++d) {
            const double away = x[d] - centre[d];
            result.force[d] = -stiffness[d] * away;
            result.u += 0.5 * stiffness[d] * away * away;
        }
        return result;
    }
    [[nodiscard]] double gradient(int d) const { return stiffness[d]; }
    [[nodiscard]] double largest_curvature(double factor, int a, int b) const {
        return a == b ? factor * stiffness[a] : 0.0;
    }

    static constexpr FieldInfo info{
        .name = "harmonic-trap",
        .summary = "a spring from a point to each particle, along open directions",
        .equation = "u = sum over directions d of stiffness_d (x_d - centre_d)^2 / 2",
        .reference = "Landau and Lifshitz 1976, Mechanics, section 23",
        .parameter_count = 2,
        .parameters = {{"stiffness", "energy/length^2", "of the spring, by direction",
                        "[0.0, 0.0, 1.0]", FieldParameter::Kind::vector,
                        FieldParameter::Range::not_negative},
                       {"centre", "length", "where the force is zero", "[0.0, 0.0, 5.0]",
                        FieldParameter::Kind::vector, FieldParameter::Range::any, false}},
        .in_open_directions = true,
        .separable = true,
        .linear = true,
        .couples = true};

    static HarmonicTrap from(const double* p, const BoxView<Dim>&) {
        HarmonicTrap field{};
        for (int d = 0; d < Dim; ++d) {
            field.stiffness[d] = p[d];
            field.centre[d] = p[Dim + d];
        }
        return field;
    }
    static const char* problem(const double* p, const BoxView<Dim>&) {
        for (int d = 0; d < Dim; ++d)
            if (p[d] != 0.0) return nullptr;
        return "a harmonic-trap without a stiffness (it acts on nothing); give one above zero in "
               "an open direction";
    }
};

} // namespace shadow
