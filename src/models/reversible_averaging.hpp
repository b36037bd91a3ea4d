// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/models/slow_fast.hpp"

namespace shadow::models {

/// The variants of reversible averaging.
struct Averaging {
    double window = 1.0; ///< steps before and after now over which the fast force is averaged
    /// The fast motion is computed with q fixed at the middle of the step, not along its path.
    bool at_rest = false;
};

/// A step of reversible averaging: the slow oscillator does a Verlet step with the mean fast force,
/// and in between the fast one moves along the path of q. Time-reversible, of order two, not
/// symplectic (Leimkuhler and Reich 2001, J. Comput. Phys. 171, 95; 2004, eq. 10.18). With
/// NonlinearPair it is RA-1 of section 10.2, at rest RA-0. The model must live as long as the map.
[[nodiscard]] Map averaging_step(const SlowFastModel& model, double dt, Averaging how = {});

} // namespace shadow::models
