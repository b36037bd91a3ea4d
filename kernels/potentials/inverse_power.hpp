// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/potentials/potential.hpp"

namespace shadow {

/// u = epsilon (sigma/r)^n
template <class T>
struct InversePower {
    T epsilon, inverse_sigma2, n;

    static constexpr bool is_costly = true;

    SHADOW_INLINE PairResult<T> operator()(T r2) const {
        const T u = epsilon * power(r2 * inverse_sigma2, T(-0.5) * n);
        return {n * u * reciprocal(r2), u};
    }

    static constexpr PotentialInfo info{"inverse-power",
                                        "soft spheres: an inverse power of the distance",
                                        "u = epsilon (sigma/r)^exponent",
                                        "W. G. Hoover et al., J. Chem. Phys. 52 (1970) 4931",
                                        3,
                                        {{"epsilon", "energy", "u at r = sigma"},
                                         {"sigma", "length", "unit of the distance"},
                                         {"exponent", "", "any positive number"}}};

    static InversePower from(const double* p, double) {
        return {T(p[0]), T(1.0 / (p[1] * p[1])), T(p[2])};
    }
    static double tail_integral(const double* p, double cutoff, int dim) {
        return p[0] * std::pow(p[1], p[2]) * inverse_power_tail(p[2], cutoff, dim);
    }
};

} // namespace shadow
