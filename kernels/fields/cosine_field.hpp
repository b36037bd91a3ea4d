// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/fields/field.hpp"

namespace shadow {

/// u = a cos(k.x + phase)
template <int Dim>
struct CosineField {
    double amplitude, phase, k[Dim];

    SHADOW_INLINE FieldResult<Dim> operator()(const double (&x)[Dim]) const {
        double angle = phase;
        for (int d = 0; d < Dim; ++d) angle += k[d] * x[d];
        const double along = amplitude * sin(angle);
        FieldResult<Dim> result{};
        for (int d = 0; d < Dim; ++d) result.force[d] = along * k[d];
        result.u = amplitude * cos(angle);
        return result;
    }
    [[nodiscard]] double gradient(int d) const { return amplitude != 0.0 ? k[d] : 0.0; }
    [[nodiscard]] double largest_curvature(double factor, int a, int b) const {
        return std::fabs(factor * amplitude) * k[a] * k[b];
    }

    static constexpr FieldInfo info{
        .name = "cosine-field",
        .summary = "a standing wave of energy: a substrate, or the field whose response is a "
                   "structure factor",
        .equation =
            "u = amplitude cos(k . x + phase), k = 2 pi periods / box lengths + wave_vector",
        .reference = "Hansen and McDonald 2013, Theory of Simple Liquids, section 3.5",
        .parameter_count = 4,
        .parameters = {{"amplitude", "energy", "of the wave", "1.0"},
                       {"periods", "", "number of waves in the box, for each periodic direction",
                        "[1, 0, 0]", FieldParameter::Kind::vector, FieldParameter::Range::any,
                        false},
                       {"wave_vector", "1/length", "for each open direction", "[0.0, 0.0, 0.5]",
                        FieldParameter::Kind::vector, FieldParameter::Range::any, false},
                       {"phase", "", "at the origin, in radians", "1.5",
                        FieldParameter::Kind::number, FieldParameter::Range::any, false}},
        .couples = true};

    static CosineField from(const double* p, const BoxView<Dim>& box) {
        constexpr double two_pi = 6.283185307179586476925;
        CosineField field{p[0], p[1 + 2 * Dim], {}};
        for (int d = 0; d < Dim; ++d)
            field.k[d] = box.periodic[d] ? two_pi * p[1 + d] / box.length[d] : p[1 + Dim + d];
        return field;
    }
    static const char* problem(const double* p, const BoxView<Dim>& box) {
        bool waves = false;
        for (int d = 0; d < Dim; ++d) {
            const double periods = p[1 + d], wave = p[1 + Dim + d];
            if (box.periodic[d] && wave != 0.0)
                return "a wave_vector along a periodic direction (the wave must fit into the box); "
                       "give periods there";
            if (!box.periodic[d] && periods != 0.0)
                return "periods along an open direction (there is no length that they divide); "
                       "give wave_vector there";
            if (periods != std::floor(periods))
                return "periods that are not whole (the wave would jump where the box repeats); "
                       "give whole numbers";
            waves = waves || periods != 0.0 || wave != 0.0;
        }
        return waves ? nullptr
                     : "a cosine-field without a wave (it acts on nothing); give periods, such as "
                       "[1, 0, 0], or wave_vector in an open direction";
    }
};

} // namespace shadow
