// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/models/linear_map.hpp"

#include <functional>

namespace shadow::models {

/// q'' = A(q, v) + B(q, v) with a soft acceleration A and a stiff one, B.
struct StiffMotion {
    using Acceleration = std::function<void(const State& z, std::vector<double>& a)>;
    /// Derivatives of an acceleration by q and by v.
    using Slope = std::function<void(const State& z, Matrix& by_q, Matrix& by_v)>;

    std::size_t size; ///< of q
    Acceleration soft, stiff;
    Slope soft_slope, stiff_slope;
};

/// A step, and its iterations by Newton's method.
struct ImplicitStep {
    State z;
    std::vector<double> acceleration; ///< the common one, from which the next step starts
    int iterations = 0;               ///< until positions change by less than 1e-12
};

/// A step h of the semi-explicit method: with F = A(q + h alpha v, v) + B((1 - beta) z + beta z'),
/// q' = q + h v + h^2 F / 2, v' = v + h F (Modin 2009, Paper V, eq. 5).
void semi_explicit_step(const StiffMotion& motion, double h, double alpha, double beta,
                        ImplicitStep& step);

/// A step h of the theta method, z' = z + h X((1 - theta) z + theta z'), both accelerations
/// implicit.
void theta_step(const StiffMotion& motion, double h, double theta, ImplicitStep& step);

} // namespace shadow::models
