// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/descriptor.hpp"
#include "shadow/core/parameters.hpp"

#include "kernels/potentials/potential.hpp"

namespace shadow {

/// The factor of products of charges or masses.
[[nodiscard]] double read_strength(const Parameters& table, PairStrength strength, double coulomb);
/// Its key.
[[nodiscard]] const ParameterInfo& strength_key(PairStrength strength);

} // namespace shadow
