// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/potentials/potential.hpp"

namespace shadow {

/// u = k q_i q_j / sqrt(r^2 + s^2): of charges, and with masses and the other sign gravity. Plummer
/// spheres of the softening length s.
template <class T>
struct Coulomb {
    T strength, softening2; ///< k q_i q_j, s^2

    SHADOW_INLINE PairResult<T> operator()(T r2) const {
        const T inverse_r = inverse_sqrt(r2 + softening2);
        const T u = strength * inverse_r;
        return {u * inverse_r * inverse_r, u};
    }

    static constexpr PotentialInfo info{
        "coulomb",
        "bare charges, summed over all pairs of an open system",
        "u = k q_i q_j / sqrt(r^2 + softening^2)",
        "C. A. Coulomb (1785)",
        2,
        {{"strength", "energy*length", "k q_i q_j"},
         {"softening", "length", "0: point charges", nullptr, 1.0, NumberRange::zero_or_above}},
        PairStrength::charges};

    static Coulomb from(const double* p, double) { return {T(p[0]), T(p[1] * p[1])}; }
};

} // namespace shadow
