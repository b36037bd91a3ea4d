// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/potentials/potential.hpp"

namespace shadow {

/// u = D [(1 - exp(-a (r - r0)))^2 - 1]
template <class T>
struct Morse {
    T depth, a, r0;

    static constexpr bool is_costly = true;

    SHADOW_INLINE PairResult<T> operator()(T r2) const {
        const T inverse_r = inverse_sqrt(r2);
        const T e = exponential(a * (r0 - r2 * inverse_r));
        return {T(2) * depth * a * e * (e - T(1)) * inverse_r, depth * e * (e - T(2))};
    }

    static constexpr PotentialInfo info{
        "morse",
        "an anharmonic well of finite depth with an exponential tail",
        "u = depth [(1 - exp(-a (r - r0)))^2 - 1], minimum -depth at r0",
        "P. M. Morse, Phys. Rev. 34 (1929) 57",
        3,
        {{"depth", "energy", "depth of the well"},
         {"a", "1/length", "inverse width of the well"},
         {"r0", "length", "distance of the minimum"}}};

    static Morse from(const double* p, double) { return {T(p[0]), T(p[1]), T(p[2])}; }
};

} // namespace shadow
