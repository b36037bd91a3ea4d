// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/forces/bonded.hpp"
#include "shadow/forces/pair_force.hpp"

#include <vector>

namespace shadow {

/// What scaled pairs have of a pair force and of the charges in its pass: bonded terms with a
/// factor times its potential between their species, or that of its `pairs_14`, with the end it has
/// at its cut-off. Of charges
/// in a field it is that of the whole 1/r within their cut-off: what they have of an excluded pair
/// is taken away by `excluded_charges`.
[[nodiscard]] std::vector<BondedDescription> scaled_pairs(const PairForceDescription& force,
                                                          const std::vector<std::uint16_t>& species,
                                                          std::size_t species_count,
                                                          const std::vector<ScaledPair>& scaled);

} // namespace shadow
