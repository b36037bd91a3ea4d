// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/fields/cosine_field.hpp"
#include "kernels/fields/harmonic_trap.hpp"
#include "kernels/fields/uniform_field.hpp"
#include "kernels/fields/wall.hpp"

/// The list of all external fields, the only place that names them.
namespace shadow {

template <template <int> class... F>
struct FieldList {
    static constexpr int size = sizeof...(F);
};

using Fields = FieldList<UniformField, HarmonicTrap, CosineField, Wall93, WallHarmonic>;

/// The maximum number of numbers of a field.
inline constexpr int max_field_numbers = 8;

/// Calls `use(field)` with a field made from its numbers.
template <class Field, class Use>
SHADOW_INLINE void use_field(const double* numbers, const Use& use) {
    static_assert(sizeof(Field) <= max_field_numbers * sizeof(double));
    Field field;
    __builtin_memcpy(static_cast<void*>(&field), numbers, sizeof field);
    use(field);
}

/// The same for the field at `index` in the list.
template <int Dim, template <int> class... F, class Use>
SHADOW_INLINE void visit_field(FieldList<F...>, std::int32_t index, const double* numbers,
                               const Use& use) {
    std::int32_t k = 0;
    ((k++ == index ? use_field<F<Dim>>(numbers, use) : void()), ...);
}

} // namespace shadow
