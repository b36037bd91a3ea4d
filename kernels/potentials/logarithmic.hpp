// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/exponential_integral.hpp"
#include "kernels/potentials/potential.hpp"

namespace shadow {

/// Charges of two-dimensional electrostatics: u = -strength q_i q_j ln r, or with alpha > 0 the
/// pair part of its Ewald sum, strength q_i q_j E1(alpha^2 r^2)/2.
template <class T>
struct Logarithmic {
    T strength, alpha2, constant; ///< strength q_i q_j, alpha^2, (gamma + ln alpha^2)/2

    SHADOW_INLINE PairResult<T> operator()(T r2) const {
        const T x = alpha2 * r2;
        const T near = T(-0.5) * logarithm(r2) + T(0.5) * entire_exponential_integral(x) - constant;
        const T far = T(0.5) * exponential_integral_tail(x);
        return {strength * exponential(-x) * reciprocal(r2),
                strength * select(x < T(exponential_integral_split), near, far)};
    }

    static constexpr PotentialInfo info{
        "logarithmic",
        "charges in two dimensions, summed over all pairs of an open system",
        "u = -strength q_i q_j ln r",
        "B. Jancovici, Phys. Rev. Lett. 46 (1981) 386; F. J. Dyson, J. Math. Phys. 3 (1962) 140",
        2,
        {{"strength", "energy", "of two unit charges"},
         {"alpha", "1/length", "of Ewald's sum", nullptr, 1.0, NumberRange::internal}},
        PairStrength::planar};

    /// The limit of -ln r - E1(alpha^2 r^2)/2 at r = 0; 0 without alpha.
    static double constant_of(double alpha) {
        constexpr double euler_gamma = 0.57721566490153286061;
        return alpha > 0.0 ? 0.5 * euler_gamma + std::log(alpha) : 0.0;
    }
    static Logarithmic from(const double* p, double) {
        return {T(p[0]), T(p[1] * p[1]), T(constant_of(p[1]))};
    }
};

} // namespace shadow
