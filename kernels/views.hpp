// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/exclusions.hpp"
#include "kernels/macros.hpp"
#include "kernels/sliding_images.hpp"

#include <cmath>
#include <cstdint>

/// Plain views into backend memory, used by functors.
namespace shadow {

/// A box in kernels: the region [origin, origin + length) with periodic or open directions. The
/// length of an open direction, and its inverse, is 0.
template <int Dim>
struct BoxView {
    double origin[Dim];
    double length[Dim];
    double inverse_length[Dim];
    bool periodic[Dim];
    SlidingImages sliding;

    /// 0 unless periodic in every direction.
    [[nodiscard]] SHADOW_INLINE double volume() const {
        double product = 1.0;
        for (int d = 0; d < Dim; ++d) product *= length[d];
        return product;
    }
    /// Coordinate `d` with images unwrapped, given the number `images(e)` of images along each edge
    /// e.
    template <class Images>
    [[nodiscard]] SHADOW_INLINE double unwrapped(double x, int d, const Images& images) const {
        double lengths = images(d), slid = 0.0;
        if (sliding.any()) {
            if (d == sliding.flow) lengths += images(sliding.gradient) * sliding.turns;
            for (int e = 0; e < Dim; ++e)
                if (e != d) slid += images(e) * sliding.lean(e, d);
        }
        return x + (lengths * length[d] + slid);
    }
    /// Subtracts from a separation of two positions the displacement of the nearest image.
    SHADOW_INLINE void unslide(double (&dx)[Dim]) const { sliding.unslide(dx, inverse_length); }
    /// Moves a position to its image nearest to another position.
    SHADOW_INLINE void bring_near(double (&x)[Dim], const double (&other)[Dim]) const {
        const auto images = [&](int d) { return nearbyint((other[d] - x[d]) * inverse_length[d]); };
        if (sliding.any()) {
            if (sliding.third_is_tilted())
                sliding.slide_back(x, sliding.third(), -images(sliding.third()));
            x[sliding.flow] += sliding.slide * images(sliding.gradient);
        }
        for (int d = 0; d < Dim; ++d) x[d] += length[d] * images(d);
    }
    /// The components of a position with respect to the edges. Values indexed by a direction of the
    /// box are copied, so that the rest stays in registers of a GPU.
    template <class T>
    SHADOW_INLINE void fractions(const T (&x)[Dim], T (&u)[Dim]) const {
        for (int d = 0; d < Dim; ++d) u[d] = x[d] * T(inverse_length[d]);
        if (!sliding.any()) return;
        T part[Dim];
        for (int d = 0; d < Dim; ++d) part[d] = u[d];
        const auto take = [&](std::int32_t edge, std::int32_t d) {
            part[d] = part[d] - T(sliding.lean(edge, d) * inverse_length[d]) * part[edge];
        };
        if (Dim == 3 && sliding.third_is_tilted()) {
            take(sliding.third(), sliding.gradient);
            take(sliding.third(), sliding.flow);
        }
        take(sliding.gradient, sliding.flow);
        for (int d = 0; d < Dim; ++d) u[d] = part[d];
    }
    /// The vector with these scalar products with the edges.
    SHADOW_INLINE void from_products(const double (&with)[Dim], double (&k)[Dim]) const {
        for (int d = 0; d < Dim; ++d) k[d] = with[d] * inverse_length[d];
        if (!sliding.any()) return;
        double all[Dim];
        for (int d = 0; d < Dim; ++d) all[d] = k[d];
        const auto take = [&](std::int32_t edge, std::int32_t d) {
            all[edge] -= sliding.lean(edge, d) * all[d] * inverse_length[edge];
        };
        take(sliding.gradient, sliding.flow);
        if (Dim == 3 && sliding.third_is_tilted()) {
            take(sliding.third(), sliding.flow);
            take(sliding.third(), sliding.gradient);
        }
        for (int d = 0; d < Dim; ++d) k[d] = all[d];
    }
    /// The wave vector with this number of turns along each edge.
    SHADOW_INLINE void wave_vector(const std::int32_t (&turns)[Dim], double (&k)[Dim]) const {
        double with[Dim];
        for (int d = 0; d < Dim; ++d) with[d] = 6.283185307179586477 * turns[d];
        from_products(with, k);
    }
};

/// Directions of a box, a bit each.
using Axes = std::uint32_t;
inline constexpr Axes all_axes = 7;
[[nodiscard]] SHADOW_INLINE bool has_axis(Axes axes, int d) {
    return (axes >> d & 1U) != 0;
}

/// A mean-field correction for the interaction beyond a cut-off, proportional to the density.
struct Tail {
    double value;
    double volume; ///< the volume for which it is valid; 0: a box without a volume, where there is
                   ///< none

    template <int Dim>
    [[nodiscard]] SHADOW_INLINE double in(const BoxView<Dim>& box) const {
        return volume > 0.0 ? value * (volume / box.volume()) : value;
    }
};

/// Component-major vectors: `component[d][i]`.
template <int Dim, class T>
struct VectorView {
    T* component[Dim];
};

/// The mass of all particles, by direction, if their total momentum along it is conserved, so that
/// it is not heat; otherwise 0.
template <int Dim>
struct ConservedMass {
    double along[Dim];

