// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/potentials/damped_shifted_force.hpp"
#include "kernels/potentials/logarithmic.hpp"

/// What a particle has by itself in a potential, beside its pairs: a constant, which kernels of
/// pairs need not know.
namespace shadow {

/// `of(p, cutoff)`: p of two particles of the species in question, as for `from` of the potential.
template <template <class> class P>
struct SelfEnergy {};

/// A damped charge with what neutralises it on the sphere around it: half of what is left of
/// u - k q^2 / r at r = 0 (Wolf et al. 1999, J. Chem. Phys. 110, 8254, eq. 5.13, where the force is
/// not shifted; with it LAMMPS, pair_style coul/dsf).
template <>
struct SelfEnergy<DampedShiftedForce> {
    static constexpr const char* equation =
        "self energy of each particle -k q_i^2 [(v(R) - R v'(R))/2 + alpha/sqrt(pi)]";

    static double of(const double* p, double cutoff) {
        const auto u = DampedShiftedForce<double>::from(p, cutoff);
        return -0.5 * (u.shift + u.strength * two_by_root_pi * u.alpha);
    }
};

/// A cloud of charge takes (gamma + 2 ln alpha)/2 from the potential at its centre.
template <>
struct SelfEnergy<Logarithmic> {
    static double of(const double* p, double) {
        return -0.5 * p[0] * Logarithmic<double>::constant_of(p[1]);
    }
};

} // namespace shadow
