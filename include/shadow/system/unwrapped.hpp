// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/system/box.hpp"
#include "shadow/system/particles.hpp"

#include <array>
#include <cstddef>

namespace shadow {

/// The place of a particle with periodic images undone.
template <int Dim>
[[nodiscard]] std::array<double, Dim> unwrapped(const Snapshot<Dim>& snapshot, const Box<Dim>& box,
                                                std::size_t particle) {
    std::array<double, Dim> place = snapshot.position[particle];
    for (std::size_t d = 0; d < Dim; ++d)
        place[d] += snapshot.image[particle][d] * box.lengths()[d];
    if (const SlidingImages& sliding = box.sliding(); sliding.any()) {
        const auto x = static_cast<std::size_t>(sliding.flow),
                   y = static_cast<std::size_t>(sliding.gradient);
        place[x] +=
            snapshot.image[particle][y] * (sliding.slide + sliding.turns * box.lengths()[x]);
    }
    return place;
}

} // namespace shadow
