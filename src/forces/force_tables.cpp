// SPDX-License-Identifier: BSD-3-Clause
#include "force_tables.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace shadow {
namespace {

void refuse_with_file(const Parameters& table, const BondedDescription& force,
                      const BondedDescription& other) {
    const std::string type = table.text("type");
    const bool of_file = type == data_coefficients || other.type == data_coefficients;
    if (!of_file || force.info->kind != other.info->kind) return;
    const std::string kind = name(force.info->kind);
    table.fail("type", fmt::format("{} together with {} (both act on {}s, so their forces would "
                                   "add up); leave {}s out of `of` of {}, or remove one",
                                   type, other.type, kind, kind, data_coefficients));
}

/// Only dihedrals may have several forces, the terms of a Fourier series.
void refuse_shared_terms(const Parameters& table, const BondedDescription& force,
                         const BondedDescription& other) {
    if (force.form != other.form || force.info->kind == BondedKind::dihedral) return;
    for (const std::string& type : force.types)
        if (std::count(other.types.begin(), other.types.end(), type) > 0)
            table.fail(table.has("of") ? "of" : "type",
                       fmt::format("a second {} on {}s of type \"{}\" (forces add up); say by `of` "
                                   "which it is for, or remove one",
                                   table.text("type"), name(force.info->kind), type));
}

} // namespace

void refuse_other_charges(const Parameters& table, const std::vector<ForceDescription>& before) {
    for (const ForceDescription& part : before) {
        const auto* other = std::get_if<PairForceDescription>(&part);
        if (other && other->acts_on_charges())
            table.fail("type", fmt::format("{} together with {} (each acts between all charges, so "
                                           "they would count twice); keep one",
                                           table.text("type"), other->type));
    }
}

void refuse_other_terms(const Parameters& table, const BondedDescription& force,
                        const std::vector<ForceDescription>& before) {
    for (const ForceDescription& part : before)
        if (const auto* other = std::get_if<BondedDescription>(&part)) {
            refuse_with_file(table, force, *other);
            refuse_shared_terms(table, force, *other);
        }
}

void refuse_missing(const Parameters& root, const Topology& topology,
                    const std::vector<BondedDescription>& forces) {
    for (const BondedGroup& group : topology.groups) {
        const auto acts = [&](const auto& force) { return force.acts_on(group); };
        if (std::none_of(forces.begin(), forces.end(), acts))
            root.fail("force", fmt::format("{0}s of type \"{1}\" without a force (nothing would "
                                           "hold them); add a [[force]] for {0}s, or remove them "
                                           "from the molecule",
                                           name(group.kind), group.type));
    }
}

} // namespace shadow
