// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/system/box.hpp"
#include "shadow/system/particles.hpp"

#include <cstdint>
#include <string>

namespace shadow {

/// The largest force of a start.
struct StartForce {
    std::uint32_t id = 0; ///< of the particle on which it acts
    double force = 0.0;
    std::string infinite = {}; ///< what is infinite where, if it is (`infinite_forces`)
};

/// Why a run cannot start so, human-readable; or "". Where one step `dt` of the largest force would
/// throw its particle past its nearest partner, either that pair overlaps (it is much closer than
/// others are), or the step is too large. `dt` is 0 for a minimisation, which mends any force that
/// is finite; particles move for `drift` times it without a kick, and the step is as this time to
/// the power `power`.
template <int Dim>
[[nodiscard]] std::string start_problem(const Snapshot<Dim>& start, const Box<Dim>& box,
                                        const StartForce& largest, double dt, double drift,
                                        double power = 1.0);

/// How well neighbours are known in single precision where there are no lists, relative to their
/// typical distance: coordinates are relative to the middle of 64 particles in a row there. A tenth
/// of all is worse.
template <int Dim>
[[nodiscard]] double coarseness(const Snapshot<Dim>& start, const Box<Dim>& box);
/// Some are known worse than this.
inline constexpr double coarse_enough_to_tell = 1e-4, coarse_enough_to_fail = 1e-2;
/// In words.
[[nodiscard]] std::string far_apart(double coarseness);

} // namespace shadow
