// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cuda/warp.hpp"
#include "kernels/tensor.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

/// One pair, and the sums over pairs: shared by all versions of the CUDA pair kernel.
///
/// A `Law` defines the interaction: `Pair cutoff2()`; `operator()(r2, a, b, f_over_r, u)` for
/// species a and b, which returns whether they interact at that distance and may leave any values
/// where r2 >= cutoff2; and `bool needs_energy()`, used by kernels with energies.
namespace shadow::cuda {

/// A particle that may be within the cut-off, relative to the centre of a cluster.
template <int Dim, class Pair>
struct alignas(sizeof(Pair) * Dim + 4 > 8 ? 16 : 8) Candidate {
    Pair x[Dim];
    std::int32_t species;
};

template <class T>
inline constexpr T infinity = std::numeric_limits<T>::infinity();
inline constexpr double largest_double = std::numeric_limits<double>::max();

/// A coordinate beyond every cut-off, for padding and lost particles; its square is a finite float.
template <class Pair>
inline constexpr Pair far_away = Pair(1e18);

/// Fills entries without a particle.
template <int Dim, class Pair>
SHADOW_DEVICE Candidate<Dim, Pair> padding_candidate() {
    Candidate<Dim, Pair> other{};
    other.x[0] = far_away<Pair>;
    return other;
}

/// The sums of a particle.
template <int Dim, class T>
struct PairSums {
    T force[Dim] = {};
    T energy = 0;                    ///< sum of u: twice the particle's share
    T virial[tensor_size<Dim>] = {}; ///< sum of r f: twice the particle's share
};

template <int Dim, class T>
SHADOW_DEVICE T square(const T (&x)[Dim]) {
    T sum = x[0] * x[0];
    for (int d = 1; d < Dim; ++d) sum = std::fma(x[d], x[d], sum);
    return sum;
}

/// The cut-off of a law, limited to less than the distance of padding.
template <class Pair, class Law>
SHADOW_DEVICE Pair bounded_cutoff2(const Law& law) {
    constexpr Pair most = far_away<Pair> * far_away<Pair> / 2;
    return law.cutoff2() < most ? law.cutoff2() : most;
}

/// Adds the force of a particle of species b on one of species a at separation `r`. `Guarded`:
/// coordinates may be NaN.
template <bool Guarded, bool WithEnergy, int Dim, class Pair, class Law>
SHADOW_DEVICE void add_at(const Law& law, Pair cutoff2, Pair (&r)[Dim], std::int32_t a,
                          std::int32_t b, bool masked, PairSums<Dim, Pair>& part) {
    const Pair r2 = square<Dim>(r);
    Pair f_over_r, u;
    const bool within = law(r2, a, b, f_over_r, u);
    const bool in_range = within && !masked && r2 < cutoff2;
    f_over_r = in_range ? f_over_r : Pair(0);
    for (int d = 0; d < Dim; ++d) {
        // 0 times NaN is also NaN.
        if (Guarded) r[d] = in_range ? r[d] : Pair(0);
        part.force[d] = std::fma(f_over_r, r[d], part.force[d]);
    }
    if (WithEnergy && law.needs_energy()) {
        part.energy += in_range ? u : Pair(0);
        for (int p = 0; p < Dim; ++p)
            for (int q = p; q < Dim; ++q) {
                Pair& virial = part.virial[tensor_index<Dim>(p, q)];
                virial = std::fma(f_over_r * r[p], r[q], virial);
            }
    }
}

/// Adds the force of `other` on `mine`.
template <bool Guarded, bool WithEnergy, int Dim, class Pair, class Law>
SHADOW_DEVICE void add_pair(const Law& law, Pair cutoff2, const Candidate<Dim, Pair>& mine,
                            const Candidate<Dim, Pair>& other, bool masked,
                            PairSums<Dim, Pair>& part) {
    Pair r[Dim];
    for (int d = 0; d < Dim; ++d) r[d] = mine.x[d] - other.x[d];
    add_at<Guarded, WithEnergy>(law, cutoff2, r, mine.species, other.species, masked, part);
}

/// Adds sums in the precision of pairs to those in double.
template <bool WithEnergy, int Dim, class Pair>
SHADOW_DEVICE void join(PairSums<Dim, double>& sums, const PairSums<Dim, Pair>& part) {
    for (int d = 0; d < Dim; ++d) sums.force[d] += static_cast<double>(part.force[d]);
    if constexpr (WithEnergy) {
        sums.energy += static_cast<double>(part.energy);
        for (int c = 0; c < tensor_size<Dim>; ++c)
            sums.virial[c] += static_cast<double>(part.virial[c]);
    }
}

} // namespace shadow::cuda
