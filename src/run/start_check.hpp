// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/system/box.hpp"
#include "shadow/system/particles.hpp"

#include <cstdint>
#include <string>

namespace shadow {

/// The largest force of a start.
struct StartForce {
    std::uint32_t id = 0; ///< particle on which it acts
    double force = 0.0;
    std::string infinite = {}; ///< what is infinite and where, if it is (`infinite_forces`)
};

/// Why a run cannot start from this state, human-readable; or "". If one step `dt` with the largest
/// force would move its particle past its nearest partner, either that pair overlaps (it is much
/// closer than others), or the step is too large. `dt` is 0 for a minimisation, which handles any
/// finite force; particles drift for `drift` times dt between kicks, and the step is proportional
/// to this time to the power `power`.
template <int Dim>
[[nodiscard]] std::string start_problem(const Snapshot<Dim>& start, const Box<Dim>& box,
                                        const StartForce& largest, double dt, double drift,
                                        double power = 1.0);

/// The accuracy of neighbour distances in single precision without lists, relative to the typical
/// distance: coordinates are relative to the middle of 64 consecutive particles. A tenth of the
/// particles has a lower accuracy.
template <int Dim>
[[nodiscard]] double coarseness(const Snapshot<Dim>& start, const Box<Dim>& box);
/// Thresholds for a warning and for an error.
inline constexpr double coarse_enough_to_warn = 1e-4, coarse_enough_to_fail = 1e-2;
/// The error message.
[[nodiscard]] std::string far_apart(double coarseness);

} // namespace shadow
