// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/system/box.hpp"
#include "shadow/system/particles.hpp"

#include <array>
#include <cstddef>

namespace shadow {

/// The position of a particle with periodic images undone.
template <int Dim>
[[nodiscard]] std::array<double, Dim> unwrapped(const Snapshot<Dim>& snapshot, const Box<Dim>& box,
                                                std::size_t particle) {
    const BoxView<Dim> view = box.view();
    std::array<double, Dim> place = snapshot.position[particle];
    for (int d = 0; d < Dim; ++d) {
        double& x = place[static_cast<std::size_t>(d)];
        x = view.unwrapped(
            x, d, [&](int e) { return snapshot.image[particle][static_cast<std::size_t>(e)]; });
    }
    return place;
}

} // namespace shadow
