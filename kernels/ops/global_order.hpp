// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/macros.hpp"

#include <cmath>
#include <cstdint>

/// Bond-orientational order of a complete 2D system: Psi_m = (1/N) sum over particles of psi_m.
namespace shadow {

struct OrderSum {
    double real, imaginary;
};

/// Sum of psi over particles.
struct SumOrder {
    using Value = OrderSum;
    const double* psi; ///< real parts, then, after `particles` numbers, imaginary ones
    std::int64_t particles;

    static SHADOW_FUNCTION Value identity() { return Value{}; }
    static SHADOW_FUNCTION Value combine(const Value& a, const Value& b) {
        return {a.real + b.real, a.imaginary + b.imaginary};
    }
    SHADOW_FUNCTION Value operator()(std::int64_t i) const { return {psi[i], psi[particles + i]}; }
};

/// |Psi_m| of the k-th sum.
struct FinishGlobalOrder {
    const OrderSum* sums;
    double particles;
    double* row;

    SHADOW_FUNCTION void operator()(std::int64_t k) const {
        const double x = sums[k].real, y = sums[k].imaginary;
        row[k] = sqrt(x * x + y * y) / particles;
    }
};

/// The directions of the bonds of a lattice whose order has the phase of Psi_m: at angles (arg
/// Psi_m + 2 pi k) / m.
struct LatticeDirections {
    static constexpr int max_fold = 12;

    const OrderSum* order;
    std::int32_t fold;  ///< m, at most `max_fold`
    double* directions; ///< unit vectors, x and y

    SHADOW_FUNCTION void operator()(std::int64_t k) const {
        const double phase = atan2(order->imaginary, order->real);
        const double angle = (phase + 6.283185307179586477 * static_cast<double>(k)) / fold;
        directions[2 * k] = cos(angle);
        directions[2 * k + 1] = sin(angle);
    }
};

} // namespace shadow
