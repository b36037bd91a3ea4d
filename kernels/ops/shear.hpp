// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/scalars.hpp"
#include "kernels/tensor.hpp"
#include "kernels/views.hpp"

#include <cmath>
#include <cstdint>

/// A fluid in shear, in a box whose images slide past each other.
namespace shadow {

/// Slides the images by a distance; one thread.
template <int Dim>
struct SlideImages {
    BoxView<Dim>* box;
    double strain; ///< that distance divided by the box length along the gradient

    SHADOW_INLINE void operator()(std::int64_t) const {
        box->sliding.slide += strain * box->length[box->sliding.gradient];
    }
};

/// Counts whole box lengths as turns; one thread. This does not change positions.
template <int Dim>
struct ReduceSlide {
    BoxView<Dim>* box;

    SHADOW_INLINE void operator()(std::int64_t) const {
        const SlidingImages& sliding = box->sliding;
        if (sliding.any()) box->sliding = sliding.reduced(box->length[sliding.flow]);
    }
};

/// The work of a shear against the forces of one kick, at fixed positions; one thread. Together
/// with its effect on momenta in drifts (Advance) the work is exact for each flow, so that energy
/// minus work is conserved to the order of the method.
template <int Dim>
struct AddShearWork {
    const SymmetricTensor<Dim>* virial;
    const BoxView<Dim>* box;
    Scalars scalars;
    double strain;

    SHADOW_FUNCTION void operator()(std::int64_t) const {
        const int along = tensor_index<Dim>(box->sliding.flow, box->sliding.gradient);
        scalars[Scalar::shear_work] -= strain * virial->component[along];
    }
};

/// One thread: the row of ShearFlow from a pressure tensor: a viscosity, or, if the rate changes,
/// the rate.
template <int Dim>
struct FinishShearFlow {
    const double* pressure;
    const BoxView<Dim>* box;
    double rate;
    bool changes;
    double* row;

    SHADOW_FUNCTION void operator()(std::int64_t) const {
        const std::int32_t x = box->sliding.flow, y = box->sliding.gradient;
        double* out = row;
        *out++ = -pressure[tensor_index<Dim>(x, y)];
        if (changes)
            *out++ = rate;
        else if (rate != 0.0)
            *out++ = row[0] / rate;
        *out++ = pressure[y] - pressure[x];
        if constexpr (Dim == 3) *out++ = pressure[3 - x - y] - pressure[y];
    }
};

} // namespace shadow
