// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/models/linear_map.hpp"

#include <algorithm>
#include <cmath>

/// Common functions of tests of maps.
namespace shadow::models {

inline double distance(const State& a, const State& b) {
    double most = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
    return most;
}

inline State after(const Map& step, State z, int steps) {
    for (int k = 0; k < steps; ++k) step(z);
    return z;
}

inline State flipped(State z) {
    for (std::size_t i = z.size() / 2; i < z.size(); ++i) z[i] = -z[i];
    return z;
}

/// The derivative of a step at z, by differences, accurate to 1e-10.
inline Matrix derivative_at(const Map& step, const State& z) {
    constexpr double h = 1e-3;
    const std::size_t n = z.size();
    Matrix m(n);
    for (std::size_t j = 0; j < n; ++j) {
        const auto at = [&](double by) {
            State moved = z;
            moved[j] += by;
            step(moved);
            return moved;
        };
        const State a = at(h), b = at(-h), c = at(2.0 * h), d = at(-2.0 * h);
        for (std::size_t i = 0; i < n; ++i)
            m(i, j) = (8.0 * (a[i] - b[i]) - (c[i] - d[i])) / (12.0 * h);
    }
    return m;
}

/// Largest entry of M^T J M - J with the derivative M of a step at z.
inline double defect_at(const Map& step, const State& z) {
    return symplectic_defect(derivative_at(step, z));
}

} // namespace shadow::models
