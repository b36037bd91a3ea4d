// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include "kernels/ops/density_modes.hpp"

namespace shadow::cpu {

/// Writes rho(k) of each species: real parts at [species * count + k], then imaginary parts.
template <int Dim>
void density_modes(const Backend& backend, const DensityModes<Dim>& modes, int species,
                   double* row);

} // namespace shadow::cpu
