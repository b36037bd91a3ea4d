// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/macros.hpp"

#include <cmath>
#include <type_traits>

/// Elementary functions for formulas that are generic in their number type. These are the scalar
/// ones; those of SIMD packs are in kernels/pack_math.hpp and are found by argument-dependent
/// lookup. Names differ from those of <cmath>, so that a formula cannot call a function which
/// silently computes in double.
namespace shadow {

template <class T>
concept ScalarNumber = std::is_floating_point_v<T>;

/// `condition ? a : b`, lane by lane.
template <ScalarNumber T>
SHADOW_INLINE T select(bool condition, T a, T b) {
    return condition ? a : b;
}

/// 1 / x to the precision of T (on GPUs 1 ulp, for x that are neither subnormal nor beyond 1e38 or
/// 1e307; a division would test for these).
template <ScalarNumber T>
SHADOW_INLINE T reciprocal(T x) {
#if defined(__CUDA_ARCH__)
    if constexpr (std::is_same_v<T, float>) {
        float y;
        asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
        return y;
    } else {
        double y; // to 20 bits, which each Newton step doubles
        asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
        y = std::fma(y, std::fma(-x, y, 1.0), y);
        return std::fma(y, std::fma(-x, y, 1.0), y);
    }
#else
    return T(1) / x;
#endif
}

/// a b + c; rounded once on a GPU, as loops of a CPU may do.
template <class T>
SHADOW_INLINE T multiply_add(T a, T b, T c) {
#if defined(__CUDA_ARCH__)
    if constexpr (std::is_floating_point_v<T>) return std::fma(a, b, c);
#endif
    return a * b + c;
}

/// 1 / sqrt(x) to the precision of T.
template <ScalarNumber T>
SHADOW_INLINE T inverse_sqrt(T x) {
#if defined(__CUDA_ARCH__)
    return ::rsqrt(x);
#else
    return T(1) / std::sqrt(x);
#endif
}

template <ScalarNumber T>
SHADOW_INLINE T square_root(T x) {
    return std::sqrt(x);
}

template <ScalarNumber T>
SHADOW_INLINE T exponential(T x) {
    return std::exp(x);
}

/// exp(x) - 1, without loss of digits near 0.
template <ScalarNumber T>
SHADOW_INLINE T exponential_minus_one(T x) {
    return std::expm1(x);
}

/// For x > 0.
template <ScalarNumber T>
SHADOW_INLINE T logarithm(T x) {
    return std::log(x);
}

/// x^y for x > 0.
template <ScalarNumber T>
SHADOW_INLINE T power(T x, T y) {
    return std::pow(x, y);
}

inline constexpr double two_by_root_pi = 1.1283791670955125739;

} // namespace shadow
