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

/// The components of the total momentum and angular momentum that are conserved.
template <int Dim>
struct ConservedMomenta {
    std::array<bool, Dim> linear{};
    std::array<bool, rotations<Dim>> angular{}; ///< about the centre of mass

    [[nodiscard]] bool any() const;
};

/// `along`: directions along which all particles may be displaced together without a change of
/// energy. `turning`: directions on which the energy does not depend at all, so that particles may
/// also be rotated in planes of two of these: all but z for a field along z. A field whose forces
/// on opposite charges cancel leaves its direction in `along`, but not in `turning`.
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

/// The momenta that forces of this invariance conserve: those along its directions, and the
/// components of the angular momentum whose two directions are open, in `along` and in `turning`.
template <int Dim>
[[nodiscard]] ConservedMomenta<Dim> conserved_momenta(const Box<Dim>& box,
                                                      const Invariance<Dim>& invariance = {});

/// Motion of all particles as a whole, as far as it is conserved: translation of the centre of
/// mass, and the rigid rotation about it which carries the angular momentum.
template <int Dim>
struct NetMotion {
    std::array<double, Dim> momentum{};                      ///< mass length/time
    std::array<double, rotations<Dim>> angular_momentum{};   ///< about the centre of mass
    double translation = 0.0, rotation = 0.0, kinetic = 0.0; ///< energies; `kinetic` of all motion
};

template <int Dim>
[[nodiscard]] NetMotion<Dim> net_motion(const Snapshot<Dim>& snapshot,
                                        const ConservedMomenta<Dim>& conserved);

/// Removes that motion from the momenta, to rounding.
template <int Dim>
void remove_net_motion(Snapshot<Dim>& snapshot, const ConservedMomenta<Dim>& conserved);

} // namespace shadow
