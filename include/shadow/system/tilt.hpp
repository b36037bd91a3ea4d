// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/system/box.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shadow {

/// Edges of a box, a row each: off the diagonal is how far they lean.
using Edges = std::array<std::array<double, 3>, 3>;

/// Images of a box with such edges. Nothing where there is no order of directions in which each
/// edge leans along those before it only: such a box has to be turned first.
[[nodiscard]] std::optional<SlidingImages> images_of(const Edges& edges);

/// Whole turns that were taken from edges, by which images of particles change.
struct WholeTurns {
    double gradient_flow = 0.0, third_flow = 0.0, third_gradient = 0.0;

    /// Of images that were counted along the edges as they were.
    template <class Image>
    void apply(const SlidingImages& sliding, Image& image) const {
        const auto x = static_cast<std::size_t>(sliding.flow),
                   y = static_cast<std::size_t>(sliding.gradient);
        image[x] += static_cast<std::int32_t>(gradient_flow) * image[y];
        if (!sliding.third_leans() && third_flow == 0.0 && third_gradient == 0.0) return;
        const std::int32_t above = image[static_cast<std::size_t>(sliding.third())];
        image[x] += static_cast<std::int32_t>(third_flow) * above;
        image[y] += static_cast<std::int32_t>(third_gradient) * above;
    }
};

/// A box of the same lattice whose edges lean by half a length at most.
template <int Dim>
[[nodiscard]] WholeTurns reduce_tilt(Box<Dim>& box);

/// How far an edge leans: "xy" and a length, of the edge along y along x.
struct NamedTilt {
    std::string name;
    double length;
};
/// Those that are not 0.
template <int Dim>
[[nodiscard]] std::vector<NamedTilt> tilts_of(const Box<Dim>& box);

} // namespace shadow
