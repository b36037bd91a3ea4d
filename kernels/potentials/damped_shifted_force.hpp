// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/erfc.hpp"
#include "kernels/potentials/potential.hpp"

namespace shadow {

/// Charges screened by erfc(alpha r), with energy and force shifted to zero at the cut-off R: u = k
/// q_i q_j [v(r) - v(R) - v'(R) (r - R)], v(r) = erfc(alpha r) / r With an infinite R it is the
/// pair part of Ewald's sum.
template <class T>
struct DampedShiftedForce {
    T strength, alpha; ///< k q_i q_j, alpha
    T slope, shift;    ///< k q_i q_j times v'(R), v(R) - R v'(R)

    static constexpr bool is_costly = true;

    SHADOW_INLINE PairResult<T> operator()(T r2) const {
        const T inverse_r = inverse_sqrt(r2);
        const T r = r2 * inverse_r;
        const ScreenedCharge<T> v = screened_charge(r, inverse_r, alpha);
        return {(strength * v.field * inverse_r + slope) * inverse_r,
                strength * v.potential - shift - slope * r};
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
        if (std::isinf(cutoff)) return {T(p[0]), T(p[1]), T(0.0), T(0.0)};
        const ScreenedCharge<double> v = screened_charge(cutoff, 1.0 / cutoff, p[1]);
        const double slope = -v.field / cutoff;
        return {T(p[0]), T(p[1]), T(p[0] * slope), T(p[0] * (v.potential - cutoff * slope))};
    }
};

} // namespace shadow
