// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/macros.hpp"

#include <cmath>
#include <cstdint>

namespace shadow {

/// How periodic images lie in a tilted box. The next image along `gradient` is `slide`, and so many
/// whole `turns` of the box, further along `flow`, and in space the next one along the third
/// direction is further along these two. Each edge leans along those before it in the order flow,
/// gradient, third. Images slide over each other in a shear (Lees and Edwards 1972, J. Phys. C 5,
/// 1921). Where flow and gradient are the same direction, as they are in zeros, a box is
/// rectangular.
struct SlidingImages {
    std::int32_t flow, gradient;
    double slide, turns;
    double third_flow = 0.0, third_gradient = 0.0;

    [[nodiscard]] SHADOW_INLINE bool any() const { return flow != gradient; }
    [[nodiscard]] SHADOW_INLINE std::int32_t third() const { return 3 - flow - gradient; }
    [[nodiscard]] SHADOW_INLINE bool third_leans() const {
        return third_flow != 0.0 || third_gradient != 0.0;
    }
    /// What the edge along one direction has along another one.
    [[nodiscard]] SHADOW_INLINE double lean(std::int32_t edge, std::int32_t d) const {
        if (edge == gradient) return d == flow ? slide : 0.0;
        if (edge == flow) return 0.0;
        return d == flow ? third_flow : d == gradient ? third_gradient : 0.0;
    }
    /// Do images slide along this direction, from image to image along others?
    [[nodiscard]] SHADOW_INLINE bool along(std::int32_t d) const {
        return any() && (d == flow || (d == gradient && third_gradient != 0.0));
    }
    /// Do images along this direction slide?
    [[nodiscard]] SHADOW_INLINE bool across(std::int32_t d) const {
        return any() && (d == gradient || (d != flow && third_leans()));
    }
    /// Takes from a place what so many images along an edge have slid.
    template <class Vector>
    SHADOW_INLINE void slide_back(Vector& x, std::int32_t edge, double images) const {
        x[flow] -= images * lean(edge, flow);
        if (edge != gradient) x[gradient] -= images * lean(edge, gradient);
    }
    /// Takes from a vector between two places what the image that is nearest has slid.
    template <class Vector, class Lengths>
    SHADOW_INLINE void unslide(Vector& dx, const Lengths& inverse_length) const {
        if (!any()) return;
        const auto images = [&](std::int32_t d) { return nearbyint(dx[d] * inverse_length[d]); };
        if (third_leans()) slide_back(dx, third(), images(third()));
        dx[flow] -= slide * images(gradient);
    }
    /// With lengths of the box times a factor along one direction.
    SHADOW_INLINE void scale(std::int32_t d, double factor) {
        if (!any()) return;
        if (d == flow) slide *= factor;
        if (d == flow) third_flow *= factor;
        if (d == gradient) third_gradient *= factor;
    }
    /// The same, slid by half of the length of the box along the flow at most.
    [[nodiscard]] SHADOW_INLINE SlidingImages reduced(double length) const {
        const double whole = nearbyint(slide / length);
        SlidingImages same = *this;
        same.slide = slide - whole * length;
        same.turns = turns + whole;
        return same;
    }
};

} // namespace shadow
