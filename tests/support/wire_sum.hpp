// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/world.hpp"

namespace shadow::test {

template <int Dim>
struct WireSum {
    double energy = 0.0;
    Vectors<Dim> force;
    SymmetricTensor<Dim> virial{};
};

/// Of 1/r from all images of a charge of 1, along a line at a distance rho from it and with a
/// charge at z: the potential, less an infinite constant, and its slopes with z and rho^2, twice.
/// Images up to some are summed one by one, the others by the formula of Euler and Maclaurin for
/// midpoints, whose first term that is left out is below 0.2 / (L a^6), a images.
struct LinePotential {
    double value = 0.0, along = 0.0, across = 0.0;
};
LinePotential line_potential(double z, double rho2, double period, bool itself, int images = 60);

/// Neutral charges that are periodic along one direction alone, to rounding. Energies in units of
/// charge^2 / length. Across the wire the virial is the sum of x f, and as the energy is
/// homogeneous of degree -1 its trace is that.
template <int Dim>
WireSum<Dim> wire_sum(const Setup<Dim>& setup);

} // namespace shadow::test
