// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/models/slow_fast.hpp"

namespace shadow::models {

/// What the variants of reversible averaging differ in.
struct Averaging {
    double window = 1.0; ///< steps to either side of now over which the fast force is averaged
    /// The fast motion is computed with q at rest in the middle of the step, not along its way.
    bool at_rest = false;
};

/// A step of reversible averaging: the slow oscillator makes a Verlet step with the mean of the
/// fast force, and the fast one is followed along the way of q between. Time-reversible, of order
/// two, not symplectic (Leimkuhler and Reich 2001, J. Comput. Phys. 171, 95; 2004, eq. 10.18). With
/// NonlinearPair it is RA-1 of section 10.2, at rest RA-0. The model must live as long as the map.
[[nodiscard]] Map averaging_step(const SlowFastModel& model, double dt, Averaging how = {});

} // namespace shadow::models
