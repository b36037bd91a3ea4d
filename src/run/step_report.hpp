// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "plan.hpp"

#include "shadow/forces/registry.hpp"
#include "shadow/forces/vibration.hpp"
#include "shadow/integrators/integrator.hpp"

#include <string>

namespace shadow {

/// What the fastest vibration of molecules means for the step of a stage, in words: a line for the
/// log, and a warning where the step is not stable for it, or nearly so; "" where there is nothing
/// to say.
struct StepReport {
    std::string note, warning;
};
[[nodiscard]] StepReport report_step(const StagePlan& plan, const Integrator* integrator,
                                     const ForcePlan& forces, const Vibration& vibration,
                                     const Topology& topology);

} // namespace shadow
