// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/macros.hpp"

#include <cmath>
#include <cstdint>

namespace shadow {

/// Bond-orientational order of each particle in 2D, an op of `Sweep`, whose radius it uses.
/// With C = sum cos(m a), S = sum sin(m a) over the n neighbours, a being the angle of the bond to
/// a fixed axis, the sum over pairs of neighbours of cos(m theta), theta the angle between the two
/// bonds, is (C^2 + S^2 - n) / 2. Cosine and sine of m a follow from those of a by the recursion of
/// Chebyshev.
struct BondOrder {
    static constexpr int max_folds = 8;

    /// Sums over the neighbours, by fold.
    struct Sum {
        double cosine[max_folds], sine[max_folds];
        int neighbours;
    };

    int folds;
    int fold[max_folds]; ///< m, ascending
    std::int64_t stride; ///< particles
    double* order;       ///< order[k * stride + i]: that sum, for fold k of particle i
    double*
        psi; ///< may be null; (C + i S) / n, real part at [2k * stride + i], imaginary one after it

    SHADOW_INLINE Sum begin() const { return Sum{}; }

    SHADOW_INLINE void pair(Sum& sums, const double (&dx)[2], double r2, std::int64_t,
                            std::int64_t) const {
        if (!(r2 > 0.0)) return;
        const double inverse = 1.0 / sqrt(r2);
        const double cosine = dx[0] * inverse;
        const double sine = dx[1] * inverse;
        double c0 = 1.0, s0 = 0.0, c1 = cosine, s1 = sine; // of (m - 1) a and m a
        ++sums.neighbours;
        for (int k = 0, m = 1; k < folds; ++m) {
            if (fold[k] == m) {
                sums.cosine[k] += c1;
                sums.sine[k] += s1;
                ++k;
            }
            const double c2 = 2.0 * cosine * c1 - c0, s2 = 2.0 * cosine * s1 - s0;
            c0 = c1;
            s0 = s1;
            c1 = c2;
            s1 = s2;
        }
    }

    SHADOW_INLINE void end(std::int64_t i, const Sum& sums) const {
        const double n = sums.neighbours;
        const double share = sums.neighbours > 0 ? 1.0 / n : 0.0;
        for (int k = 0; k < folds; ++k) {
            const double c = sums.cosine[k], s = sums.sine[k];
            order[k * stride + i] = 0.5 * (c * c + s * s - n);
            if (psi) {
                psi[2 * k * stride + i] = c * share;
                psi[(2 * k + 1) * stride + i] = s * share;
            }
        }
    }
};

} // namespace shadow
