// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/forces/registry.hpp"

#include <array>
#include <string>
#include <vector>

namespace shadow {

/// A harmonic vibration: of molecules at their present positions, under bonded forces, alone or
/// with forces that bind their atoms; or of single particles, under forces of known stiffness.
struct Vibration {
    double frequency = 0.0;               ///< angular, above zero
    std::vector<double> share;            ///< of the forces of each level in its square
    std::vector<std::string> forces = {}; ///< those with at least a hundredth of it, `bonded` first
    std::array<std::uint32_t, 2>
        atoms{};              ///< ids of those with the largest mass-weighted displacements
    std::string species = {}; ///< of single particles; else empty

    static constexpr const char* bonded = "bonded forces";
    [[nodiscard]] bool is_of_molecules() const { return species.empty(); }
    [[nodiscard]] bool has_bonds() const { return forces.front() == bonded; }
    [[nodiscard]] bool has_bonds_alone() const { return has_bonds() && forces.size() == 1; }
};

/// The fastest ones, the fastest first. Squares of frequencies are the largest eigenvalues of a
/// mass-weighted Hessian, of three kinds: of molecules under bonded forces alone, of which one is
/// computed of those with the same parameters and masses; of some molecules at their present
/// positions with, on each atom, forces that are as stiff everywhere (ForceClaims::stiffness of a
/// linear force); and of a single particle of each species under the latter forces, alone and with
/// each of the forces that reach their stiffness somewhere, one at a time, as two walls that face
/// each other do not act together. Frequencies of one kind differ (by 1 %), and there are at most
/// `max_vibrations`. None if no such force pulls back.
inline constexpr std::size_t max_vibrations = 8;
template <int Dim>
[[nodiscard]] std::vector<Vibration> fast_vibrations(const ForcePlan& forces,
                                                     const Topology& topology, const Box<Dim>& box,
                                                     const Snapshot<Dim>& start);

} // namespace shadow
