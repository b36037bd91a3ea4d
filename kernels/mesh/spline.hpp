// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/macros.hpp"

/// Unrolls loops whose arrays must be in registers of a GPU.
#if defined(__CUDA_ARCH__)
#define SHADOW_UNROLL_ALL _Pragma("unroll")
#else
#define SHADOW_UNROLL_ALL
#endif

namespace shadow {

/// Weights of a cardinal B-spline of order `order` at the `order` points next to a particle, the
/// lowest point first, and their derivatives, from the fraction t of its coordinate (Essmann et al.
/// 1995, J. Chem. Phys. 103, 8577, eq. 4.1). `T` is a number type or a pack.
template <int max_order, class T>
struct SplineWeights {
    T weight[max_order];
    T slope[max_order];

    SHADOW_INLINE SplineWeights(int order, T t) {
        weight[0] = T(1.0) - t;
        weight[1] = t;
        SHADOW_UNROLL_ALL
        for (int n = 3; n <= order; ++n) {
            if (n == order) {
                slope[0] = T(0.0) - weight[0];
                SHADOW_UNROLL_ALL
                for (int j = 1; j < n - 1; ++j) slope[j] = weight[j - 1] - weight[j];
                slope[n - 1] = weight[n - 2];
            }
            const T share = T(1.0 / (n - 1));
            weight[n - 1] = share * t * weight[n - 2];
            SHADOW_UNROLL_ALL
            for (int j = 1; j < n - 1; ++j)
                weight[n - 1 - j] =
                    share * ((t + T(j)) * weight[n - 2 - j] + (T(n - j) - t) * weight[n - 1 - j]);
            weight[0] = weight[0] * (share * (T(1.0) - t));
        }
    }
};

} // namespace shadow
