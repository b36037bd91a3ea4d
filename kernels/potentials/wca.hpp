// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/potentials/lennard_jones.hpp"

namespace shadow {

/// The repulsive part of Lennard-Jones: u_LJ + epsilon below 2^(1/6) sigma, 0 beyond.
template <class T>
struct WeeksChandlerAndersen {
    LennardJones<T> lennard_jones;
    T epsilon;

    SHADOW_INLINE PairResult<T> operator()(T r2) const {
        PairResult<T> result = lennard_jones(r2);
        result.u = result.u + epsilon;
        return result;
    }

    static constexpr PotentialInfo info{
        "wca",
        "the purely repulsive part of Lennard-Jones",
        "u = 4 epsilon [(sigma/r)^12 - (sigma/r)^6] + epsilon for r < 2^(1/6) sigma, 0 beyond",
        "J. D. Weeks, D. Chandler and H. C. Andersen, J. Chem. Phys. 54 (1971) 5237",
        2,
        {{"epsilon", "energy", "u at r = sigma"},
         {"sigma", "length", "size of the core", "r_min", 0.89089871814033930474}}}; // 2^(-1/6)

    static WeeksChandlerAndersen from(const double* p, double cutoff) {
        return {LennardJones<T>::from(p, cutoff), T(p[0])};
    }
    static double implied_cutoff(const double* p) { return p[1] * std::pow(2.0, 1.0 / 6.0); }
};

} // namespace shadow
