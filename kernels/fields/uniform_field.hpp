// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/fields/field.hpp"

namespace shadow {

/// u = -f.x
template <int Dim>
struct UniformField {
    double f[Dim];

    SHADOW_INLINE FieldResult<Dim> operator()(const double (&x)[Dim]) const {
        FieldResult<Dim> result{};
        for (int d = 0; d < Dim; ++d) {
            result.force[d] = f[d];
            result.u -= f[d] * x[d];
        }
        return result;
    }
    [[nodiscard]] double gradient(int d) const { return f[d]; }

    static constexpr FieldInfo info{
        .name = "uniform-field",
        .summary =
            "the same force everywhere: gravity with coupling = \"mass\", an electric field with "
            "\"charge\"; in a periodic direction the energy continues across the images",
        .equation = "u = -strength . x",
        .reference = "Landau and Lifshitz 1976, Mechanics, section 5",
        .parameter_count = 1,
        .parameters = {{"strength", "energy/length", "force, by direction", "[0.0, 0.0, -1.0]",
                        FieldParameter::Kind::vector}},
        .uniform = true,
        .linear = true,
        .couples = true};

    static UniformField from(const double* p, const BoxView<Dim>&) {
        UniformField field{};
        for (int d = 0; d < Dim; ++d) field.f[d] = p[d];
        return field;
    }
};

} // namespace shadow
