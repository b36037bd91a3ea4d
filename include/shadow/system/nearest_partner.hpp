// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/system/box.hpp"
#include "shadow/system/particles.hpp"

#include <string>

namespace shadow {

/// The distance of two positions, to the nearest image.
template <int Dim>
[[nodiscard]] double distance(const std::array<double, Dim>& a, const std::array<double, Dim>& b,
                              const Box<Dim>& box);

/// Another particle and how far away it is.
struct Partner {
    std::uint32_t id = 0;
    double distance = 0.0; ///< infinite where there is none
};

/// The particle nearest to `id` (minimum image), the likely cause of an exploding force; none if
/// the position of `id` is not finite or beyond a billion boxes. O(N).
template <int Dim>
[[nodiscard]] Partner nearest_partner(const Snapshot<Dim>& snapshot, const Box<Dim>& box,
                                      std::uint32_t id);

/// The surroundings of a particle with an exploding force, in words: its nearest partner, or how
/// many particles have lost their positions.
template <int Dim>
[[nodiscard]] std::string surroundings(const Snapshot<Dim>& snapshot, const Box<Dim>& box,
                                       std::uint32_t id);

} // namespace shadow
