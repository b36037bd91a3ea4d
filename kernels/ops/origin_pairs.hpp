// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include "kernels/ops/bins.hpp"
#include "kernels/views.hpp"

#include <cmath>
#include <cstdint>

/// Pairs at any distance, without cells or lists: some particles, the origins, with all others.
namespace shadow {

/// Origins are every `stride`-th particle from `first` on; each is paired with all others, in the
/// nearest image if the box is periodic.
template <int Dim>
struct OriginPairs {
    VectorView<Dim, double> position;
    std::int64_t particles, first, stride;
    double length[Dim];         ///< of the box; 0 where it is open
    double inverse_length[Dim]; ///< likewise
    SlidingImages sliding;

    [[nodiscard]] SHADOW_INLINE std::int64_t origins() const {
        return (particles - first + stride - 1) / stride;
    }
    SHADOW_INLINE void between(std::int64_t i, std::int64_t j, double (&dx)[Dim]) const {
        const auto images = [&](int d) { return floor(dx[d] * inverse_length[d] + 0.5); };
        for (int d = 0; d < Dim; ++d) dx[d] = position.component[d][j] - position.component[d][i];
        sliding.unslide(dx, inverse_length);
        for (int d = 0; d < Dim; ++d) dx[d] -= length[d] * images(d);
    }
};

/// Counts the pairs in bins. `Binning` has `std::int32_t operator()(const double (&dx)[Dim], i, j)
/// const` with dx = x_j - x_i, which is negative for pairs that do not count, and `std::int32_t
/// size() const`, the number of bins.
template <int Dim, class Binning>
struct CountOriginPairs {
    OriginPairs<Dim> pairs;
    Binning bin;
    std::int64_t* histogram;

    SHADOW_INLINE std::int32_t bin_of(std::int64_t i, std::int64_t j) const {
        if (i == j) return -1;
        double dx[Dim];
        pairs.between(i, j, dx);
        return bin(dx, i, j);
    }
    /// For origin o with particle j, `thread` being o * particles + j.
    template <class Add>
    SHADOW_INLINE void count(std::int64_t thread, Add&& add) const {
        const std::int64_t o = thread / pairs.particles, j = thread % pairs.particles;
        const std::int32_t k = bin_of(pairs.first + o * pairs.stride, j);
        if (k >= 0) add(k);
    }
#if !defined(__CUDACC__)
    void on_cpu(const Backend& backend) const;
#endif
};

/// Bins by distance, for each pair of species, that of the origin first.
template <int Dim>
struct DistanceBins {
    const std::uint16_t* species;
    std::int32_t kinds, bins;
    double largest2, inverse_width;

    [[nodiscard]] std::int32_t size() const { return kinds * kinds * bins; }
    SHADOW_INLINE std::int32_t operator()(const double (&dx)[Dim], std::int64_t i,
                                          std::int64_t j) const {
        double r2 = 0.0;
        for (int d = 0; d < Dim; ++d) r2 += dx[d] * dx[d];
        if (!(r2 < largest2)) return -1;
        return (species[i] * kinds + species[j]) * bins + bin_of(sqrt(r2), inverse_width, bins);
    }
};

/// Bins by the distance along the nearest of some directions, for pairs up to `largest` apart and
/// closer than `half_width` to the line.
struct DirectionBins {
    const double* directions; ///< unit vectors, at equal angles
    std::int32_t count, bins;
    double half_width, largest, inverse_width;
    double slope; ///< tangent of half the angle between two directions

    [[nodiscard]] std::int32_t size() const { return bins; }
    SHADOW_INLINE std::int32_t operator()(const double (&dx)[2], std::int64_t, std::int64_t) const {
        if (!(dx[0] * dx[0] + dx[1] * dx[1] < largest * largest)) return -1;
        for (std::int32_t k = 0; k < count; ++k) {
            const double* n = directions + 2 * k;
            const double along = dx[0] * n[0] + dx[1] * n[1];
            const double beside = fabs(dx[1] * n[0] - dx[0] * n[1]);
            if (!(along > 0.0 && beside < half_width && beside <= along * slope)) continue;
            return bin_of(along, inverse_width, bins);
        }
        return -1;
    }
};

} // namespace shadow
