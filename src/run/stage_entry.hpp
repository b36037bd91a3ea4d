// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "run.hpp"

namespace shadow {

/// How a stage takes over the state that the one before left: velocities, and the motion of the
/// whole, which is heat to a Langevin bath and none to a method that conserves it.

/// The state flows in from the stage before, with physical momenta. Where that let the motion of
/// the whole come and go and this one does not, or where a bath would take it for heat, it ends.
template <int Dim>
[[nodiscard]] StageStart enter(const Run<Dim>& run, const Stage<Dim>& stage,
                               ParticleSystem<Dim>& system);

/// What the stage begins with, where it is not what the one before ended with, to the log.
template <int Dim>
void report_entry(const Run<Dim>& run, const Stage<Dim>& stage);

} // namespace shadow
