// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "run.hpp"

namespace shadow {

/// How a stage takes over the state of the previous one: velocities, and the motion of the centre
/// of mass, which is heat for a Langevin bath but not for a method that conserves it.

/// Takes over the state of the previous stage, with physical momenta. The motion of the whole
/// system is removed if the previous stage did not conserve it and this one does, or if a bath
/// would treat it as heat.
template <int Dim>
[[nodiscard]] StageStart enter(const Run<Dim>& run, const Stage<Dim>& stage,
                               ParticleSystem<Dim>& system);

/// Logs the initial state of the stage where it differs from the final state of the previous one.
template <int Dim>
void report_entry(const Run<Dim>& run, const Stage<Dim>& stage);

} // namespace shadow
