// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/system/net_motion.hpp"
#include "shadow/system/particles.hpp"

#include <cstdint>

namespace shadow {

/// Upper limit of temperatures: squared distances, in single precision for pairs, overflow at 3e38;
/// this leaves room for light particles and long steps.
inline constexpr double highest_temperature = 1e30;

/// Kinetic degrees of freedom of `count` particles: the temperature is twice the kinetic energy
/// over k_B times this number. count * Dim where no momentum is conserved (Langevin dynamics), and
/// one fewer for each component of the momentum and of the angular momentum that is conserved: Dim
/// in a periodic box, and Dim (Dim - 1) / 2 more in an open one (two particles: Dim - 1, as
/// rotation about their axis has no energy). A single free particle has none left.
template <int Dim>
[[nodiscard]] double degrees_of_freedom(std::int64_t count, const ConservedMomenta<Dim>& conserved);

/// Sets momenta from the Maxwell-Boltzmann distribution at k_B T = `kT` (energy, not negative):
/// drawn from seed, particle and `occasion` (0: the start of a run) alone, without the conserved
/// components of the momentum and of the angular momentum about the centre of mass, then scaled so
/// that twice the kinetic energy is exactly kT times the remaining degrees of freedom. Throws
/// InputError if kT > 0 and none remain.
template <int Dim>
void set_maxwell_boltzmann(Snapshot<Dim>& snapshot, const ConservedMomenta<Dim>& conserved,
                           double kT, std::uint64_t seed, std::uint64_t occasion = 0);

} // namespace shadow
