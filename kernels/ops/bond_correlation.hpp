// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/atomic.hpp"
#include "kernels/ops/origin_pairs.hpp"

namespace shadow {

/// Products psi_i* psi_j of pairs, by distance. Products are summed as integers, in units of
/// 1/BondProducts::one, so that their order does not matter.
struct BondProducts {
    static constexpr double one = 1073741824.0; ///< 2^30: rounding is below that of float sums

    OriginPairs<2> pairs;
    const double* psi; ///< real parts, then imaginary ones
    double largest2, inverse_width;
    std::int32_t bins;
    std::int64_t* sums; ///< pairs by bin, then products

    /// The bin of a pair, or -1, and its product.
    SHADOW_INLINE std::int32_t pair(std::int64_t i, std::int64_t j, std::int64_t& product) const {
        double dx[2];
        pairs.between(i, j, dx);
        const double r2 = dx[0] * dx[0] + dx[1] * dx[1];
        if (!(r2 < largest2) || i == j) return -1;
        const std::int64_t n = pairs.particles;
        const double real = psi[i] * psi[j] + psi[n + i] * psi[n + j];
        product = static_cast<std::int64_t>(floor(real * one + 0.5));
        return bin_of(sqrt(r2), inverse_width, bins);
    }
    /// For origin o with particle j, `thread` being o * particles + j.
    SHADOW_FUNCTION void operator()(std::int64_t thread) const {
        std::int64_t product = 0;
        const std::int32_t k = pair(pairs.first + thread / pairs.particles * pairs.stride,
                                    thread % pairs.particles, product);
        if (k < 0) return;
        atomic_add(sums + k, std::int64_t{1});
        atomic_add(sums + bins + k, product);
    }
#if !defined(__CUDACC__)
    void on_cpu(const Backend& backend) const;
#endif
};

} // namespace shadow
