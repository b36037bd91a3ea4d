// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/three.hpp"

#include <cmath>

namespace shadow::models {
namespace {

/// 1 + a X + b X^2 with the matrix X of a cross product with x.
Nine polynomial(const Three& x, double a, double b) {
    const double square = dot(x, x);
    Nine r{};
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
        r[4 * i] = 1.0 + b * (x[i] * x[i] - square);
        r[3 * i + j] = -a * x[k] + b * x[i] * x[j];
        r[3 * j + i] = a * x[k] + b * x[i] * x[j];
    }
    return r;
}

} // namespace

Nine rotation_of(const Three& x) {
    const double square = dot(x, x), angle = std::sqrt(square);
    if (angle < 1e-3)
        return polynomial(x, 1.0 - square / 6.0 * (1.0 - square / 20.0),
                          0.5 - square / 24.0 * (1.0 - square / 30.0));
    const double half = std::sin(0.5 * angle);
    return polynomial(x, std::sin(angle) / angle, 2.0 * half * half / square);
}

Nine cayley_of(const Three& x) {
    const double c = 4.0 + dot(x, x);
    return polynomial(x, 4.0 / c, 2.0 / c);
}

} // namespace shadow::models
