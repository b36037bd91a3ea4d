// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/system/net_motion.hpp"
#include "shadow/system/particles.hpp"

#include <cstdint>

namespace shadow {

/// What a temperature stays below: squares of distances, which pairs have in single precision,
/// overflow at 3e38, and this leaves room for light particles and long steps.
inline constexpr double highest_temperature = 1e30;

/// Kinetic degrees of freedom of `count` particles: the temperature is twice the kinetic energy
/// over k_B times this number. All count * Dim where no momentum is conserved (Langevin dynamics),
/// and one fewer for each component of the momentum and of the angular momentum that is: in a
/// periodic box Dim, in an open one Dim (Dim - 1) / 2 more (two particles: Dim - 1, as nothing
/// turns about their line). A single particle that nothing holds has none left.
template <int Dim>
[[nodiscard]] double degrees_of_freedom(std::int64_t count, const ConservedMomenta<Dim>& conserved);

/// Sets momenta from the Maxwell-Boltzmann distribution at k_B T = `kT` (energy, not negative):
/// drawn by seed, particle and `occasion` (0: the start of a run) alone, what is conserved of the
/// momentum and of the angular momentum about the centre of mass removed, then scaled so that twice
/// the kinetic energy is exactly kT times the degrees of freedom that are left. Throws InputError
/// if kT > 0 and none is.
template <int Dim>
void set_maxwell_boltzmann(Snapshot<Dim>& snapshot, const ConservedMomenta<Dim>& conserved,
                           double kT, std::uint64_t seed, std::uint64_t occasion = 0);

} // namespace shadow
