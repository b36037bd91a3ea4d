// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "plan.hpp"

#include "shadow/forces/registry.hpp"
#include "shadow/integrators/integrator.hpp"

namespace shadow {

/// Does the method have mollified kicks?
[[nodiscard]] bool mollifies(const Integrator& integrator);

/// Throws InputError at the method of a stage with exact motion under the forces of the first
/// level, if one of them is not linear in positions, or there is none.
void refuse_nonlinear_forces(const StagePlan& plan, const Integrator& integrator,
                             const ForcePlan& forces);

/// Throw InputError at the method of a stage: the first if its steps adapt to a sum over pairs and
/// there is none, the second if a force changes in time and its steps are adaptive or it has a
/// processor or gradient kicks.
void refuse_missing_sum(const StagePlan& plan, const Integrator& integrator,
                        const ForcePlan& forces);

void refuse_changing_forces(const StagePlan& plan, const Integrator& integrator,
                            const ForcePlan& forces);

/// Throws InputError at the method of a stage that averages over the motion of molecules under the
/// fast forces, or integrates these forces implicitly, if there are no fast forces, or some are not
/// bonded.
void refuse_unlike_molecules(const StagePlan& plan, const Integrator& integrator,
                             const ForcePlan& forces);

/// The same if light atoms move separately and none or all of the atoms of such molecules are
/// light.
template <int Dim>
void refuse_unlike_masses(const StagePlan& plan, const Integrator& integrator,
                          const ForcePlan& forces, const Snapshot<Dim>& start);

/// The same if molecules must be brought to rest and `problem`, from
/// AveragedMolecules::overdetermined, is not "".
void refuse_overdetermined(const StagePlan& plan, const Integrator& integrator,
                           const std::string& problem);

} // namespace shadow
