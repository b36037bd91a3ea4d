// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/potentials/potential.hpp"

namespace shadow {

/// Elastic balls: u = K/2 (d - r)^2 below the diameter d, 0 beyond.
template <class T>
struct HarmonicContact {
    T stiffness, diameter;

    SHADOW_INLINE PairResult<T> operator()(T r2) const {
        const T inverse_r = inverse_sqrt(r2);
        const T overlap = diameter - r2 * inverse_r;
        return {stiffness * overlap * inverse_r, T(0.5) * stiffness * overlap * overlap};
    }

    static constexpr PotentialInfo info{
        "harmonic-contact",
        "elastic balls which repel in proportion to their overlap",
        "u = stiffness/2 (diameter - r)^2 for r < diameter, 0 beyond",
        "K. Modin and C. Fuhrer, ball contact of Paper II in K. Modin's thesis, Lund (2009)",
        2,
        {{"stiffness", "energy/length^2", "force per overlap"},
         {"diameter", "length", "distance of first contact"}}};

    static HarmonicContact from(const double* p, double) { return {T(p[0]), T(p[1])}; }
    static double implied_cutoff(const double* p) { return p[1]; }
};

} // namespace shadow
