// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/views.hpp"

#include <cmath>

/// A box that changes, and lists that were built in a previous box.
namespace shadow {

/// Maps positions to the box that lists were built in, x factor + shift, minus slope y along
/// `flow`, with y along `gradient`; and the maximum displacement there: without a strain half the
/// skin.
template <int Dim>
struct Strain {
    double factor[Dim], shift[Dim];
    double limit2; ///< squared; negative: lists are too old in any case
    double slope;
    std::int32_t flow, gradient;

    bool operator==(const Strain&) const = default;

    [[nodiscard]] SHADOW_INLINE double moved(double x, double reference, int d) const {
        return x * factor[d] + shift[d] - reference;
    }
    /// The same with sliding images.
    [[nodiscard]] SHADOW_INLINE double moved(const double (&x)[Dim], double reference,
                                             int d) const {
        const double unslid = moved(x[d], reference, d);
        return slope != 0.0 && d == flow ? unslid - slope * x[gradient] : unslid;
    }
};

/// Multiplies lengths of the box along some directions by a factor, and the slide of images with
/// them; one thread.
template <int Dim>
struct ScaleBox {
    BoxView<Dim>* box;
    const double* factor;
    Axes axes;

    SHADOW_INLINE void operator()(std::int64_t) const {
        for (int d = 0; d < Dim; ++d) {
            if (!box->periodic[d] || !has_axis(axes, d)) continue;
            box->length[d] *= *factor;
            box->inverse_length[d] = 1.0 / box->length[d];
            box->sliding.scale(d, *factor);
        }
    }
};

/// One thread.
template <int Dim>
struct CopyBox {
    const BoxView<Dim>* from;
    BoxView<Dim>* to;
    SHADOW_INLINE void operator()(std::int64_t) const { *to = *from; }
};

/// After a change of the box, which scales positions about its origin; one thread. Particles that
/// were farther apart than cutoff + skin when lists were built, and have moved there by at most a,
/// are now farther apart than (cutoff + skin - 2 a) times the smallest ratio of lengths, times the
/// smallest factor by which the slide of images since then changes a length.
template <int Dim>
struct FollowBox {
    const BoxView<Dim>* box;
    const BoxView<Dim>* built; ///< the box that lists were built in
    double skin, cutoff;       ///< the longest finite one
    double least[Dim];         ///< minimum lengths, for which memory of lists is planned
    Strain<Dim>* strain;
    std::int32_t* too_small; ///< becomes 1 if a length is less than `least`

    SHADOW_INLINE void operator()(std::int64_t) const {
        double ratio = 1.0;
        for (int d = 0; d < Dim; ++d) {
            strain->factor[d] = 1.0;
            strain->shift[d] = 0.0;
            if (box->length[d] < least[d]) *too_small = 1;
            if (box->length[d] == built->length[d]) continue;
            strain->factor[d] = built->length[d] / box->length[d];
            strain->shift[d] = box->origin[d] * (1.0 - strain->factor[d]);
            const double here = box->length[d] / built->length[d];
            ratio = here < ratio ? here : ratio;
        }
        strain->slope = 0.0;
        if (box->sliding.any()) ratio *= follow_slide();
        const double limit = 0.5 * (skin - cutoff * (1.0 / ratio - 1.0));
        strain->limit2 = limit > 0.0 ? limit * limit : -1.0;
    }

  private:
    /// The smallest factor by which a shear changes distances.
    [[nodiscard]] SHADOW_INLINE double follow_slide() const {
        const std::int32_t x = box->sliding.flow, y = box->sliding.gradient;
        strain->flow = x;
        strain->gradient = y;
        strain->slope = strain->factor[x] * (box->sliding.slide / box->length[y]) -
                        strain->factor[y] * (built->sliding.slide / built->length[y]);
        strain->shift[x] += strain->slope * (box->origin[y] + 0.5 * box->length[y]);
        const double half = 0.5 * fabs(strain->slope / strain->factor[x]);
        return sqrt(1.0 + half * half) - half;
    }
};

} // namespace shadow
