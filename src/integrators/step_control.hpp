// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/registry.hpp"

/// The input of methods whose steps follow the motion.
namespace shadow {

[[nodiscard]] IntegratorEntry adaptive_verlet_entry();
[[nodiscard]] IntegratorEntry step_density_entry();
[[nodiscard]] IntegratorEntry energy_scaled_entry();
[[nodiscard]] IntegratorEntry poincare_entry();

/// The keys of one of these methods, with its `dt`. Throws InputError, located in the input.
[[nodiscard]] StepControl read_step_control(const Parameters& params, const Descriptor& method,
                                            double dt);

} // namespace shadow
