// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/macros.hpp"

#include <cmath>

/// Trigonometric functions without branches, tables or calls, so that loops over terms become SIMD
/// code. Polynomials are interpolated at Chebyshev points; their error is below the rounding of a
/// double (2e-19 to 1e-17).
namespace shadow {

namespace detail {
inline constexpr double pi = 3.14159265358979323846;

/// The sum of c_k x^k.
template <int count, class T>
SHADOW_INLINE T polynomial(const double (&c)[count], T x) {
    T sum = T(c[count - 1]);
    for (int k = count - 2; k >= 0; --k) sum = sum * x + c[k];
    return sum;
}

/// x minus `turns` times pi, the nearest multiple of pi.
template <class T>
SHADOW_INLINE T within_half_turn(T x, T turns) {
    constexpr double high = 3.1415926534682512; // 33 bits, so that the product is exact
    constexpr double low = 1.2154201013012384e-10;
    return (x - turns * high) - turns * low;
}

/// 1 for an even integer, -1 for an odd one.
template <class T>
SHADOW_INLINE T sign_of(T turns) {
    return 1.0 - 2.0 * fabs(turns - 2.0 * nearbyint(0.5 * turns));
}
} // namespace detail

/// The angle of the point (x, y), in [-pi, pi], as atan2(y, x); NaN at the origin.
template <class T>
SHADOW_INLINE T polar_angle(T y, T x) {
    constexpr double c[] = {-0.333333333333333302, 0.199999999999955207,   -0.142857142846665429,
                            0.111111110152563617,  -0.0909090457812390189, 0.0769218319082608656,
                            -0.06664511447381948,  0.0585814891280220988,  -0.0508544973794025986,
                            0.0392316582955871913, -0.019176887119062259};
    constexpr double tan_eighth = 0.41421356237309504880; // of pi/8
    const T width = fabs(x), height = fabs(y);
    const bool steep = height > width;
    const T small = steep ? width : height, large = steep ? height : width;
    const bool reduced = small > tan_eighth * large;
    const T t = (reduced ? small - large : small) / (reduced ? small + large : large);
    const T z = t * t, beyond = t + t * z * detail::polynomial(c, z);
    T angle = reduced ? 0.25 * detail::pi + beyond : beyond;
    angle = steep ? 0.5 * detail::pi - angle : angle;
    angle = x < 0.0 ? detail::pi - angle : angle;
    return copysign(angle, y);
}

/// The angle in [0, pi] of a cosine in [-1, 1].
template <class T>
SHADOW_INLINE T arc_cosine(T cosine) {
    return polar_angle(sqrt((1.0 - cosine) * (1.0 + cosine)), cosine);
}

/// For angles of a few turns: the error grows with their number.
template <class T>
SHADOW_INLINE T sine(T x) {
    constexpr double c[] = {-0.166666666666666666,    0.00833333333333331587,
                            -0.000198412698412549738, 2.75573192191632334e-6,
                            -2.50521076169961829e-8,  1.60589773124640876e-10,
                            -7.64397029679857205e-13, 2.73144476698639934e-15};
    const T turns = nearbyint(x * (1.0 / detail::pi)), r = detail::within_half_turn(x, turns);
    const T z = r * r;
    return detail::sign_of(turns) * (r + r * z * detail::polynomial(c, z));
}

/// The same for the cosine.
template <class T>
SHADOW_INLINE T cosine(T x) {
    constexpr double c[] = {0.0416666666666666666,    -0.00138888888888888801,
                            0.0000248015873015798521, -2.75573192215695618e-7,
                            2.08767566028754643e-9,   -1.1470712272749466e-11,
                            4.77787792524584555e-14,  -1.52186383692435746e-16};
    const T turns = nearbyint(x * (1.0 / detail::pi)), r = detail::within_half_turn(x, turns);
    const T z = r * r;
    return detail::sign_of(turns) * (1.0 - 0.5 * z + z * z * detail::polynomial(c, z));
}

} // namespace shadow
