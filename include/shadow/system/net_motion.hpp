// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/system/box.hpp"
#include "shadow/system/particles.hpp"

#include <array>
#include <cstddef>

namespace shadow {

/// Components of an angular momentum: (xy) in two dimensions; (yz, zx, xy) in three; none in one.
template <int Dim>
inline constexpr std::size_t rotations = Dim*(Dim - 1) / 2;

/// Which components of the angular momentum forces between particles conserve in this box: those
/// whose two directions are open.
template <int Dim>
[[nodiscard]] std::array<bool, rotations<Dim>> conserved_rotations(const Box<Dim>& box);

/// Motion of all particles as a whole: translation of the centre of mass, and the rigid rotation
/// about it which carries what the box conserves of the angular momentum.
template <int Dim>
struct NetMotion {
    std::array<double, Dim> momentum{};                      ///< mass length/time
    std::array<double, rotations<Dim>> angular_momentum{};   ///< about the centre of mass
    double translation = 0.0, rotation = 0.0, kinetic = 0.0; ///< energies; the last of all motion
};

template <int Dim>
[[nodiscard]] NetMotion<Dim> net_motion(const Snapshot<Dim>& snapshot, const Box<Dim>& box);

/// Momenta without that motion, to rounding.
template <int Dim>
void remove_net_motion(Snapshot<Dim>& snapshot, const Box<Dim>& box);

} // namespace shadow
