// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/erfc.hpp"
#include "kernels/pack.hpp"

/// The functions of kernels/math.hpp for packs, without calls into the C library. Relative errors
/// are a few units in the last place, plus |y log x| units for power and x^2 units for erfc.
namespace shadow::SHADOW_ISA {

/// Estimates of AVX-512 are accurate to 14 bits; Newton steps give full precision. (The forms with
/// a full mask are the same instructions; GCC 12 warns about its own headers for those without.)
template <class T, int N>
SHADOW_PACK pack<T, N> reciprocal(pack<T, N> x) {
    using P = pack<T, N>;
#if defined(__AVX512F__)
    if constexpr (sizeof(T) == 4) {
        const P y = typename P::V(_mm512_maskz_rcp14_ps(0xFFFF, x.v));
        return y + y * (P(1) - x * y);
    } else {
        const P y = typename P::V(_mm512_maskz_rcp14_pd(0xFF, x.v));
        const P e = P(1) - x * y, z = y + y * e;
        return z + z * (e * e);
    }
#else
    return P(1) / x;
#endif
}

template <class T, int N>
SHADOW_PACK pack<T, N> square_root(pack<T, N> x) {
    pack<T, N> root;
#if defined(__AVX512F__)
    if constexpr (sizeof(T) == 4)
        root.v = _mm512_maskz_sqrt_ps(0xFFFF, x.v);
    else
        root.v = _mm512_maskz_sqrt_pd(0xFF, x.v);
#else
    if constexpr (sizeof(T) == 4)
        for (int k = 0; k < N; ++k) root.v[k] = __builtin_sqrtf(x.v[k]);
    else
        for (int k = 0; k < N; ++k) root.v[k] = __builtin_sqrt(x.v[k]);
#endif
    return root;
}

template <class T, int N>
SHADOW_PACK pack<T, N> inverse_sqrt(pack<T, N> x) {
    using P = pack<T, N>;
#if defined(__AVX512F__)
    if constexpr (sizeof(T) == 4) {
        const P y = typename P::V(_mm512_maskz_rsqrt14_ps(0xFFFF, x.v));
        return y + P(0.5) * y * (P(1) - x * y * y);
    } else {
        const P y = typename P::V(_mm512_maskz_rsqrt14_pd(0xFF, x.v));
        const P e = P(1) - x * y * y;
        return y + y * e * (P(0.5) + e * (P(0.375) + P(0.3125) * e));
    }
#else
    return P(1) / square_root(x);
#endif
}

/// Coefficients of a polynomial, of order zero first.
template <class T, int n>
struct Series {
    T c[n];
};
/// Coefficients of (exp(x) - 1)/x: 1/k!.
template <class T, int n>
constexpr Series<T, n> exponential_series() {
    Series<T, n> series{};
    double factorial = 1.0;
    for (int k = 0; k < n; ++k) series.c[k] = static_cast<T>(1.0 / (factorial *= k + 1));
    return series;
}
/// Coefficients of (artanh(x)/x - 1)/x^2, in x^2: 1/(2k + 3).
template <class T, int n>
constexpr Series<T, n> logarithm_series() {
    Series<T, n> series{};
    for (int k = 0; k < n; ++k) series.c[k] = static_cast<T>(1.0 / (2 * k + 3));
    return series;
}

/// The bit layout of a floating-point number.
template <class T>
struct Format;
template <>
struct Format<float> {
    static constexpr int mantissa = 23, bias = 127;
    static constexpr std::uint32_t one = 0x3F800000, two23 = 0x4B000000, mantissa_mask = 0x7FFFFF;
    static constexpr float magic = 12582912.0F; // 1.5 * 2^23: adding it rounds to an integer
    static constexpr float integer = 8388608.0F;
    static constexpr float lowest = -87.0F, highest = 88.3F;
    static constexpr float ln2_high = 0.693359375F, ln2_low = -2.12194440e-4F;
    static constexpr auto exp_series = exponential_series<float, 7>();
    static constexpr auto log_series = logarithm_series<float, 5>();
};
template <>
struct Format<double> {
    static constexpr int mantissa = 52, bias = 1023;
    static constexpr std::uint64_t one = 0x3FF0000000000000, two23 = 0x4330000000000000,
                                   mantissa_mask = 0xFFFFFFFFFFFFF;
    static constexpr double magic = 6755399441055744.0; // 1.5 * 2^52
    static constexpr double integer = 4503599627370496.0;
    static constexpr double lowest = -708.0, highest = 709.4;
    static constexpr double ln2_high = 0.693145751953125, ln2_low = 1.42860682030941723212e-6;
    static constexpr auto exp_series = exponential_series<double, 13>();
    static constexpr auto log_series = logarithm_series<double, 11>();
};

/// exp(x) = 2^k (1 + tail), |r| <= ln(2)/2.
template <class P>
struct ExponentialParts {
    P power, tail; ///< 2^k; exp(r) - 1 by its Taylor series
};

template <class T, int N>
SHADOW_PACK ExponentialParts<pack<T, N>> exponential_parts(pack<T, N> x) {
    using P = pack<T, N>;
    using F = Format<T>;
    const P shifted = x * P(1.44269504088896340736) + P(F::magic);
    const P k = shifted - P(F::magic);
    const P r = (x - k * P(F::ln2_high)) - k * P(F::ln2_low);
    const P sum = shadow::detail::polynomial_in(F::exp_series.c, r);
    const auto power_of_two =
        (reinterpret_cast<typename P::Bits>(shifted.v) << F::mantissa) + F::one;
    return {P(reinterpret_cast<typename P::V>(power_of_two)), sum * r};
}

/// 0 below and infinity above the range.
template <class T, int N>
SHADOW_PACK pack<T, N> exponential(pack<T, N> x) {
    using P = pack<T, N>;
    using F = Format<T>;
    const ExponentialParts<P> e = exponential_parts(x);
    const P result = (P(1) + e.tail) * e.power;
    return select(x < P(F::lowest), P(0), select(P(F::highest) < x, P(__builtin_inf()), result));
}

/// For x within the range of the exponential above, or below it.
template <class T, int N>
SHADOW_PACK pack<T, N> exponential_minus_one(pack<T, N> x) {
    using P = pack<T, N>;
    const ExponentialParts<P> e = exponential_parts(x);
    return select(x < P(Format<T>::lowest), P(-1), e.power * e.tail + (e.power - P(1)));
}

/// For finite normal x > 0: log(2^k m) = k log 2 + 2 artanh((m-1)/(m+1)), m in [sqrt(1/2),
/// sqrt(2)].
template <class T, int N>
SHADOW_PACK pack<T, N> logarithm(pack<T, N> x) {
    using P = pack<T, N>;
    using F = Format<T>;
    const auto bits = reinterpret_cast<typename P::Bits>(x.v);
    const P exponent = P(reinterpret_cast<typename P::V>((bits >> F::mantissa) | F::two23)) -
                       P(F::integer + static_cast<T>(F::bias));
    const P m = P(reinterpret_cast<typename P::V>((bits & F::mantissa_mask) | F::one));
    const auto large = P(1.41421356237309504880) < m;
    const P k = select(large, exponent + P(1), exponent);
    const P reduced = select(large, P(0.5) * m, m);
    const P s = (reduced - P(1)) / (reduced + P(1)), s2 = s * s;
    const P sum = s2 * shadow::detail::polynomial_in(F::log_series.c, s2);
    return k * P(F::ln2_high) + (P(2) * s + (P(2) * s * sum + k * P(F::ln2_low)));
}

template <class T, int N>
SHADOW_PACK pack<T, N> power(pack<T, N> x, pack<T, N> y) {
    return exponential(y * logarithm(x));
}

template <class T, int N>
SHADOW_PACK ErfcGauss<pack<T, N>> erfc_gauss(pack<T, N> x) {
    return erfc_gauss_series<T>(x);
}

using shadow::screened_charge;

template <int N>
SHADOW_PACK ScreenedCharge<pack<float, N>>
screened_charge(pack<float, N> r, pack<float, N> inverse_r, pack<float, N> alpha) {
    return screened_charge_in_single(r, inverse_r, alpha);
}

} // namespace shadow::SHADOW_ISA
