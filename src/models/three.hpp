// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

/// Vectors and matrices in 3D.
namespace shadow::models {

using Three = std::array<double, 3>;
using Nine = std::array<double, 9>; ///< row after row

inline constexpr Nine no_rotation = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};

[[nodiscard]] inline double dot(const Three& a, const Three& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

[[nodiscard]] inline Three cross(const Three& a, const Three& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// a + s b
[[nodiscard]] inline Three plus(const Three& a, double s, const Three& b) {
    return {a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]};
}

[[nodiscard]] inline Three scaled(double s, const Three& a) {
    return {s * a[0], s * a[1], s * a[2]};
}

[[nodiscard]] inline Nine times(const Nine& a, const Nine& b) {
    Nine c{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            for (std::size_t k = 0; k < 3; ++k) c[3 * i + j] += a[3 * i + k] * b[3 * k + j];
    return c;
}

[[nodiscard]] inline Three times(const Nine& a, const Three& x) {
    Three y{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 3; ++k) y[i] += a[3 * i + k] * x[k];
    return y;
}

/// x with x = next(x), iterated until only rounding changes it.
template <class Next>
[[nodiscard]] Three fixed_point(Three x, const Next& next) {
    for (int round = 0; round < 100; ++round) {
        const Three y = next(x);
        const double change =
            std::max({std::abs(y[0] - x[0]), std::abs(y[1] - x[1]), std::abs(y[2] - x[2])});
        x = y;
        if (change < 1e-16) break;
    }
    return x;
}

/// exp of the matrix of a cross product with x.
[[nodiscard]] Nine rotation_of(const Three& x);
/// Cayley's map, (1 + x / 2) (1 - x / 2)^-1 of that matrix.
[[nodiscard]] Nine cayley_of(const Three& x);

} // namespace shadow::models
