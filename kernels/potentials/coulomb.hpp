// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/potentials/potential.hpp"

namespace shadow {

/// u = k q_i q_j / sqrt(r^2 + s^2) + c r^2/2 - u_0: charges, or with masses and the opposite sign
/// gravity, of Plummer spheres with softening length s (c = u_0 = 0); or charges with a reaction
/// field, a continuum beyond a sphere (s = 0).
template <class T>
struct Coulomb {
    T strength, softening2; ///< k q_i q_j, s^2
    T curvature, shift;     ///< c, u_0

    SHADOW_INLINE PairResult<T> operator()(T r2) const {
        const T inverse_r = inverse_sqrt(r2 + softening2);
        const T u = strength * inverse_r;
        return {u * (inverse_r * inverse_r) - curvature, u + (T(0.5) * curvature * r2 - shift)};
    }

    static constexpr PotentialInfo info{
        "coulomb",
        "bare charges, summed over all pairs of an open system",
        "u = k q_i q_j / sqrt(r^2 + softening^2)",
        "C. A. Coulomb (1785)",
        3,
        {{"strength", "energy*length", "k q_i q_j"},
         {"softening", "length", "0: point charges", nullptr, 1.0, NumberRange::zero_or_above},
         {"epsilon_rf", "", "of a continuum; 0: none", nullptr, 1.0, NumberRange::internal}},
        PairStrength::charges};

    static Coulomb from(const double* p, double cutoff) {
        if (!(p[2] > 0.0)) return {T(p[0]), T(p[1] * p[1]), T(0.0), T(0.0)};
        const double field = p[0] / (2.0 + 1.0 / p[2]);
        return {T(p[0]), T(p[1] * p[1]),
                T(2.0 * field * (1.0 - 1.0 / p[2]) / (cutoff * cutoff * cutoff)),
                T(3.0 * field / cutoff)};
    }
};

} // namespace shadow
