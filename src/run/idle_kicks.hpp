// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "plan.hpp"

#include "shadow/forces/registry.hpp"
#include "shadow/integrators/integrator.hpp"

namespace shadow {

/// Why a method with fast and slow forces is useless here, because one of its kicks has no force,
/// human-readable; or "".
[[nodiscard]] std::string idle_kicks(const StagePlan& plan, const Integrator& integrator,
                                     const ForcePlan& forces);

} // namespace shadow
