// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/pack.hpp"

namespace shadow::SHADOW_ISA {

/// x rounded to an integer, for |x| < 2^51, or 2^22.
template <class T, int N>
SHADOW_PACK pack<T, N> nearest(pack<T, N> x) {
    const pack<T, N> magic(sizeof(T) == 8 ? 6755399441055744.0 : 12582912.0); // 1.5 * 2^52, 2^23
    return (x + magic) - magic;
}

/// Coefficients of Taylor's series on an eighth of a turn, the highest order first, without those
/// of a and of 1.
template <class T>
struct TurnTerms {
    static constexpr T sine[] = {
        -1.0 / 1307674368000.0, 1.0 / 6227020800.0, -1.0 / 39916800.0, 1.0 / 362880.0,
        -1.0 / 5040.0,          1.0 / 120.0,        -1.0 / 6.0};
    static constexpr T cosine[] = {
        1.0 / 20922789888000.0, -1.0 / 87178291200.0, 1.0 / 479001600.0, -1.0 / 3628800.0,
        1.0 / 40320.0,          -1.0 / 720.0,         1.0 / 24.0,        -0.5};
};
template <>
struct TurnTerms<float> {
    static constexpr float sine[] = {1.0F / 362880.0F, -1.0F / 5040.0F, 1.0F / 120.0F,
                                     -1.0F / 6.0F};
    static constexpr float cosine[] = {1.0F / 40320.0F, -1.0F / 720.0F, 1.0F / 24.0F, -0.5F};
};

/// Cosine and sine of 2 pi t, to 2 units in the last place of 1: Taylor's series on an eighth of a
/// turn, and quarter turns.
template <class T, int N>
SHADOW_PACK void turn(pack<T, N> t, pack<T, N>& cosine, pack<T, N>& sine) {
    using P = pack<T, N>;
    t = t - nearest(t);
    const P quarters = nearest(t * P(4.0)); // -2 .. 2
    const P a = (t - quarters * P(0.25)) * P(6.283185307179586477), a2 = a * a;
    P s(0), c(0);
    for (const T term : TurnTerms<T>::sine) s = s * a2 + P(term);
    for (const T term : TurnTerms<T>::cosine) c = c * a2 + P(term);
    s = s * a2 * a + a;
    c = c * a2 + P(1.0);
    const P square = quarters * quarters, sign = P(1.0) - square * P(0.5);
    const auto odd = (square < P(2.0)) & (P(0.5) < square);
    cosine = select(odd, -quarters * s, sign * c);
    sine = select(odd, quarters * c, sign * s);
}

} // namespace shadow::SHADOW_ISA
