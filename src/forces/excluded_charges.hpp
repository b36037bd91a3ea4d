// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/forces/bonded.hpp"
#include "shadow/forces/pair_table.hpp"

#include <optional>

namespace shadow {

/// Charges each of which is in the field of all others: damped ones, those of a reaction field, and
/// those of Ewald's sums.
[[nodiscard]] bool are_charges_in_a_field(const PairPotential& potential);

/// What damped charges, those of a reaction field and periodic logarithmic ones have of pairs that
/// are excluded: in the field of all others they are as any pair, but what they have by themselves
/// is left out (ExcludedDampedCharges, TabulatedPair). Nothing of another force, or where no such
/// pair has charges. `species` by id.
[[nodiscard]] std::optional<BondedDescription>
excluded_charges(const PairForceDescription& force, const std::vector<std::uint16_t>& species,
                 std::size_t species_count,
                 const std::vector<std::array<std::uint32_t, 2>>& excluded);

} // namespace shadow