    [[nodiscard]] SHADOW_INLINE bool any() const {
        for (int d = 0; d < Dim; ++d)
            if (along[d] > 0.0) return true;
        return false;
    }
    /// The share of a particle in the total momentum along `d`.
    [[nodiscard]] SHADOW_INLINE double share(double mass, int d) const {
        return along[d] > 0.0 ? mass / along[d] : 0.0;
    }
};

/// The state of all particles in memory order (re-sorted at list rebuilds; `id` is stable).
template <int Dim>
struct ParticlesView {
    std::int64_t size;
    VectorView<Dim, double> position;    ///< in or near the box; unwrapped: + image * length
    VectorView<Dim, double> momentum;    ///< canonical
    VectorView<Dim, std::int32_t> image; ///< periodic images crossed
    std::uint16_t* species;
    std::uint32_t* id;
    const double* mass;         ///< by species
    const double* inverse_mass; ///< by species
    const BoxView<Dim>* box;
    const double* s; ///< of a Nosé bath: canonical momentum = physical momentum times s

    /// Physical momentum.
    [[nodiscard]] SHADOW_INLINE double physical_momentum(std::int64_t i, int d) const {
        return momentum.component[d][i] / *s;
    }
    [[nodiscard]] SHADOW_INLINE double velocity(std::int64_t i, int d) const {
        return physical_momentum(i, d) * inverse_mass[species[i]];
    }
    SHADOW_INLINE void place(std::int64_t i, double (&x)[Dim]) const {
        for (int d = 0; d < Dim; ++d) x[d] = position.component[d][i];
    }
    /// An unwrapped coordinate.
    [[nodiscard]] SHADOW_INLINE double unwrapped(std::int64_t i, int d) const {
        return box->unwrapped(position.component[d][i], d,
                              [&](int e) { return image.component[e][i]; });
    }
};

/// A contiguous range of particles that may interact with a cluster, in the periodic image `shift`:
/// 8 signed bits for each direction, the number of box lengths to add to the positions.
struct NeighbourRange {
    std::int32_t begin, end;
    std::int32_t shift;

    static SHADOW_INLINE std::int32_t pack(int direction, int images) {
        return (images & 0xFF) << (8 * direction);
    }
    [[nodiscard]] SHADOW_INLINE int images(int direction) const {
        return static_cast<std::int8_t>(static_cast<std::uint32_t>(shift) >> (8 * direction));
    }
    /// The displacement of the image.
    template <int Dim>
    [[nodiscard]] SHADOW_INLINE double offset(const BoxView<Dim>& box, int direction) const {
        double along = images(direction) * box.length[direction];
        if (box.sliding.along(direction))
            for (int e = 0; e < Dim; ++e)
                if (e != direction) along += images(e) * box.sliding.lean(e, direction);
        return along;
    }
};

/// Lists that GPUs make from the neighbour ranges of each cluster of up to 32 particles at a
/// rebuild: its members, all particles within reach of any of its own, and for each particle a list
/// of member numbers, whose k-th entries are contiguous (a row). A cluster without such lists,
/// because they would be too long, has a negative number of rows: use its ranges.
struct StagedList {
    std::uint32_t* member;      ///< from c * max_members: particle and image, see staged.hpp
    std::int32_t* member_count; ///< of cluster c; null: nothing is staged
    std::uint64_t* rows;        ///< of lane k four entries at [c * max_rows / 4 + row / 4][k]
    std::int32_t* row_count;    ///< of cluster c, a multiple of 4
    double* centre;             ///< of cluster c at [c][d]: of its bounding box at the rebuild
    std::int32_t max_members, max_rows;
    const double* slide; ///< of periodic images, at the rebuild
};

/// A pair list: clusters of up to C neighbouring particles, consecutive in memory, and for each
/// cluster the neighbour ranges that contain every particle within cutoff + skin of it, except the
/// cluster itself. Pairs appear twice, once from each side (a full list), so that each force is
/// summed by one owner in a fixed order.
struct PairListView {
    const std::int32_t* cluster_count; ///< one number
    const std::int32_t*
        cluster_begin; ///< first particle of cluster c; its end is the start of c + 1 ...
    const std::int32_t* cluster_end; ///< ... or less at the end of a column
    const std::int32_t* range_count; ///< neighbour ranges of cluster c
    const NeighbourRange* ranges;    ///< from c * stride
    std::int64_t stride;
    double reach;      ///< cutoff + skin of the ranges; infinite: they contain all other particles
    double tile_reach; ///< cutoff + skin, of lists made from the ranges
    std::int64_t generation; ///< different after each rebuild; on the CPU only
    StagedList staged{};     ///< on GPUs only; without excluded pairs
    ExclusionView exclusions{};
    bool all_pairs = false; ///< pair forces do not use the list (kernels/all_pairs.hpp)
};

} // namespace shadow
