// SPDX-License-Identifier: BSD-3-Clause
#include "excluded_charges.hpp"

#include "append_row.hpp"
#include "potential_visit.hpp"

#include "kernels/bonded/list.hpp"

#include <cmath>

namespace shadow {
namespace {

/// The part of a damped shifted force between species; null of another force. A fast part by
/// distance leaves it to the slow one.
const PairPotential* damped_part(const PairForceDescription& force) {
    const PairPotential& potential = force.electrostatic ? *force.electrostatic : force.potential;
    const bool damped = potential.potential == potential_index<DampedShiftedForce>;
    return damped && potential.part != PairPotential::Part::fast ? &potential : nullptr;
}

} // namespace

std::optional<BondedDescription>
excluded_charges(const PairForceDescription& force, const std::vector<std::uint16_t>& species,
                 std::size_t species_count,
                 const std::vector<std::array<std::uint32_t, 2>>& excluded) {
    const PairPotential* damped = damped_part(force);
    if (!damped) return std::nullopt;
    BondedDescription terms;
    terms.info =
        damped->vanishes ? &ExcludedDampedCharges::info : &ExcludedDampedCharges::periodic_info;
    terms.name = terms.info->name;
    terms.level = force.level;
    terms.form = excluded_charges_form;
    terms.row_count = 0;
    std::vector<std::int32_t> row(damped->pairs.size(), -1);
    for (const auto& [a, b] : excluded) {
        const std::size_t pair = species[a] * species_count + species[b];
        const PairParameters& p = damped->pairs[pair];
        if (p.numbers[0] == 0.0) continue;
        if (row[pair] < 0) {
            row[pair] = terms.row_count++;
            const double given[] = {p.numbers[0], p.numbers[1], damped->end(p)};
            auto form = ExcludedDampedCharges::from(given);
            if (damped->truncation == Truncation::shift)
                form.pair.shift = std::erfc(p.numbers[1] * p.cutoff) / p.cutoff;
            append_row(terms.rows, form);
        }
        terms.members.insert(terms.members.end(), {a, b});
        terms.row.push_back(row[pair]);
    }
    if (terms.row.empty()) return std::nullopt;
    return terms;
}

} // namespace shadow
