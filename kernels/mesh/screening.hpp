// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/macros.hpp"

#include <cmath>

namespace shadow {

/// Unit charges with Gaussian clouds that leave erfc(alpha r)/r to pairs: in a periodic box the
/// remaining energy is 1/(2 V) times the sum over k of g(k) |rho(k)|^2 (Ewald 1921, Ann. Phys. 369,
/// 253; in 2D with 1/r, Parry 1975, Surf. Sci. 49, 433, at equal heights; in 2D with -ln r, of
/// which E1(alpha^2 r^2)/2 is left to pairs).
template <int Dim>
struct Screening {
    double alpha;
    bool logarithmic = false; ///< -ln r in 2D

    /// g(k) = 4 pi/k^2 exp(-k^2 / 4 alpha^2); in 2D 2 pi/k erfc(k / 2 alpha), and for -ln r 2
    /// pi/k^2 exp(-k^2 / 4 alpha^2).
    [[nodiscard]] SHADOW_INLINE double operator()(double k2) const {
        if (is_gauss()) return without_gauss(k2) * gauss(k2);
        const double k = sqrt(k2);
        return 6.283185307179586477 / k * erfc(k / (2.0 * alpha));
    }
    /// Does g have the factor exp(-k^2 / 4 alpha^2)?
    [[nodiscard]] SHADOW_INLINE bool is_gauss() const { return Dim == 3 || logarithmic; }
    [[nodiscard]] SHADOW_INLINE double gauss(double k2) const {
        return exp(-k2 / (4.0 * alpha * alpha));
    }
    [[nodiscard]] SHADOW_INLINE double without_gauss(double k2) const {
        return (Dim == 3 ? 12.566370614359172954 : 6.283185307179586477) / k2;
    }
    /// g'(k) / (k g(k)): twice the relative derivative with respect to k^2.
    [[nodiscard]] SHADOW_INLINE double slope(double k2) const {
        if (is_gauss()) {
            return -2.0 / k2 - 0.5 / (alpha * alpha);
        } else {
            const double x = sqrt(k2) / (2.0 * alpha);
            const double gauss = 1.128379167095512574 * exp(-x * x) / erfc(x);
            return -1.0 / k2 - gauss / (2.0 * alpha * sqrt(k2));
        }
    }
    /// The factor of the energy density in component (a, b) of the virial.
    [[nodiscard]] SHADOW_INLINE double virial(const double (&k)[Dim], double k2, int a,
                                              int b) const {
        return (a == b ? 1.0 : 0.0) + slope(k2) * k[a] * k[b];
    }
};

} // namespace shadow
