// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/forces/registry.hpp"

#include <array>
#include <string>
#include <vector>

namespace shadow {

/// A harmonic vibration: of molecules as they stand, by bonded forces, alone or with what holds
/// their atoms; or of particles by themselves, by forces that say how stiff they are.
struct Vibration {
    double frequency = 0.0;               ///< angular, above zero
    std::vector<double> share;            ///< of the forces of each level in its square
    std::vector<std::string> forces = {}; ///< those with a hundredth of it, `bonded` first
    std::array<std::uint32_t, 2> atoms{}; ///< ids of those that move most, mass for mass
    std::string species = {};             ///< of particles by themselves; else empty

    static constexpr const char* bonded = "bonded forces";
    [[nodiscard]] bool is_of_molecules() const { return species.empty(); }
    [[nodiscard]] bool has_bonds() const { return forces.front() == bonded; }
    [[nodiscard]] bool has_bonds_alone() const { return has_bonds() && forces.size() == 1; }
};

/// The fastest ones, the fastest first. Squares of frequencies are the largest eigenvalues of a
/// Hessian divided by masses: of the energy of molecules by bonded forces alone, of which one is
/// looked at of those with the same parameters and masses; with what is as stiff everywhere
/// (ForceClaims::stiffness of a linear force) on each atom, of some molecules as they lie; and of
/// a particle of each species by the latter, alone and with each force that is so stiff somewhere:
/// two walls that face each other do not act together. Of each of the three kinds all have other
/// frequencies (by 1 %), at most `max_vibrations`. None where no such force pulls back.
inline constexpr std::size_t max_vibrations = 8;
template <int Dim>
[[nodiscard]] std::vector<Vibration> fast_vibrations(const ForcePlan& forces,
                                                     const Topology& topology, const Box<Dim>& box,
                                                     const Snapshot<Dim>& start);

} // namespace shadow
