// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/math.hpp"
#include "kernels/pack.hpp"

/// The functions of kernels/math.hpp for packs, without calls into the C library. Relative errors
/// are a few units in the last place, plus |y log x| units for power and x^2 units for erfc.
namespace shadow::SHADOW_ISA {

/// Estimates of AVX-512 are good to 14 bits; Newton steps make them whole. (The forms with a full
/// mask are the same instructions; GCC 12 warns about its own headers for those without.)
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

/// What is in the bits of a floating-point number.
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
    static constexpr int exp_terms = 7, log_terms = 5;
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
    static constexpr int exp_terms = 13, log_terms = 11;
};

/// exp(x) = 2^k exp(r), |r| <= ln(2)/2, by its Taylor series; 0 below and infinity above the range.
template <class T, int N>
SHADOW_PACK pack<T, N> exponential(pack<T, N> x) {
    using P = pack<T, N>;
    using F = Format<T>;
    const P shifted = x * P(1.44269504088896340736) + P(F::magic);
    const P k = shifted - P(F::magic);
    const P r = (x - k * P(F::ln2_high)) - k * P(F::ln2_low);
    P sum(1);
    for (int n = F::exp_terms; n > 0; --n) sum = P(1) + sum * r * P(1.0 / n);
    const auto power_of_two =
        (reinterpret_cast<typename P::Bits>(shifted.v) << F::mantissa) + F::one;
    const P result = sum * P(reinterpret_cast<typename P::V>(power_of_two));
    return select(x < P(F::lowest), P(0), select(P(F::highest) < x, P(__builtin_inf()), result));
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
    P sum(0);
    for (int n = F::log_terms; n > 0; --n) sum = (sum + P(1.0 / (2 * n + 1))) * s2;
    return k * P(F::ln2_high) + (P(2) * s + (P(2) * s * sum + k * P(F::ln2_low)));
}

template <class T, int N>
SHADOW_PACK pack<T, N> power(pack<T, N> x, pack<T, N> y) {
    return exponential(y * logarithm(x));
}

/// By Horner's rule.
template <class T, int N, int n>
SHADOW_PACK pack<T, N> polynomial(const T (&c)[n], pack<T, N> x) {
    pack<T, N> sum(c[n - 1]);
    for (int k = n - 2; k >= 0; --k) sum = pack<T, N>(c[k]) + sum * x;
    return sum;
}

/// (1 + 2x) exp(x^2) erfc(x) for x >= 0 is smooth in t = (x - 3.75)/(x + 3.75) (M. M. Shepherd and
/// J. G. Laframboise, Math. Comp. 36 (1981) 249); here it is interpolated at Chebyshev points, to
/// relative 1.5e-8 in float and 1.3e-16 in double.
template <class T>
struct ErfcSeries;
template <>
struct ErfcSeries<float> {
    static constexpr float c[] = {1.237512618F,    -0.140240608F,   3.586310102e-3F,
                                  0.08227741756F,  -0.108814585F,   0.09229636796F,
                                  -0.05864598287F, 0.02839648212F,  -9.845491095e-3F,
                                  1.688662231e-3F, 3.967046383e-4F, -2.287472336e-4F};
};
template <>
struct ErfcSeries<double> {
    static constexpr double c[] = {
        1.2375126308378275819,     -0.14024059858554520883,  3.5854154854663069087e-3,
        0.082276738489991589975,   -0.108803930141939147,    0.09230432116435615983,
        -0.058693398584491847738,  0.028362277371370045731,  -9.7465796208150901387e-3,
        1.7556261692276720938e-3,  2.9371408777227682387e-4, -2.9015536563947128411e-4,
        5.1647371238718376884e-5,  2.2387592725347689126e-5, -1.1439615260075949789e-5,
        -9.7929752909982282961e-7, 1.7438577411359182019e-6, -5.0816911811698266235e-8,
        -2.4996538037405250211e-7, 1.8778501156468834955e-8, 3.2564990837985167796e-8,
        -1.9527901629748449794e-9, -2.7293941332533936119e-9};
};

template <class T, int N>
SHADOW_PACK ErfcGauss<pack<T, N>> erfc_gauss(pack<T, N> x) {
    using P = pack<T, N>;
    const P t = (x - P(3.75)) * reciprocal(x + P(3.75));
    const P sum = polynomial(ErfcSeries<T>::c, t);
    const P gauss = exponential(-(x * x));
    return {sum * reciprocal(P(1) + x + x) * gauss, gauss};
}

using shadow::screened_charge;

/// What a charge inside a cloud of width 1/alpha has less than by itself: of its potential
/// alpha erf(x)/x, of its field times r alpha x^2 [erf(x)/x - 2/sqrt(pi) exp(-x^2)]/x^2, x = alpha
/// r. Both brackets are quotients of polynomials in x^2, with the least largest error of the whole
/// up to x = 4.3: 1e-7 of 1/r, and 4e-7 with rounding. Beyond, less than that is left.
template <int N>
SHADOW_PACK ScreenedCharge<pack<float, N>>
screened_charge(pack<float, N> r, pack<float, N> inverse_r, pack<float, N> alpha) {
    using P = pack<float, N>;
    constexpr float potential[] = {1.128378749F,    0.2119063288F,   0.05545146763F,
                                   0.004644923843F, 2.975511597e-4F, 1.796245215e-6F};
    constexpr float under_potential[] = {1.0F,           0.5211253166F,   0.1228692457F,
                                         0.01674023643F, 1.362138311e-3F, 3.611170177e-5F};
    constexpr float field[] = {0.752258718F,    -0.01735263318F, 0.01740280353F, 2.415160852e-4F,
                               4.977647768e-5F, -8.04315448e-7F, 7.419328707e-9F};
    constexpr float under_field[] = {1.0F,           0.5769886374F,   0.1548923552F,
                                     0.02538083121F, 2.613687422e-3F, 2.064207947e-4F};
    const P x = alpha * r, x2 = x * x;
    const auto is_near = x2 < P(4.3F * 4.3F);
    const P less = polynomial(potential, x2) * reciprocal(polynomial(under_potential, x2));
    const P less_field = x2 * polynomial(field, x2) * reciprocal(polynomial(under_field, x2));
    return {select(is_near, inverse_r - alpha * less, P(0)),
            select(is_near, inverse_r - alpha * less_field, P(0))};
}

} // namespace shadow::SHADOW_ISA
