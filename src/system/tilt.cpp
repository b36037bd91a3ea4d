// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/system/tilt.hpp"

#include <cmath>

namespace shadow {

std::optional<SlidingImages> images_of(const Edges& edges) {
    const auto lean = [&](std::int32_t edge, std::int32_t d) {
        return edges[static_cast<std::size_t>(edge)][static_cast<std::size_t>(d)];
    };
    std::optional<SlidingImages> found;
    for (std::int32_t x = 0; x < 3; ++x)
        for (std::int32_t y = 0; y < 3; ++y) {
            const std::int32_t z = 3 - x - y;
            if (x == y || lean(x, y) != 0.0 || lean(x, z) != 0.0 || lean(y, z) != 0.0) continue;
            const SlidingImages images{x, y, lean(y, x), 0.0, lean(z, x), lean(z, y)};
            if (!images.third_is_tilted() && images.slide == 0.0) return SlidingImages{};
            // The simplest is a third edge without tilt.
            if (!found || !images.third_is_tilted()) found = images;
        }
    return found;
}

template <int Dim>
WholeTurns reduce_tilt(Box<Dim>& box) {
    SlidingImages sliding = box.sliding();
    WholeTurns turns;
    if (!sliding.any()) return turns;
    const double length_x = box.lengths()[static_cast<std::size_t>(sliding.flow)],
                 length_y = box.lengths()[static_cast<std::size_t>(sliding.gradient)];
    turns.gradient_flow = std::nearbyint(sliding.slide / length_x);
    sliding.slide -= turns.gradient_flow * length_x;
    turns.third_gradient = std::nearbyint(sliding.third_gradient / length_y);
    sliding.third_gradient -= turns.third_gradient * length_y;
    sliding.third_flow -= turns.third_gradient * sliding.slide;
    turns.third_flow = std::nearbyint(sliding.third_flow / length_x);
    sliding.third_flow -= turns.third_flow * length_x;
    for (double* lean : {&sliding.slide, &sliding.third_flow, &sliding.third_gradient})
        if (std::abs(*lean) < slid_by_rounding * length_x) *lean = 0.0;
    box.set_sliding(sliding);
    return turns;
}

template <int Dim>
std::vector<NamedTilt> tilts_of(const Box<Dim>& box) {
    std::vector<NamedTilt> tilts;
    for (std::size_t edge = 0; edge < Dim; ++edge)
        for (std::size_t d = 0; d < Dim; ++d)
            if (d != edge && box.edge(edge, d) != 0.0)
                tilts.push_back({{"xyz"[d], "xyz"[edge]}, box.edge(edge, d)});
    return tilts;
}

template std::vector<NamedTilt> tilts_of(const Box<1>&);
template std::vector<NamedTilt> tilts_of(const Box<2>&);
template std::vector<NamedTilt> tilts_of(const Box<3>&);
template WholeTurns reduce_tilt(Box<1>&);
template WholeTurns reduce_tilt(Box<2>&);
template WholeTurns reduce_tilt(Box<3>&);

} // namespace shadow
