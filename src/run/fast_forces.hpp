// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "plan.hpp"

#include "shadow/forces/registry.hpp"
#include "shadow/integrators/integrator.hpp"

namespace shadow {

/// Has the method mollified kicks?
[[nodiscard]] bool mollifies(const Integrator& integrator);

/// Throws InputError at the method of a stage that follows the motion under the forces of the first
/// level exactly, where one of them is not linear in places, or there is none.
void refuse_nonlinear_forces(const StagePlan& plan, const Integrator& integrator,
                             const ForcePlan& forces);

/// Throws InputError at the method of a stage with gradient kicks where a force changes in time.
/// Steps that follow a sum over pairs where there is none.
void refuse_missing_sum(const StagePlan& plan, const Integrator& integrator,
                        const ForcePlan& forces);

void refuse_changing_forces(const StagePlan& plan, const Integrator& integrator,
                            const ForcePlan& forces);

/// Throws InputError at the method of a stage that averages the motion of molecules under the fast
/// forces, or has these implicit, where there are none, or others than bonded ones.
void refuse_unlike_molecules(const StagePlan& plan, const Integrator& integrator,
                             const ForcePlan& forces);

/// The same where light atoms are followed apart from others, and of those in such molecules none
/// or all are light.
template <int Dim>
void refuse_unlike_masses(const StagePlan& plan, const Integrator& integrator,
                          const ForcePlan& forces, const Snapshot<Dim>& start);

/// The same where molecules are to be brought to rest and `problem`, of
/// AveragedMolecules::overdetermined, is not "".
void refuse_overdetermined(const StagePlan& plan, const Integrator& integrator,
                           const std::string& problem);

} // namespace shadow
