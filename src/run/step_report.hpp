// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "plan.hpp"

#include "shadow/forces/registry.hpp"
#include "shadow/forces/vibration.hpp"
#include "shadow/integrators/integrator.hpp"

#include <string>
#include <vector>

namespace shadow {

/// What vibrations mean for the step of a stage, in words: a line for the log, of the
/// fastest, and a warning where the step is not stable for one of them, or nearly so; "" where
/// there is nothing to say.
struct StepReport {
    std::string note, warning;
    /// Of a run that explodes: how long the step is beside what vibrates, and what to do; "" where
    /// it is short.
    std::string blame;
    /// No motion grows with this step, but under Verlet the energy of what vibrates in phase goes
    /// down to 1 - (omega dt)^2/4 of itself and back.
    bool swings = false;
    std::string balance;   ///< another warning: averages at whole steps lack something
    double balanced = 1.0; ///< so much of slow forces that of molecules balances there
};
[[nodiscard]] StepReport report_step(const StagePlan& plan, const Integrator& integrator,
                                     const ForcePlan& forces,
                                     const std::vector<Vibration>& vibrations,
                                     const Topology& topology);

/// "", or a warning: a thermostat without noise swings faster than the step can follow.
[[nodiscard]] std::string fast_bath(const StagePlan& plan, const Integrator& integrator,
                                    double degrees_of_freedom);

/// A warning where a field changes so fast that the kicks of a step average much of it away, or "".
[[nodiscard]] std::string fast_waves(const StagePlan& plan, const Integrator& integrator,
                                     const ForcePlan& forces);

/// A warning where a particle has so many partners within the radius of a bath that they exchange
/// less often than the input says, or "".
[[nodiscard]] std::string crowded_pairs(const StagePlan& plan, const Integrator& integrator,
                                        double partners);

} // namespace shadow
