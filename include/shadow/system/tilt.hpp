// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/system/box.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shadow {

/// Edges of a box, one per row; off-diagonal elements are tilts.
using Edges = std::array<std::array<double, 3>, 3>;

/// Images of a box with such edges. Nothing if there is no order of directions in which each edge
/// is tilted only along those before it: such a box has to be rotated first.
[[nodiscard]] std::optional<SlidingImages> images_of(const Edges& edges);

/// Whole lengths subtracted from tilts, by which image counts of particles change.
struct WholeTurns {
    double gradient_flow = 0.0, third_flow = 0.0, third_gradient = 0.0;

    /// Changes images that were counted along the former edges.
    template <class Image>
    void apply(const SlidingImages& sliding, Image& image) const {
        const auto x = static_cast<std::size_t>(sliding.flow),
                   y = static_cast<std::size_t>(sliding.gradient);
        image[x] += static_cast<std::int32_t>(gradient_flow) * image[y];
        if (!sliding.third_is_tilted() && third_flow == 0.0 && third_gradient == 0.0) return;
        const std::int32_t above = image[static_cast<std::size_t>(sliding.third())];
        image[x] += static_cast<std::int32_t>(third_flow) * above;
        image[y] += static_cast<std::int32_t>(third_gradient) * above;
    }
};

/// Reduces tilts to half a length at most; the lattice of images stays the same.
template <int Dim>
[[nodiscard]] WholeTurns reduce_tilt(Box<Dim>& box);

/// A tilt: "xy" is the component along x of the edge along y, a length.
struct NamedTilt {
    std::string name;
    double length;
};
/// The tilts that are not 0.
template <int Dim>
[[nodiscard]] std::vector<NamedTilt> tilts_of(const Box<Dim>& box);

} // namespace shadow
