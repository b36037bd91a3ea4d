// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/forces/registry.hpp"

#include <array>
#include <string>
#include <vector>

namespace shadow {

/// A harmonic vibration: of molecules as they stand, by bonded forces alone, or of particles by
/// themselves, by one force that says how stiff it is.
struct Vibration {
    double frequency = 0.0;               ///< angular, above zero
    std::vector<double> share;            ///< of the forces of each level in its square
    std::array<std::uint32_t, 2> atoms{}; ///< ids of those that move most, mass for mass
    /// Of particles by themselves: the force, and the species that it moves fastest. Else empty.
    std::string force = {}, species = {};

    [[nodiscard]] bool is_of_molecules() const { return species.empty(); }
};

/// The fastest ones, the fastest first. Of molecules each has another frequency (by 1 %), at most
/// `max_vibrations`: squares of frequencies are the largest eigenvalues of the Hessian of the
/// bonded energy, divided by masses, and of molecules with the same parameters and masses one is
/// looked at. Of particles by themselves there is one for each force (ForceClaims::stiffness).
/// None where no such force pulls back.
inline constexpr std::size_t max_vibrations = 8;
template <int Dim>
[[nodiscard]] std::vector<Vibration> fast_vibrations(const ForcePlan& forces,
                                                     const Topology& topology, const Box<Dim>& box,
                                                     const Snapshot<Dim>& start);

} // namespace shadow
