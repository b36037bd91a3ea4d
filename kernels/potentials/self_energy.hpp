// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/potentials/damped_shifted_force.hpp"
#include "kernels/potentials/logarithmic.hpp"

/// The self-energy of a particle in a potential: a constant, which pair kernels do not need.
namespace shadow {

/// `of(p, cutoff)`: p of two particles of the species in question, as for `from` of the potential.
template <template <class> class P>
struct SelfEnergy {};

/// A damped charge with its neutralising charge on the cut-off sphere: half of the limit of u - k
/// q^2 / r at r = 0 (Wolf et al. 1999, J. Chem. Phys. 110, 8254, eq. 5.13, without a force shift;
/// LAMMPS, pair_style coul/dsf, with it).
template <>
struct SelfEnergy<DampedShiftedForce> {
    static constexpr const char* equation =
        "self energy of each particle -k q_i^2 [(v(R) - R v'(R))/2 + alpha/sqrt(pi)]";

    static double of(const double* p, double cutoff) {
        const auto u = DampedShiftedForce<double>::from(p, cutoff);
        return -0.5 * (u.shift + u.strength * two_by_root_pi * u.alpha);
    }
};

/// A Gaussian charge cloud lowers the potential at its centre by (gamma + 2 ln alpha)/2.
template <>
struct SelfEnergy<Logarithmic> {
    static double of(const double* p, double) {
        return -0.5 * p[0] * Logarithmic<double>::constant_of(p[1]);
    }
};

} // namespace shadow
