// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "force_input.hpp"

#include <vector>

/// What forces cannot stand beside.
namespace shadow {

/// Charges act in every electrostatic force, whatever its level, so that two of them are never one
/// energy in two parts.
void refuse_other_charges(const Parameters& table, const std::vector<ForceDescription>& before);

/// Two springs on a bond are a mistake; and a kind of terms has all of its forces from the file of
/// the start, or none.
void refuse_other_terms(const Parameters& table, const BondedDescription& force,
                        const std::vector<ForceDescription>& before);

/// Each bond has a force.
void refuse_missing(const Parameters& root, const Topology& topology,
                    const std::vector<BondedDescription>& forces);

} // namespace shadow
