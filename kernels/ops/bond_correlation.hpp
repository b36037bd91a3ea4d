// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/atomic.hpp"
#include "kernels/views.hpp"

#include <cmath>
#include <cstdint>

namespace shadow {

/// Products psi_i* psi_j of pairs, by distance through the nearest image. Origins i are every
/// `stride`-th particle; each meets all others. Products are summed as integers, in units of
/// 1/BondProducts::one, so that their order does not matter.
template <class Real>
struct BondProducts {
    static constexpr double one = 1073741824.0; ///< 2^30: rounding is below that of float sums

    VectorView<2, Real> position;
    const double* psi; ///< real parts, then imaginary ones
    std::int64_t particles, first, stride;
    double length[2];
    double inverse_length[2];
    double largest2, inverse_width;
    std::int32_t bins;
    std::int64_t* sums; ///< pairs by bin, then products

    [[nodiscard]] SHADOW_INLINE std::int64_t origins() const {
        return (particles - first + stride - 1) / stride;
    }
    /// The bin of a pair, or -1, and its product.
    SHADOW_INLINE std::int32_t pair(std::int64_t i, std::int64_t j, std::int64_t& product) const {
        double r2 = 0.0;
        for (int d = 0; d < 2; ++d) {
            double dx = static_cast<double>(position.component[d][j]) -
                        static_cast<double>(position.component[d][i]);
            dx -= length[d] * floor(dx * inverse_length[d] + 0.5);
            r2 += dx * dx;
        }
        if (!(r2 < largest2) || i == j) return -1;
        const double real = psi[i] * psi[j] + psi[particles + i] * psi[particles + j];
        product = static_cast<std::int64_t>(floor(real * one + 0.5));
        const auto k = static_cast<std::int32_t>(sqrt(r2) * inverse_width);
        return k < bins ? k : bins - 1;
    }
    /// Of origin o with particle j, `thread` being o * particles + j.
    SHADOW_FUNCTION void operator()(std::int64_t thread) const {
        std::int64_t product = 0;
        const std::int32_t k =
            pair(first + thread / particles * stride, thread % particles, product);
        if (k < 0) return;
        atomic_add(sums + k, std::int64_t{1});
        atomic_add(sums + bins + k, product);
    }
};

} // namespace shadow
