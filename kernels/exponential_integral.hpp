// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/math.hpp"

/// The exponential integral E1(x), the integral of exp(-t)/t from x to infinity, in two parts that
/// are generic in the number type, each to relative 3e-16. Below the split E1 = -gamma - ln x +
/// Ein(x), which cancels by up to 25, and Ein is an entire function.
namespace shadow {

inline constexpr double exponential_integral_split = 2.0;

/// Ein(x) = sum over k of -(-x)^k / (k k!), for x from 0 to the split: the truncation error there
/// is 2^23 / (23 23!) = 1.4e-17.
template <class T>
SHADOW_INLINE T entire_exponential_integral(T x) {
    constexpr int terms = 22;
    T sum = T(1.0 / terms);
    for (int n = terms - 1; n > 0; --n) sum = T(1.0 / n) - x * sum * T(1.0 / (n + 1));
    return x * sum;
}

/// E1(x) above the split: exp(-x)/x times a function that is smooth in t = (x - 2)/(x + 2), here
/// interpolated at Chebyshev points from x = 2 to 90; beyond, E1 is negligible.
template <class T>
SHADOW_INLINE T exponential_integral_tail(T x) {
    constexpr double c[] = {
        0.72265723377644523703,   0.3359434026586087023,     -0.10154085690868831817,
        0.065167783634393851623,  -0.038899174727886964976,  0.027985382726727471084,
        -0.020171257325883923526, 0.015584381857784093815,   -0.011992811464975808562,
        0.0085819758210553720056, -0.0028817908856129339355, -0.0088746902849645447517,
        0.030447617431081831308,  -0.060120098462325669085,  0.086518805127468361864,
        -0.093805395583043304093, 0.076083012594826489732,   -0.044850023909815018079,
        0.018173652088971861714,  -0.0045327911605428556602, 0.00052564299548228008095};
    constexpr int terms = static_cast<int>(sizeof(c) / sizeof(double));
    const T t = (x - T(2.0)) * reciprocal(x + T(2.0));
    T sum = T(c[terms - 1]);
    for (int n = terms - 2; n >= 0; --n) sum = T(c[n]) + sum * t;
    return exponential(-x) * reciprocal(x) * sum;
}

} // namespace shadow
