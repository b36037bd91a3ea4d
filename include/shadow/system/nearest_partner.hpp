// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/system/box.hpp"
#include "shadow/system/particles.hpp"

#include <string>

namespace shadow {

/// Between two places, through the nearest image.
template <int Dim>
[[nodiscard]] double distance(const std::array<double, Dim>& a, const std::array<double, Dim>& b,
                              const Box<Dim>& box);

/// Another particle and how far away it is.
struct Partner {
    std::uint32_t id = 0;
    double distance = 0.0; ///< infinite where there is none
};

/// The particle nearest to `id` (minimum image), the one to blame for an exploding force; none
/// where it has no place any more, not finite or beyond a billion boxes. O(N).
template <int Dim>
[[nodiscard]] Partner nearest_partner(const Snapshot<Dim>& snapshot, const Box<Dim>& box,
                                      std::uint32_t id);

/// The surroundings of a particle with an exploding force, for people: its nearest partner, or how
/// many particles have lost their places.
template <int Dim>
[[nodiscard]] std::string surroundings(const Snapshot<Dim>& snapshot, const Box<Dim>& box,
                                       std::uint32_t id);

} // namespace shadow
