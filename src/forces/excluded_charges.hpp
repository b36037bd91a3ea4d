// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/forces/bonded.hpp"
#include "shadow/forces/pair_table.hpp"

#include <optional>

namespace shadow {

/// What charges of a damped shifted force have of pairs that are excluded (ExcludedDampedCharges);
/// nothing of another force, or where no such pair has charges. `species` by id.
[[nodiscard]] std::optional<BondedDescription>
excluded_charges(const PairForceDescription& force, const std::vector<std::uint16_t>& species,
                 std::size_t species_count,
                 const std::vector<std::array<std::uint32_t, 2>>& excluded);

} // namespace shadow
