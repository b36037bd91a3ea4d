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

/// What is conserved of the momenta of all particles together.
template <int Dim>
struct ConservedMomenta {
    std::array<bool, Dim> linear{};
    std::array<bool, rotations<Dim>> angular{}; ///< about the centre of mass

    [[nodiscard]] bool any() const;
};

/// Directions along which all particles may be displaced together without a change of energy, and
/// those on which it does not depend at all, so that they may also be turned in planes of two of
/// these: all but z of a field along z. A field of which charges feel opposite forces has the first
/// along it and not the second.
template <int Dim>
struct Invariance {
    std::array<bool, Dim> along, turning;
    Invariance() {
        along.fill(true);
        turning.fill(true);
    }
    explicit Invariance(const std::array<bool, Dim>& a) : along(a), turning(a) {}
    bool operator==(const Invariance&) const = default;
};

/// By forces of this invariance: momenta along its directions, and the components of the angular
/// momentum whose two directions are open and among both.
template <int Dim>
[[nodiscard]] ConservedMomenta<Dim> conserved_momenta(const Box<Dim>& box,
                                                      const Invariance<Dim>& invariance = {});

/// Motion of all particles as a whole, as far as it is conserved: translation of the centre of
/// mass, and the rigid rotation about it which carries the angular momentum.
template <int Dim>
struct NetMotion {
    std::array<double, Dim> momentum{};                      ///< mass length/time
    std::array<double, rotations<Dim>> angular_momentum{};   ///< about the centre of mass
    double translation = 0.0, rotation = 0.0, kinetic = 0.0; ///< energies; the last of all motion
};

template <int Dim>
[[nodiscard]] NetMotion<Dim> net_motion(const Snapshot<Dim>& snapshot,
                                        const ConservedMomenta<Dim>& conserved);

/// Momenta without that motion, to rounding.
template <int Dim>
void remove_net_motion(Snapshot<Dim>& snapshot, const ConservedMomenta<Dim>& conserved);

} // namespace shadow
