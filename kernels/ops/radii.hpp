// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/bins.hpp"
#include "kernels/views.hpp"

#include <cmath>
#include <cstdint>

/// Distances of particles from their centre of mass.
namespace shadow {

/// Along open directions the sum of m x; along periodic ones, with u the fraction of the edge, the
/// sums of m cos(2 pi u) and of the sine, whose phase is the centre (Bai and Breen 2008, J. Graph.
/// Tools 13, 53).
template <int Dim>
struct CentreSums {
    double mass;
    double first[Dim], second[Dim];
};

template <int Dim>
struct MeasureCentre {
    using Value = CentreSums<Dim>;
    ParticlesView<Dim> particles;

    static SHADOW_FUNCTION Value identity() { return Value{}; }
    static SHADOW_FUNCTION Value combine(const Value& a, const Value& b) {
        Value sum;
        sum.mass = a.mass + b.mass;
        for (int d = 0; d < Dim; ++d) {
            sum.first[d] = a.first[d] + b.first[d];
            sum.second[d] = a.second[d] + b.second[d];
        }
        return sum;
    }
    SHADOW_FUNCTION Value operator()(std::int64_t i) const {
        const BoxView<Dim>& box = *particles.box;
        Value value{};
        value.mass = particles.mass[particles.species[i]];
        double x[Dim], part[Dim];
        for (int d = 0; d < Dim; ++d) x[d] = particles.position.component[d][i] - box.origin[d];
        box.fractions(x, part);
        for (int d = 0; d < Dim; ++d) {
            value.first[d] = value.mass * particles.position.component[d][i];
            if (!box.periodic[d]) continue;
            const double turn = 6.283185307179586477 * part[d];
            value.first[d] = value.mass * cos(turn);
            value.second[d] = value.mass * sin(turn);
        }
        return value;
    }
};

/// One thread: the centre.
template <int Dim>
struct FindCentre {
    const CentreSums<Dim>* sums;
    const BoxView<Dim>* box;
    double* centre;

    SHADOW_FUNCTION void operator()(std::int64_t) const {
        double part[Dim];
        for (int d = 0; d < Dim; ++d)
            part[d] = box->periodic[d]
                          ? atan2(sums->second[d], sums->first[d]) / 6.283185307179586477
                          : 0.0;
        for (int d = 0; d < Dim; ++d) {
            centre[d] = box->periodic[d] ? box->origin[d] + part[d] * box->length[d]
                                         : sums->first[d] / sums->mass;
            for (int e = 0; e < Dim; ++e)
                if (box->sliding.any() && e != d) centre[d] += part[e] * box->sliding.lean(e, d);
        }
    }
};

/// Counts particles by species and by the distance from the centre, in the nearest image.
template <int Dim>
struct CountRadii {
    ParticlesView<Dim> particles;
    const double* centre;
    double largest2, inverse_width;
    std::int32_t bins;
    std::int64_t* histogram; ///< [species][bin]

    template <class Add>
    SHADOW_INLINE void count(std::int64_t i, Add&& add) const {
        const BoxView<Dim>& box = *particles.box;
        double dx[Dim], r2 = 0.0;
        for (int d = 0; d < Dim; ++d) dx[d] = particles.position.component[d][i] - centre[d];
        box.unslide(dx);
        for (int d = 0; d < Dim; ++d) {
            if (box.periodic[d]) dx[d] -= box.length[d] * floor(dx[d] / box.length[d] + 0.5);
            r2 += dx[d] * dx[d];
        }
        if (!(r2 < largest2)) return;
        add(std::int64_t{particles.species[i]} * bins + bin_of(sqrt(r2), inverse_width, bins));
    }
};

} // namespace shadow
