// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "data_coefficients.hpp"

#include "shadow/forces/bonded.hpp"
#include "shadow/forces/field.hpp"
#include "shadow/forces/long_range.hpp"
#include "shadow/forces/pair_table.hpp"

#include <optional>
#include <string>
#include <vector>

namespace shadow {

/// One [[force]] and what it became: terms of a pair force, a field, or bonded terms.
struct ForceTable {
    Parameters table;
    std::string type;
    std::vector<PairForceDescription> terms = {};
    std::optional<FieldDescription> field = {};
    std::optional<BondedDescription> bonded = {};
    std::optional<LongRangeDescription> fourier = {};

    [[nodiscard]] bool of_file() const { return type == data_coefficients; }
};

/// A field along a periodic direction has no equilibrium: that is told.
template <int Dim>
void tell_fall(const ForceTable& force, const Box<Dim>& box);

/// Forces add up. One that stands there twice may be meant; charges act in every electrostatic
/// force, whatever its level, so that two of them are never one energy in two parts.
void refuse_twice(const ForceTable& force, const std::vector<ForceTable>& before);

/// Parameters of scaled pairs, where there are none.
void refuse_idle_pairs(const ForceTable& force, const Topology* topology);

/// Each bond has a force.
void refuse_missing(const Parameters& root, const Topology& topology,
                    const std::vector<BondedDescription>& forces);

/// Excluded pairs are left out of pair forces; where that makes no sense.
void refuse_beside_excluded(const ForceTable& force);

} // namespace shadow
