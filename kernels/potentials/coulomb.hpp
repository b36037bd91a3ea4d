// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/potentials/potential.hpp"

namespace shadow {

/// u = k q_i q_j / r
template <class T>
struct Coulomb {
    T strength; ///< k q_i q_j

    SHADOW_INLINE PairResult<T> operator()(T r2) const {
        const T inverse_r = inverse_sqrt(r2);
        const T u = strength * inverse_r;
        return {u * inverse_r * inverse_r, u};
    }

    static constexpr PotentialInfo info{"coulomb",
                                        "bare charges, summed over all pairs of an open system",
                                        "u = k q_i q_j / r",
                                        "C. A. Coulomb (1785)",
                                        1,
                                        {{"strength", "energy*length", "k q_i q_j"}},
                                        true};

    static Coulomb from(const double* p, double) { return {T(p[0])}; }
};

} // namespace shadow
