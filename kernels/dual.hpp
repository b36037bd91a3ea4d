// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/erfc.hpp"

namespace shadow {

/// A number and its derivative with respect to one variable: formulas that are generic in their
/// number type differentiate themselves (W. K. Clifford 1873; Wengert 1964, CACM 7, 463). T is a
/// floating-point type or a SIMD pack.
template <class T>
struct Dual {
    T value, slope;

    Dual() = default;
    SHADOW_INLINE Dual(T v, T s) : value(v), slope(s) {}
    /// A constant.
    SHADOW_INLINE explicit Dual(T v) : value(v), slope(T(0)) {}
    template <class U>
    requires(std::is_arithmetic_v<U> && !std::is_same_v<U, T>) SHADOW_INLINE explicit Dual(U v)
        : value(T(v)), slope(T(0)) {}

    friend SHADOW_INLINE Dual operator+(Dual a, Dual b) {
        return {a.value + b.value, a.slope + b.slope};
    }
    friend SHADOW_INLINE Dual operator-(Dual a, Dual b) {
        return {a.value - b.value, a.slope - b.slope};
    }
    friend SHADOW_INLINE Dual operator-(Dual a) { return {-a.value, -a.slope}; }
    friend SHADOW_INLINE Dual operator*(Dual a, Dual b) {
        return {a.value * b.value, a.slope * b.value + a.value * b.slope};
    }
    friend SHADOW_INLINE Dual operator/(Dual a, Dual b) { return a * reciprocal(b); }
    friend SHADOW_INLINE Dual operator+(Dual a, T b) { return {a.value + b, a.slope}; }
    friend SHADOW_INLINE Dual operator+(T a, Dual b) { return {a + b.value, b.slope}; }
    friend SHADOW_INLINE Dual operator-(Dual a, T b) { return {a.value - b, a.slope}; }
    friend SHADOW_INLINE Dual operator-(T a, Dual b) { return {a - b.value, -b.slope}; }
    friend SHADOW_INLINE Dual operator*(Dual a, T b) { return {a.value * b, a.slope * b}; }
    friend SHADOW_INLINE Dual operator*(T a, Dual b) { return {a * b.value, a * b.slope}; }
    friend SHADOW_INLINE Dual operator/(Dual a, T b) { return {a.value / b, a.slope / b}; }
    friend SHADOW_INLINE Dual operator/(T a, Dual b) { return a * reciprocal(b); }
    friend SHADOW_INLINE auto operator<(Dual a, Dual b) { return a.value < b.value; }
    friend SHADOW_INLINE auto operator<(Dual a, T b) { return a.value < b; }
    friend SHADOW_INLINE auto operator<=(Dual a, T b) { return a.value <= b; }
    friend SHADOW_INLINE auto operator>(Dual a, Dual b) { return a.value > b.value; }
    friend SHADOW_INLINE auto operator>(Dual a, T b) { return a.value > b; }

    template <class Condition>
    friend SHADOW_INLINE Dual select(Condition condition, Dual a, Dual b) {
        return {select(condition, a.value, b.value), select(condition, a.slope, b.slope)};
    }
    friend SHADOW_INLINE Dual reciprocal(Dual x) {
        const T y = reciprocal(x.value);
        return {y, -(x.slope * y * y)};
    }
    friend SHADOW_INLINE Dual inverse_sqrt(Dual x) {
        const T y = inverse_sqrt(x.value);
        return {y, T(-0.5) * x.slope * y * y * y};
    }
    friend SHADOW_INLINE Dual exponential(Dual x) {
        const T y = exponential(x.value);
        return {y, x.slope * y};
    }
    friend SHADOW_INLINE Dual logarithm(Dual x) {
        return {logarithm(x.value), x.slope * reciprocal(x.value)};
    }
    /// x^y, where y does not depend on the variable.
    friend SHADOW_INLINE Dual power(Dual x, Dual y) {
        const T z = power(x.value, y.value);
        return {z, x.slope * y.value * z * reciprocal(x.value)};
    }
    friend SHADOW_INLINE ErfcGauss<Dual> erfc_gauss(Dual x) {
        const ErfcGauss<T> e = erfc_gauss(x.value);
        return {{e.erfc, T(-two_by_root_pi) * e.gauss * x.slope},
                {e.gauss, T(-2) * x.value * e.gauss * x.slope}};
    }

    // With the names of <cmath>, for formulas of plain doubles.
    friend SHADOW_INLINE Dual sqrt(Dual x) {
        const T y = sqrt(x.value);
        return {y, T(0.5) * x.slope / y};
    }
    friend SHADOW_INLINE Dual exp(Dual x) {
        const T y = exp(x.value);
        return {y, x.slope * y};
    }
    friend SHADOW_INLINE Dual fabs(Dual x) {
        return {fabs(x.value), copysign(T(1), x.value) * x.slope};
    }
    friend SHADOW_INLINE Dual nearbyint(Dual x) { return {nearbyint(x.value), T(0)}; }
    friend SHADOW_INLINE Dual copysign(Dual x, Dual sign) {
        return {copysign(x.value, sign.value),
                copysign(T(1), x.value) * copysign(T(1), sign.value) * x.slope};
    }
};

} // namespace shadow
