// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/system/box.hpp"
#include "shadow/system/particles.hpp"

#include <cstdint>

namespace shadow {

/// Kinetic degrees of freedom of `count` particles: the temperature is twice the kinetic energy
/// over k_B times this number. All count * Dim where the method does not conserve the momentum
/// (stochastic ones). Where it does, Dim fewer; in a box that is open in every direction the
/// angular momentum is conserved too and takes Dim (Dim - 1) / 2 more (two particles: Dim - 1, as
/// nothing turns about their line). A single particle has none left.
template <int Dim>
[[nodiscard]] double degrees_of_freedom(std::int64_t count, const Box<Dim>& box,
                                        bool momentum_conserved);

/// Sets momenta from the Maxwell-Boltzmann distribution at k_B T = `kT` (energy, not negative):
/// drawn by seed and particle alone, the total momentum removed, in an open box the angular
/// momentum about the centre of mass too, then scaled so that twice the kinetic energy is exactly
/// kT times the degrees of freedom that are left. Throws InputError if kT > 0 and none is.
template <int Dim>
void set_maxwell_boltzmann(Snapshot<Dim>& snapshot, const Box<Dim>& box, double kT,
                           std::uint64_t seed);

} // namespace shadow
