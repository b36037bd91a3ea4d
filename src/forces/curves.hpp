// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "read_force.hpp"

#include "shadow/core/descriptor.hpp"

namespace shadow {

class GivenPairNumbers;

/// Pair potentials that have no kernel of their own. Named formulas, a formula of the input and the
/// rows of a file are tabulated; gravity and charges with a reaction field use the kernel of
/// charges. A named formula is added by a row here.
[[nodiscard]] const std::vector<PotentialTraits>& curve_traits();

/// The keys of a formula or file in the input.
[[nodiscard]] std::vector<ParameterInfo> curve_keys(CurveKind kind);

/// Gives each pair of species its curve; cut-offs are known.
void read_curves(const Parameters& table, const PotentialTraits& traits,
                 const GivenPairNumbers& given, const ForceSurroundings& around,
                 PairPotential& potential);

/// Makes the tables of a potential for all pairs of species, and logs how accurate they are.
void tabulate_curves(const Parameters& table, const PotentialTraits& traits,
                     PairPotential& potential);

} // namespace shadow
