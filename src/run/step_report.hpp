// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "plan.hpp"

#include "shadow/forces/registry.hpp"
#include "shadow/forces/vibration.hpp"
#include "shadow/integrators/integrator.hpp"

#include <string>
#include <vector>

namespace shadow {

/// What vibrations imply for the step of a stage, in words: a line for the log, on the fastest one,
/// and a warning if the step is unstable for one of them, or nearly so; "" otherwise.
struct StepReport {
    std::string note, warning;
    /// For a run that explodes: the step relative to the vibrations, and what to do; "" if the step
    /// is short.
    std::string blame;
    /// The step is stable, but with Verlet the energy of vibrations in phase oscillates between its
    /// value and 1 - (omega dt)^2/4 of it.
    bool swings = false;
    std::string balance;   ///< another warning: averages at full steps lack something
    double balanced = 1.0; ///< part of the slow forces that the forces of molecules balance there
};
[[nodiscard]] StepReport report_step(const StagePlan& plan, const Integrator& integrator,
                                     const ForcePlan& forces,
                                     const std::vector<Vibration>& vibrations,
                                     const Topology& topology);

/// A warning if a thermostat without noise oscillates faster than the step can follow; or "".
[[nodiscard]] std::string fast_bath(const StagePlan& plan, const Integrator& integrator,
                                    double degrees_of_freedom);

/// A warning where a field changes so fast that the kicks of a step average much of it away, or "".
[[nodiscard]] std::string fast_waves(const StagePlan& plan, const Integrator& integrator,
                                     const ForcePlan& forces);

/// A warning if a particle has so many partners within the radius of a bath that they exchange less
/// often than the input specifies; or "".
[[nodiscard]] std::string crowded_pairs(const StagePlan& plan, const Integrator& integrator,
                                        double partners);

} // namespace shadow
