// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/potentials/potential.hpp"

namespace shadow {

/// Charges screened by erfc(alpha r), with energy and force shifted to zero at the cut-off R:
/// u = k q_i q_j [v(r) - v(R) - v'(R) (r - R)], v(r) = erfc(alpha r) / r
/// With an infinite R they are those of Ewald's sum.
template <class T>
struct DampedShiftedForce {
    T strength, alpha, gauss_scale; ///< k q_i q_j, alpha, 2 alpha / sqrt(pi)
    T slope, shift;                 ///< v'(R), v(R) - R v'(R)

    SHADOW_INLINE PairResult<T> operator()(T r2) const {
        const T inverse_r = inverse_sqrt(r2);
        const T r = r2 * inverse_r;
        const ErfcGauss<T> e = erfc_gauss(alpha * r);
        const T v = e.erfc * inverse_r;
        return {strength * ((v + gauss_scale * e.gauss) * inverse_r + slope) * inverse_r,
                strength * (v - shift - slope * r)};
    }

    static constexpr PotentialInfo info{
        "coulomb-dsf",
        "damped shifted-force charges: a cut-off electrostatics for neutral bulk systems",
        "u = k q_i q_j [v(r) - v(R) - v'(R) (r - R)], v(r) = erfc(alpha r)/r, R the cut-off",
        "C. J. Fennell and J. D. Gezelter, J. Chem. Phys. 124 (2006) 234104, eqs. 18 and 19",
        2,
        {{"strength", "energy*length", "k q_i q_j"}, {"alpha", "1/length", "damping"}},
        PairStrength::charges};

    static DampedShiftedForce from(const double* p, double cutoff) {
        const double scale = p[1] * 1.1283791670955125739; // 2 / sqrt(pi)
        if (std::isinf(cutoff)) return {T(p[0]), T(p[1]), T(scale), T(0.0), T(0.0)};
        const double v = std::erfc(p[1] * cutoff) / cutoff;
        const double x = p[1] * cutoff;
        const double slope = -(v + scale * std::exp(-x * x)) / cutoff;
        return {T(p[0]), T(p[1]), T(scale), T(slope), T(v - cutoff * slope)};
    }
};

} // namespace shadow
