// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/models/split_model.hpp"

#include <array>

/// A rigid body without torque, by its angular momentum x in body axes: x_1' = (I_2 - I_3) /
/// (I_2 I_3) x_2 x_3 and so on (Modin 2009, Paper IV).
namespace shadow::models {

class FreeBody {
  public:
    explicit FreeBody(const std::array<double, 3>& inertia);

    /// Order two: half a rotation about one axis after the other, a full one about the last, and
    /// back.
    void rotations(State& x, double h, const std::array<int, 3>& axes) const;
    /// Order two: the same about axes 1, 2, 3 by parts of the angular momentum instead of the
    /// kinetic energy, so on ellipses of constant kinetic energy.
    void ellipses(State& x, double h) const;
    /// Order two: one component changes at a time: the third, the first, the second, and back.
    void shears(State& x, double h) const;

    [[nodiscard]] double kinetic(const State& x) const;
    /// |x|^2 / 2
    [[nodiscard]] static double momentum(const State& x);
    [[nodiscard]] State rate(const State& x) const;
    /// |x'|, and its derivative in time.
    [[nodiscard]] std::array<double, 2> speed(const State& x) const;

  private:
    void rotate_about(State& x, int axis, double h) const;
    void turn_on_ellipse(State& x, int axis, double h) const;
    void shear(State& x, int component, double h) const;

    std::array<double, 3> inertia_, factor_;
};

} // namespace shadow::models
