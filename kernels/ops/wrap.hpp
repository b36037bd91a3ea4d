// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/views.hpp"

namespace shadow {

/// Wraps a coordinate along a periodic direction that is outside the box, by `far` of its lengths
/// or more; returns the number of lengths. Values that are not finite are not changed.
template <int Dim>
SHADOW_INLINE std::int32_t wrap_coordinate(const BoxView<Dim>& box, double& x, int d,
                                           double far = 0.0) {
    const double begin = box.origin[d], end = begin + box.length[d];
    const double more = far * box.length[d];
    if (x >= begin - more && x < end + more) return 0;
    double boxes = floor((x - begin) / box.length[d]);
    if (!(boxes > -1e9 && boxes < 1e9)) return 0;
    x -= boxes * box.length[d];
    // Rounding may leave it on a face; the two faces are equivalent.
    if (x >= end) {
        x = begin;
        boxes += 1.0;
    } else if (x < begin) {
        x = begin;
    }
    return static_cast<std::int32_t>(boxes);
}

/// Wraps particles into the box, with the displacement of sliding images, and counts the images
/// they crossed. Idempotent. Does not move particles that are not finite, and, where images do not
/// slide, those outside by less than `far` box lengths.
template <int Dim>
struct WrapPositions {
    const BoxView<Dim>* box;
    VectorView<Dim, double> position;
    VectorView<Dim, std::int32_t> image;
    double far = 0.0;

    SHADOW_INLINE void operator()(std::int64_t i) const {
        const SlidingImages& sliding = box->sliding;
        if (sliding.any()) {
            if (sliding.third_is_tilted())
                slide_back(i, sliding.third(), back(sliding.third(), i, 0.0));
            const std::int32_t boxes = back(sliding.gradient, i, 0.0);
            slide_back(i, sliding.gradient, boxes);
            image.component[sliding.flow][i] -= boxes * static_cast<std::int32_t>(sliding.turns);
        }
        for (int d = 0; d < Dim; ++d)
            if (box->periodic[d]) back(d, i, far);
    }

  private:
    SHADOW_INLINE void slide_back(std::int64_t i, std::int32_t edge, std::int32_t boxes) const {
        const SlidingImages& sliding = box->sliding;
        for (const std::int32_t d : {sliding.flow, sliding.gradient})
            if (d != edge) position.component[d][i] -= boxes * sliding.lean(edge, d);
    }
    /// The number of box lengths by which a particle moves back.
    SHADOW_INLINE std::int32_t back(int d, std::int64_t i, double beyond) const {
        const std::int32_t boxes = wrap_coordinate(*box, position.component[d][i], d, beyond);
        if (boxes != 0) image.component[d][i] += boxes;
        return boxes;
    }
};

} // namespace shadow
