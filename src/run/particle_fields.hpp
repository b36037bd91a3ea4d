// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/particle_system.hpp"
#include "shadow/observables/observable.hpp"
#include "shadow/system/net_motion.hpp"

#include <string>
#include <vector>

namespace shadow {

/// The fields of `output.trajectory` that a snapshot does not have: force, potential_energy,
/// stress.
template <int Dim>
[[nodiscard]] std::vector<Quantity> field_quantities(const std::vector<std::string>& fields);

/// Their values for all forces, in id order; `frame` is the current state. Energies and stresses
/// exclude mean-field corrections. Stresses are relative to the motion of the centre of mass where
/// it is `conserved`. Waits for the device.
template <int Dim>
[[nodiscard]] std::vector<std::vector<double>>
measure_fields(ParticleSystem<Dim>& system, const std::vector<std::string>& fields,
               const ConservedMomenta<Dim>& conserved, const Snapshot<Dim>& frame);

} // namespace shadow
