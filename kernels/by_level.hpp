// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/views.hpp"

namespace shadow {

/// Levels of forces in a multiple-time-step method, at most.
inline constexpr int most_levels = 8;

/// What the levels in use have, in their order. A level may have it twice: forces that change in
/// time are by themselves.
template <class T>
struct ByLevel {
    T of[2 * most_levels]{};
    int count = 0;

    void add(const T& x) { of[count++] = x; }
    [[nodiscard]] SHADOW_INLINE const T* begin() const { return of; }
    [[nodiscard]] SHADOW_INLINE const T* end() const { return of + count; }
};

/// The force of all levels.
template <int Dim, class Real>
struct TotalForce {
    ByLevel<VectorView<Dim, const Real>> level;

    [[nodiscard]] SHADOW_INLINE double operator()(int d, std::int64_t i) const {
        double sum = 0.0;
        for (const auto& of : level) sum += static_cast<double>(of.component[d][i]);
        return sum;
    }
};

} // namespace shadow
