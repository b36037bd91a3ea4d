// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/macros.hpp"

#include <cmath>
#include <cstdint>

namespace shadow {

/// The periodic images of a tilted box. The next image along `gradient` is displaced by `slide`,
/// and by `turns` whole box lengths, along `flow`, and in 3D the next image along the third
/// direction is displaced along these two. Each edge is tilted along those before it in the order
/// flow, gradient, third. In a shear the images slide past each other (Lees and Edwards 1972, J.
/// Phys. C 5, 1921). If flow and gradient are the same direction, as when all fields are zero, a
/// box is rectangular.
struct SlidingImages {
    std::int32_t flow, gradient;
    double slide, turns;
    double third_flow = 0.0, third_gradient = 0.0;

    [[nodiscard]] SHADOW_INLINE bool any() const { return flow != gradient; }
    [[nodiscard]] SHADOW_INLINE std::int32_t third() const { return 3 - flow - gradient; }
    [[nodiscard]] SHADOW_INLINE bool third_is_tilted() const {
        return third_flow != 0.0 || third_gradient != 0.0;
    }
    /// The component of the edge along one direction in another direction.
    [[nodiscard]] SHADOW_INLINE double lean(std::int32_t edge, std::int32_t d) const {
        if (edge == gradient) return d == flow ? slide : 0.0;
        if (edge == flow) return 0.0;
        return d == flow ? third_flow : d == gradient ? third_gradient : 0.0;
    }
    /// Whether images slide along this direction, from image to image along others.
    [[nodiscard]] SHADOW_INLINE bool along(std::int32_t d) const {
        return any() && (d == flow || (d == gradient && third_gradient != 0.0));
    }
    /// Whether the images in this direction are displaced along others.
    [[nodiscard]] SHADOW_INLINE bool across(std::int32_t d) const {
        return any() && (d == gradient || (d != flow && third_is_tilted()));
    }
    /// Subtracts from a position the displacement of `images` images along an edge.
    template <class Vector>
    SHADOW_INLINE void slide_back(Vector& x, std::int32_t edge, double images) const {
        x[flow] -= images * lean(edge, flow);
        if (edge != gradient) x[gradient] -= images * lean(edge, gradient);
    }
    /// Subtracts from a separation of two positions the displacement of the nearest image.
    template <class Vector, class Lengths>
    SHADOW_INLINE void unslide(Vector& dx, const Lengths& inverse_length) const {
        if (!any()) return;
        const auto images = [&](std::int32_t d) { return nearbyint(dx[d] * inverse_length[d]); };
        if (third_is_tilted()) slide_back(dx, third(), images(third()));
        dx[flow] -= slide * images(gradient);
    }
    /// With the box length along one direction scaled by a factor.
    SHADOW_INLINE void scale(std::int32_t d, double factor) {
        if (!any()) return;
        if (d == flow) slide *= factor;
        if (d == flow) third_flow *= factor;
        if (d == gradient) third_gradient *= factor;
    }
    /// The same, with a slide of at most half of the box length along the flow.
    [[nodiscard]] SHADOW_INLINE SlidingImages reduced(double length) const {
        const double whole = nearbyint(slide / length);
        SlidingImages same = *this;
        same.slide = slide - whole * length;
        same.turns = turns + whole;
        return same;
    }
};

} // namespace shadow
