// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/macros.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

/// Fourier transforms of many lines at once. The number type is float, double or a pack of them,
/// each lane a line.
namespace shadow {

/// How lines of `count` points are transformed: one stage for each prime factor, or factor 4.
template <class T>
struct FourierAxis {
    static constexpr int max_stages = 12;
    std::int32_t count, stages;
    std::int32_t radix[max_stages]; ///< 2, 3, 4 or 5
    const T* twiddle;               ///< cosine and sine of 2 pi n / count
};

/// Uses radix 4 first, which needs fewer stages.
template <class T>
[[nodiscard]] FourierAxis<T> fourier_axis(std::int32_t count, const T* twiddle) {
    FourierAxis<T> axis{count, 0, {}, twiddle};
    std::int32_t rest = count;
    for (const std::int32_t radix : {4, 2, 3, 5})
        for (; rest % radix == 0; rest /= radix) axis.radix[axis.stages++] = radix;
    return axis;
}
template <class T>
[[nodiscard]] std::vector<T> fourier_twiddle(std::int32_t count) {
    std::vector<T> all;
    for (std::int32_t n = 0; n < count; ++n) {
        const double angle = 6.283185307179586477 * n / count;
        all.push_back(static_cast<T>(std::cos(angle)));
        all.push_back(static_cast<T>(std::sin(angle)));
    }
    return all;
}

/// The smallest number of points, at least `least`, that can be transformed: even, with prime
/// factors 2, 3 and 5.
[[nodiscard]] SHADOW_INLINE std::int32_t good_count(double least) {
    for (auto n = 2 * static_cast<std::int32_t>(ceil(0.5 * least));; n += 2) {
        std::int32_t rest = n;
        for (std::int32_t factor = 2; factor <= 5; ++factor)
            while (factor != 4 && rest % factor == 0) rest /= factor;
        if (rest == 1) return n;
    }
}

template <class N>
struct ComplexNumber {
    N real, imaginary;

    friend SHADOW_INLINE ComplexNumber operator+(ComplexNumber a, ComplexNumber b) {
        return {a.real + b.real, a.imaginary + b.imaginary};
    }
    friend SHADOW_INLINE ComplexNumber operator-(ComplexNumber a, ComplexNumber b) {
        return {a.real - b.real, a.imaginary - b.imaginary};
    }
    friend SHADOW_INLINE ComplexNumber operator*(ComplexNumber a, ComplexNumber b) {
        return {a.real * b.real - a.imaginary * b.imaginary,
                a.real * b.imaginary + a.imaginary * b.real};
    }
    /// Times a real number.
    [[nodiscard]] SHADOW_INLINE ComplexNumber times(N x) const { return {real * x, imaginary * x}; }
    [[nodiscard]] SHADOW_INLINE ComplexNumber conjugate() const { return {real, -imaginary}; }
    /// Times -i.
    [[nodiscard]] SHADOW_INLINE ComplexNumber turned() const { return {imaginary, -real}; }
};

/// The transform of `radix` numbers, with exp(-2 pi i/radix).
template <int radix, class N>
SHADOW_INLINE void butterfly(ComplexNumber<N> (&x)[radix]) {
    using C = ComplexNumber<N>;
    if constexpr (radix == 2) {
        const C sum = x[0] + x[1];
        x[1] = x[0] - x[1];
        x[0] = sum;
    } else if constexpr (radix == 3) {
        const C sum = x[1] + x[2], turned = (x[1] - x[2]).turned().times(N(0.866025403784438647));
        const C middle = x[0] - sum.times(N(0.5));
        x[0] = x[0] + sum;
        x[1] = middle + turned;
        x[2] = middle - turned;
    } else if constexpr (radix == 4) {
        const C even = x[0] + x[2], odd = x[0] - x[2];
        const C sum = x[1] + x[3], turned = (x[1] - x[3]).turned();
        x[0] = even + sum;
        x[1] = odd + turned;
        x[2] = even - sum;
        x[3] = odd - turned;
    } else {
        static_assert(radix == 5);
        const N c1 = N(0.309016994374947424), c2 = N(-0.809016994374947424);
        const N s1 = N(0.951056516295153572), s2 = N(0.587785252292473129);
        const C near = x[1] + x[4], far = x[2] + x[3];
        const C near_turned = (x[1] - x[4]).turned(), far_turned = (x[2] - x[3]).turned();
        const C first = x[0] + near.times(c1) + far.times(c2);
        const C second = x[0] + near.times(c2) + far.times(c1);
        const C first_turned = near_turned.times(s1) + far_turned.times(s2);
        const C second_turned = near_turned.times(s2) - far_turned.times(s1);
        x[0] = x[0] + near + far;
        x[1] = first + first_turned;
        x[2] = second + second_turned;
        x[3] = second - second_turned;
        x[4] = first - first_turned;
    }
}

/// One stage of a self-sorting transform (Stockham; Van Loan 1992, Computational Frameworks for the
/// Fast Fourier Transform, section 1.7): of `count` = radix * rest * stride numbers, part (p, q)
/// with p < rest and q < stride, read by `load(n)` and written by `store(n, x)`. `stride` is the
/// product of the radices of all earlier stages.
template <int radix, class N, class T, class Load, class Store>
SHADOW_INLINE void fourier_stage(const FourierAxis<T>& axis, std::int32_t stride, std::int32_t p,
                                 std::int32_t q, const Load& load, const Store& store) {
    const std::int32_t rest = axis.count / (radix * stride);
    ComplexNumber<N> x[radix];
    for (int j = 0; j < radix; ++j) x[j] = load(q + stride * (p + rest * j));
    butterfly<radix, N>(x);
    store(q + stride * radix * p, x[0]);
    for (int j = 1; j < radix; ++j) {
        const T* turn = axis.twiddle + 2 * std::int64_t{stride} * j * p;
        const ComplexNumber<N> factor{N(turn[0]), N(-turn[1])};
        store(q + stride * (radix * p + j), x[j] * factor);
    }
}

} // namespace shadow
