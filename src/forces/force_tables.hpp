// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "force_input.hpp"

#include <vector>

/// Forces that cannot be combined.
namespace shadow {

/// Charges act in every electrostatic force, whatever its level, so that two such forces are never
/// two parts of one energy.
void refuse_other_charges(const Parameters& table, const std::vector<ForceDescription>& before);

/// Two springs on a bond are a mistake; and all forces on a kind of terms are from the file of the
/// start, or none.
void refuse_other_terms(const Parameters& table, const BondedDescription& force,
                        const std::vector<ForceDescription>& before);

/// Throws for bonds, angles ... without a force.
void refuse_missing(const Parameters& root, const Topology& topology,
                    const std::vector<BondedDescription>& forces);

} // namespace shadow
