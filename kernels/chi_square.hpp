// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/philox.hpp"

namespace shadow {

/// A random number distributed as the sum of the squares of `degrees` > 0 standard normal numbers:
/// twice a number of the gamma distribution (Marsaglia and Tsang 2000, ACM Trans. Math. Softw. 26,
/// 363). `first` is the first block of random words used.
SHADOW_INLINE double chi_square(double degrees, std::uint64_t seed, std::uint32_t stream,
                                std::uint64_t step, std::uint32_t first) {
    double shape = 0.5 * degrees, factor = 1.0;
    std::uint32_t block = first;
    if (shape < 1.0) {
        factor = pow(Philox(seed, stream, 0, step, block++).uniform(0), 1.0 / shape);
        shape += 1.0;
    }
    const double d = shape - 1.0 / 3.0, c = 1.0 / sqrt(9.0 * d);
    // At least 95 of 100 are accepted.
    for (int tries = 0; tries < 60; ++tries) {
        double z, other;
        Philox(seed, stream, 0, step, block++).normal(z, other);
        const double root = 1.0 + c * z, v = root * root * root;
        const double u = Philox(seed, stream, 0, step, block++).uniform(0);
        if (v > 0.0 && std::log(u) < 0.5 * z * z + d - d * v + d * std::log(v))
            return 2.0 * factor * d * v;
    }
    return 2.0 * factor * d;
}

} // namespace shadow
