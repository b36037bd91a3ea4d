// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/math.hpp"

/// The complementary error function for charges screened by Gaussian clouds, the same for a CPU and
/// a GPU: generic in a number type N that is T, float or double, or a pack of T. Functions of N are
/// found by argument-dependent lookup (kernels/math.hpp, kernels/pack_math.hpp).
namespace shadow {

/// erfc(x) and exp(-x^2), which a screened charge needs together.
template <class N>
struct ErfcGauss {
    N erfc, gauss;
};

/// For a unit charge screened by erfc(alpha r): its potential erfc(alpha r)/r, and its field times
/// r.
template <class N>
struct ScreenedCharge {
    N potential, field;
};

namespace detail {

/// By Horner's rule.
template <class N, class T, int n>
SHADOW_INLINE N polynomial_in(const T (&c)[n], N x) {
    N sum(c[n - 1]);
    for (int k = n - 2; k >= 0; --k) sum = N(c[k]) + sum * x;
    return sum;
}

} // namespace detail

/// For x >= 0: (1 + 2x) exp(x^2) erfc(x) is smooth in t = (x - 3.75)/(x + 3.75) (M. M. Shepherd and
/// J. G. Laframboise, Math. Comp. 36 (1981) 249); here it is interpolated at Chebyshev points, to
/// relative 1.5e-8 in float and 1.3e-16 in double.
template <class T, class N>
SHADOW_INLINE ErfcGauss<N> erfc_gauss_series(N x) {
    const N t = (x - N(T(3.75))) * reciprocal(x + N(T(3.75)));
    N sum(T(0));
    if constexpr (std::is_same_v<T, float>) {
        constexpr float c[] = {1.237512618F,    -0.140240608F,   3.586310102e-3F,
                               0.08227741756F,  -0.108814585F,   0.09229636796F,
                               -0.05864598287F, 0.02839648212F,  -9.845491095e-3F,
                               1.688662231e-3F, 3.967046383e-4F, -2.287472336e-4F};
        sum = detail::polynomial_in(c, t);
    } else {
        constexpr double c[] = {
            1.2375126308378275819,     -0.14024059858554520883,  3.5854154854663069087e-3,
            0.082276738489991589975,   -0.108803930141939147,    0.09230432116435615983,
            -0.058693398584491847738,  0.028362277371370045731,  -9.7465796208150901387e-3,
            1.7556261692276720938e-3,  2.9371408777227682387e-4, -2.9015536563947128411e-4,
            5.1647371238718376884e-5,  2.2387592725347689126e-5, -1.1439615260075949789e-5,
            -9.7929752909982282961e-7, 1.7438577411359182019e-6, -5.0816911811698266235e-8,
            -2.4996538037405250211e-7, 1.8778501156468834955e-8, 3.2564990837985167796e-8,
            -1.9527901629748449794e-9, -2.7293941332533936119e-9};
        sum = detail::polynomial_in(c, t);
    }
    const N gauss = exponential(-(x * x));
    return {sum * reciprocal(N(T(1)) + x + x) * gauss, gauss};
}

/// In single precision. The potential of a unit charge in a cloud of width 1/alpha is reduced by
/// alpha erf(x)/x, its field times r by alpha x^2 [erf(x)/x - 2/sqrt(pi) exp(-x^2)]/x^2, x = alpha
/// r. Both brackets are quotients of polynomials in x^2, with minimal largest error of the result
/// up to x = 4.3: 1e-7 of 1/r, and 4e-7 with rounding. Beyond, the result is smaller than that.
template <class N>
SHADOW_INLINE ScreenedCharge<N> screened_charge_in_single(N r, N inverse_r, N alpha) {
    constexpr float potential[] = {1.128378749F,    0.2119063288F,   0.05545146763F,
                                   0.004644923843F, 2.975511597e-4F, 1.796245215e-6F};
    constexpr float under_potential[] = {1.0F,           0.5211253166F,   0.1228692457F,
                                         0.01674023643F, 1.362138311e-3F, 3.611170177e-5F};
    constexpr float field[] = {0.752258718F,    -0.01735263318F, 0.01740280353F, 2.415160852e-4F,
                               4.977647768e-5F, -8.04315448e-7F, 7.419328707e-9F};
    constexpr float under_field[] = {1.0F,           0.5769886374F,   0.1548923552F,
                                     0.02538083121F, 2.613687422e-3F, 2.064207947e-4F};
    const N x = alpha * r, x2 = x * x;
    const auto is_near = x2 < N(4.3F * 4.3F);
    const N less = detail::polynomial_in(potential, x2) *
                   reciprocal(detail::polynomial_in(under_potential, x2));
    const N less_field =
        x2 * detail::polynomial_in(field, x2) * reciprocal(detail::polynomial_in(under_field, x2));
    return {select(is_near, inverse_r - alpha * less, N(0.0F)),
            select(is_near, inverse_r - alpha * less_field, N(0.0F))};
}

/// For x >= 0.
template <ScalarNumber T>
SHADOW_INLINE ErfcGauss<T> erfc_gauss(T x) {
    if constexpr (sizeof(T) > sizeof(double))
        return {std::erfc(x), std::exp(-x * x)};
    else
        return erfc_gauss_series<T>(x);
}

template <class T>
SHADOW_INLINE ScreenedCharge<T> screened_charge(T r, T inverse_r, T alpha) {
    if constexpr (std::is_same_v<T, float>) {
        return screened_charge_in_single(r, inverse_r, alpha);
    } else {
        const ErfcGauss<T> e = erfc_gauss(alpha * r);
        const T potential = e.erfc * inverse_r;
        return {potential, potential + T(two_by_root_pi) * alpha * e.gauss};
    }
}

} // namespace shadow
