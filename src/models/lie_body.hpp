// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/models/three.hpp"

#include <string>
#include <vector>

/// A rigid body that rotates under a torque, by methods on the group of rotations (Ortolan 2011,
/// chapters 2 and 3).
namespace shadow::models {

/// The rotation from body to space, and the angular velocity in body axes.
struct Attitude {
    Nine rotation;
    Three velocity;
};

/// Inertia (2, 2, 4) in U = (m(R, 1) - 1)^2 - alpha / m(R, R_m), m(A, B)^2 = 2 tr(1 - A^T B): a
/// well and an attraction to the attitude R_m, rotated by 2.5 rad about the axis (1, 0, 1); alpha =
/// 0.3 (section 3.2).
struct BodyInWell {
    [[nodiscard]] static Three torque(const Nine& r);
    [[nodiscard]] static double energy(const Attitude& a);
    [[nodiscard]] static Attitude start();
};

/// A step h of a method of order two, whose equations are iterated to rounding.
struct LieMethod {
    std::string name;
    void (*step)(Attitude& a, double h);
};

/// Explicit and trapezoidal Lie-Newmark, Krysl's explicit Lie midpoint, the partitioned and the
/// Crouch-Grossman method of Nukala and Shelton, that of Koziara and Bićanić, and the variational
/// Lie-Verlet method of Bou-Rabee and Marsden, which alone of these is symplectic; both Lie-Newmark
/// methods with the exponential instead of Cayley's map; and two more symplectic ones, rotations
/// about axes and Moser and Veselov's method.
[[nodiscard]] const std::vector<LieMethod>& lie_methods();

} // namespace shadow::models
