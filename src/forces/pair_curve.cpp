// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/forces/pair_curve.hpp"

#include <cmath>

namespace shadow {

CurvePoint differentiate(const std::function<double(double)>& u, double r) {
    const double h = 1e-3 * r;
    double side[7]; // u(r - 3 h) ... u(r + 3 h)
    for (int k = 0; k < 7; ++k) side[k] = u(r + (k - 3) * h);
    const auto odd = [&](int k) { return side[3 + k] - side[3 - k]; };
    const auto even = [&](int k) { return side[3 + k] + side[3 - k]; };
    return {side[3], (45.0 * odd(1) - 9.0 * odd(2) + odd(3)) / (60.0 * h),
            (270.0 * even(1) - 27.0 * even(2) + 2.0 * even(3) - 490.0 * side[3]) / (180.0 * h * h)};
}

double tail_integral(const PairCurve& curve, double cutoff, int dim) {
    if (std::isfinite(curve.last)) return HUGE_VAL;
    constexpr int panels = 256, octaves = 60;
    double sum = 0.0, from = cutoff;
    for (int octave = 0; octave < octaves; ++octave, from *= 2.0) {
        // Simpson's rule in x = ln r.
        const double h = std::log(2.0) / panels;
        double part = 0.0;
        for (int k = 0; k <= panels; ++k) {
            const double r = from * std::exp(k * h);
            const double weight = k == 0 || k == panels ? 1.0 : k % 2 == 1 ? 4.0 : 2.0;
            part += weight * h / 3.0 * curve.at(r).u * std::pow(r, dim);
        }
        sum += part;
        if (!std::isfinite(sum)) return HUGE_VAL;
        if (std::abs(part) <= 1e-14 * std::abs(sum)) return sum;
    }
    return HUGE_VAL;
}

} // namespace shadow
