// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/system/box.hpp"
#include "shadow/system/particles.hpp"

#include <cstdint>

namespace shadow {

/// What a temperature stays below: squares of distances, which pairs have in single precision,
/// overflow at 3e38, and this leaves room for light particles and long steps.
inline constexpr double highest_temperature = 1e30;

/// Kinetic degrees of freedom of `count` particles: the temperature is twice the kinetic energy
/// over k_B times this number. All count * Dim where the method does not conserve the momentum
/// (Langevin dynamics). Where it does, Dim fewer, and one fewer for each component of the angular
/// momentum that the box conserves: in a box open in every direction Dim (Dim - 1) / 2 (two
/// particles: Dim - 1, as nothing turns about their line), in space open in two directions one. A
/// single particle has none left.
template <int Dim>
[[nodiscard]] double degrees_of_freedom(std::int64_t count, const Box<Dim>& box,
                                        bool momentum_conserved);

/// Sets momenta from the Maxwell-Boltzmann distribution at k_B T = `kT` (energy, not negative):
/// drawn by seed, particle and `occasion` (0: the start of a run) alone, the total momentum
/// removed, and the angular momentum about the centre of mass where the box conserves it, then
/// scaled so that twice the kinetic energy is exactly kT times the degrees of freedom that are
/// left. Throws InputError if kT > 0 and none is.
template <int Dim>
void set_maxwell_boltzmann(Snapshot<Dim>& snapshot, const Box<Dim>& box, double kT,
                           std::uint64_t seed, std::uint64_t occasion = 0);

} // namespace shadow
