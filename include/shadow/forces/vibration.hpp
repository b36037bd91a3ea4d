// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/forces/bonded.hpp"

#include <array>
#include <optional>
#include <vector>

namespace shadow {

/// A harmonic vibration of molecules as they stand, by bonded forces alone.
struct Vibration {
    double frequency = 0.0;             ///< angular, above zero
    std::vector<double> share;          ///< of the forces of each level in its square
    std::array<std::uint32_t, 2> atoms; ///< ids of those that move most, mass for mass
};

/// The fastest one: the square of its frequency is the largest eigenvalue of the Hessian of the
/// bonded energy, divided by masses. Of molecules with the same parameters one is looked at.
/// Nothing where no bonded force pulls back.
template <int Dim>
[[nodiscard]] std::optional<Vibration>
fastest_vibration(const std::vector<BondedDescription>& forces, const Topology& topology,
                  std::size_t levels, const Box<Dim>& box, const Snapshot<Dim>& start);

} // namespace shadow
