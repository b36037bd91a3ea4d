// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "read_force.hpp"

#include "shadow/core/descriptor.hpp"

namespace shadow {

class GivenPairNumbers;

/// Pair potentials that have no kernel of their own. Tabulated are formulas with a name, a formula
/// of the input's own, and the rows of a file; gravity and charges with a reaction field have the
/// kernel of charges. A formula with a name gets in by a row here.
[[nodiscard]] const std::vector<PotentialTraits>& curve_traits();

/// The keys of a formula or file in the input.
[[nodiscard]] std::vector<ParameterInfo> curve_keys(CurveKind kind);

/// Gives each pair of species its curve; cut-offs are known.
void read_curves(const Parameters& table, const PotentialTraits& traits,
                 const GivenPairNumbers& given, const ForceSurroundings& around,
                 PairPotential& potential);

/// Gives the pairs of a potential their tables, and says in the log how well they follow.
void tabulate_curves(const Parameters& table, const PotentialTraits& traits,
                     PairPotential& potential);

} // namespace shadow
