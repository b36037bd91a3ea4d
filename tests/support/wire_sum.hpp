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

/// The sum of 1/r over all images of a unit charge along a line, at distance rho from the line and
/// z along it: the potential, minus an infinite constant, its derivative with respect to z, and
/// twice that with respect to rho^2. The nearest a = `images` images are summed one by one, the
/// others by the Euler-Maclaurin formula for midpoints, whose first omitted term is below 0.2 / (L
/// a^6).
struct LinePotential {
    double value = 0.0, along = 0.0, across = 0.0;
};
LinePotential line_potential(double z, double rho2, double period, bool itself, int images = 60);

/// Neutral charges that are periodic along one direction only, to rounding. Energies are in units
/// of charge^2 / length. Across the wire the virial is the sum of x f; its trace is the energy,
/// which is homogeneous of degree -1.
template <int Dim>
WireSum<Dim> wire_sum(const Setup<Dim>& setup);

} // namespace shadow::test
