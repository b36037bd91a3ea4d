// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "forms.hpp"

#include "kernels/cuda/check.hpp"
#include "kernels/cuda/pair_cluster.hpp"
#include "kernels/potentials/lennard_jones.hpp"

#include <type_traits>

/// What the forms share: positions as fractions of the box, and how they are launched.
namespace shadow::bench {

using cuda::PairSums;
using Rule = cuda::Law<Plain<LennardJones>, float, true>;

constexpr int block_warps = 4;
constexpr int block_threads = block_warps * warp::lanes;
constexpr double cells = 4294967296.0; ///< 2^32, of the length of the box

/// A position in 2^-32 of the box, in a piece that one load brings.
template <int Dim>
struct Fraction {
    using Piece = std::conditional_t<Dim == 3, int4, int2>;
    Piece x;
    SHADOW_DEVICE static Fraction load(const Fraction* from) { return {__ldg(&from->x)}; }
    SHADOW_DEVICE std::int32_t operator[](int d) const {
        if constexpr (Dim == 3)
            if (d == 2) return x.z;
        return d == 0 ? x.x : x.y;
    }
};
template <int Dim>
constexpr int fraction_words = sizeof(Fraction<Dim>) / sizeof(std::int32_t);

/// Lengths of 2^-32 of the box.
template <int Dim>
struct Scale {
    float x[Dim];
    SHADOW_DEVICE explicit Scale(const BoxView<Dim>& box) {
        for (int d = 0; d < Dim; ++d) x[d] = static_cast<float>(box.length[d] / cells);
    }
    /// From b to a, of all images the nearest.
    SHADOW_DEVICE void distance(const Fraction<Dim>& a, const Fraction<Dim>& b,
                                float (&r)[Dim]) const {
        for (int d = 0; d < Dim; ++d) {
            const auto difference =
                static_cast<std::uint32_t>(a[d]) - static_cast<std::uint32_t>(b[d]);
            r[d] = x[d] * static_cast<float>(static_cast<std::int32_t>(difference));
        }
    }
};

template <int Dim>
__global__ void place_particles(const __grid_constant__ LiquidForces<Dim> forces,
                                Fraction<Dim>* place) {
    const std::int64_t i = std::int64_t{blockIdx.x} * block_threads + threadIdx.x;
    if (i >= forces.particles.size) return;
    std::int32_t x[3] = {};
    for (int d = 0; d < Dim; ++d) {
        const double from =
            forces.particles.position.component[d][i] - forces.particles.box->origin[d];
        x[d] = static_cast<std::int32_t>(static_cast<std::uint32_t>(
            __double2ll_rn(from * (cells / forces.particles.box->length[d]))));
    }
    if constexpr (Dim == 3)
        place[i].x = {x[0], x[1], x[2], 0};
    else
        place[i].x = {x[0], x[1]};
}

inline unsigned blocks_for(std::int64_t threads) {
    return static_cast<unsigned>((threads + block_threads - 1) / block_threads);
}

template <int Dim>
Fraction<Dim>* place(const Backend& backend, const LiquidForces<Dim>& forces,
                     Array<std::int32_t>& place) {
    auto* target = reinterpret_cast<Fraction<Dim>*>(place.data());
    cuda::enqueue(cuda::stream_of(backend.stream()), place_particles<Dim>,
                  blocks_for(forces.particles.size), block_threads, nullptr, forces, target);
    return target;
}

} // namespace shadow::bench
