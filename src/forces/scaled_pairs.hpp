// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/forces/bonded.hpp"
#include "shadow/forces/pair_force.hpp"

#include <vector>

namespace shadow {

/// Bonded terms of scaled pairs, for a pair force and the charges in its pass: a factor times its
/// potential between their species, or that of its `pairs_14`, with its truncation. For charges in
/// a field that is the whole 1/r within their cut-off: `excluded_charges` removes their interaction
/// as an excluded pair.
[[nodiscard]] std::vector<BondedDescription> scaled_pairs(const PairForceDescription& force,
                                                          const std::vector<std::uint16_t>& species,
                                                          std::size_t species_count,
                                                          const std::vector<ScaledPair>& scaled);

} // namespace shadow
