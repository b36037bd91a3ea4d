// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/potentials/potential.hpp"

namespace shadow {

/// u = 4 epsilon [(sigma/r)^12 - (sigma/r)^6]
template <class T>
struct LennardJones {
    T c12, c6; ///< 48 epsilon sigma^12, 24 epsilon sigma^6

    SHADOW_INLINE PairResult<T> operator()(T r2) const {
        const T inverse_r2 = reciprocal(r2);
        const T inverse_r6 = inverse_r2 * inverse_r2 * inverse_r2;
        const T c12_r6 = c12 * inverse_r6;
        return {multiply_add(c12, inverse_r6, -c6) * inverse_r6 * inverse_r2,
                (c12_r6 * T(1.0 / 12.0) - c6 * T(1.0 / 6.0)) * inverse_r6};
    }

    static constexpr PotentialInfo info{
        "lennard-jones",
        "the 12-6 potential of simple liquids",
        "u = 4 epsilon [(sigma/r)^12 - (sigma/r)^6], minimum -epsilon at r_min = 2^(1/6) sigma",
        "J. E. Jones, Proc. R. Soc. A 106 (1924) 463",
        2,
        {{"epsilon", "energy", "depth of the well"},
         {"sigma", "length", "where u = 0", "r_min", 0.89089871814033930474}}}; // 2^(-1/6)

    static LennardJones from(const double* p, double) {
        const double s6 = std::pow(p[1], 6);
        return {T(48.0 * p[0] * s6 * s6), T(24.0 * p[0] * s6)};
    }
    static double tail_integral(const double* p, double cutoff, int dim) {
        const double s6 = std::pow(p[1], 6);
        return 4.0 * p[0] * s6 *
               (s6 * inverse_power_tail(12, cutoff, dim) - inverse_power_tail(6, cutoff, dim));
    }
};

} // namespace shadow
