// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/forces/bonded.hpp"
#include "shadow/forces/pair_table.hpp"

#include <optional>

namespace shadow {

/// Is each charge in the field of all others? So are damped charges, those of a reaction field, and
/// those of Ewald sums.
[[nodiscard]] bool are_charges_in_a_field(const PairPotential& potential);

/// Terms of excluded pairs for damped charges, those of a reaction field and periodic logarithmic
/// ones: these pairs count in the field of all others as any pair does, but their bare interaction
/// is left out (ExcludedDampedCharges, TabulatedPair). Nothing for other forces, or if no such pair
/// has charges. `species` by id.
[[nodiscard]] std::optional<BondedDescription>
excluded_charges(const PairForceDescription& force, const std::vector<std::uint16_t>& species,
                 std::size_t species_count,
                 const std::vector<std::array<std::uint32_t, 2>>& excluded);

} // namespace shadow
