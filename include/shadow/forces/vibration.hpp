// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/forces/bonded.hpp"

#include <array>
#include <vector>

namespace shadow {

/// A harmonic vibration of molecules as they stand, by bonded forces alone.
struct Vibration {
    double frequency = 0.0;             ///< angular, above zero
    std::vector<double> share;          ///< of the forces of each level in its square
    std::array<std::uint32_t, 2> atoms; ///< ids of those that move most, mass for mass
};

/// The fastest ones, the fastest first, each of another frequency (by 1 %): squares of frequencies
/// are the largest eigenvalues of the Hessian of the bonded energy, divided by masses. Of molecules
/// with the same parameters and masses one is looked at. At most `most_vibrations`; none where no
/// bonded force pulls back.
inline constexpr std::size_t most_vibrations = 8;
template <int Dim>
[[nodiscard]] std::vector<Vibration>
fast_vibrations(const std::vector<BondedDescription>& forces, const Topology& topology,
                std::size_t levels, const Box<Dim>& box, const Snapshot<Dim>& start);

} // namespace shadow
