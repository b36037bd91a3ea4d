// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/views.hpp"

#include <type_traits>

namespace shadow {

/// Maximum number of force levels in a multiple-time-step method.
inline constexpr int max_levels = 8;
/// Each level has forces that do not change in time, forces that do, and mollified ones; there is
/// one more array for the change of all forces along the acceleration.
inline constexpr int force_arrays = 3 * max_levels + 1;

/// One value for each level in use, in their order. A level may have two: forces that change in
/// time are separate. Only numbers and pointers: after an array of structures GCC 12 clears bytes
/// other than padding (`CommandBuffer::append`).
template <class T>
struct ByLevel {
    static_assert(!std::is_class_v<T>);
    T of[2 * max_levels]{};
    int count = 0;

    void add(const T& x) { of[count++] = x; }
    [[nodiscard]] SHADOW_INLINE const T* begin() const { return of; }
    [[nodiscard]] SHADOW_INLINE const T* end() const { return of + count; }
};

/// The force of all levels; with the same restriction.
template <int Dim>
struct TotalForce {
    const double* component[2 * max_levels][Dim]{};
    int count = 0;

    void add(const VectorView<Dim, const double>& force) {
        for (int d = 0; d < Dim; ++d) component[count][d] = force.component[d];
        ++count;
    }
    [[nodiscard]] SHADOW_INLINE double operator()(int d, std::int64_t i) const {
        double sum = 0.0;
        for (int k = 0; k < count; ++k) sum += component[k][d][i];
        return sum;
    }
};

} // namespace shadow
