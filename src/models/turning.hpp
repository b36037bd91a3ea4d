// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/models/three.hpp"

#include <array>
#include <cstddef>

/// Rigid bodies that rotate about a point, by their attitude and their angular momentum in body
/// axes (Leimkuhler and Reich 2004, chapter 8).
namespace shadow::models {

struct Turning {
    Nine rotation; ///< from body to space
    Three momentum;
};

/// The motion without torque over a time; each method conserves |momentum| and the angular momentum
/// in space.
///
/// Half a rotation about one axis after the other, a full one about the last, and back: order two.
void turn_about_axes(Turning& a, const Three& inertia, const std::array<std::size_t, 3>& axes,
                     double t);
/// Exact, for two equal moments of inertia, the first and the second.
void turn_symmetric(Turning& a, const Three& inertia, double t);
/// Moser and Veselov's map, RATTLE for rotation matrices; it conserves the kinetic energy, too. The
/// rotation is W = 1 + 2 c S + 2 S^2 with the matrix S of s, c^2 = 1 - |s|^2, where c I s + s x I s
/// = t m / 2.
void turn_by_rattle(Turning& a, const Three& inertia, double t);
/// The number by which the momentum is divided during the step, so that the method is of order 4 or
/// 6 in the momentum, 2 in the attitude (section 8.4); 1 for order 2.
[[nodiscard]] double rattle_factor(const Three& inertia, const Three& momentum, double t,
                                   int order);

[[nodiscard]] double kinetic_energy_of(const Turning& a, const Three& inertia);

/// The body's third axis in space.
[[nodiscard]] Three axis_in_space(const Turning& a);
/// The torque of a force at the end of that axis, in the axes of the body.
[[nodiscard]] Three torque_at_axis(const Turning& a, const Three& force);

} // namespace shadow::models
