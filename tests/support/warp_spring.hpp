// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// A force law for the warps of the CUDA pair kernel (kernels/cuda/pair_sums.hpp).
namespace shadow {

/// A force that distinguishes the species of the two sides.
template <class Pair>
struct Spring {
    static constexpr bool one_species = false;
    Pair cutoff;
    Pair cutoff2() const { return cutoff * cutoff; }
    static bool needs_energy() { return true; }
    bool operator()(Pair r2, int a, int b, Pair& f_over_r, Pair& u) const {
        f_over_r = Pair(1 + a) / (Pair(1) + r2);
        u = Pair(1 + b) * r2;
        return a != 2 || r2 < Pair(0.5) * cutoff2(); // species 2 feels no force at large distances
    }
};

} // namespace shadow
