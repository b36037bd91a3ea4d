// SPDX-License-Identifier: BSD-3-Clause
#include "src/system/molecules.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace shadow {
namespace {

struct Bond {
    std::uint32_t to;
    double length;
};

/// The lengths that bonds give, by type.
std::map<std::string, double> read_lengths(const Parameters& table) {
    const bool grown = table.has("grow");
    std::map<std::string, double> lengths;
    for (const Parameters& bond : table.tables("bonds")) {
        if (!bond.has("length")) continue;
        if (!grown)
            bond.fail("length", "a length of a bond in a molecule that is not grown (its force "
                                "has it, and its atoms have their places); remove it, or grow the "
                                "molecule by `grow`");
        const double length = bond.positive("length");
        const std::string type = bond.text("type", name(BondedKind::bond));
        const auto [at, is_new] = lengths.emplace(type, length);
        if (!is_new && at->second != length)
            bond.fail("length", fmt::format("bonds of type \"{}\" of lengths {} and {} (those of a "
                                            "type are alike); give one, or name another type",
                                            type, at->second, length));
    }
    return lengths;
}

/// The bonds of each atom.
std::vector<std::vector<Bond>> read_bonds(const Parameters& table, std::int64_t atoms,
                                          const Topology& topology) {
    const auto lengths = read_lengths(table);
    const Parameters grow = table.table("grow");
    const double usual = grow.has("length") ? grow.positive("length") : 0.0;
    std::vector<std::vector<Bond>> bonds(static_cast<std::size_t>(atoms));
    for (const BondedGroup& group : topology.groups) {
        if (group.kind != BondedKind::bond) continue;
        const auto own = lengths.find(group.type);
        if (own == lengths.end() && usual == 0.0)
            grow.fail("length", fmt::format("bonds of type \"{}\" without a length (a walk has "
                                            "such steps); give grow.length, or `length` in the "
                                            "bond",
                                            group.type));
        const double length = own == lengths.end() ? usual : own->second;
        for (std::size_t k = 0; k < group.members.size(); k += 2) {
            bonds[group.members[k]].push_back({group.members[k + 1], length});
            bonds[group.members[k + 1]].push_back({group.members[k], length});
        }
    }
    return bonds;
}

/// The walk from the first atom on, branch by branch, of atoms that bonds connect without a ring.
std::vector<Growth::Step> walk_along(const std::vector<std::vector<Bond>>& bonds) {
    constexpr auto none = static_cast<std::size_t>(-1);
    std::vector<Growth::Step> steps;
    std::vector<std::size_t> step_of(bonds.size(), none);
    std::vector<Growth::Step> coming = {{0, 0, 0.0, {}}};
    while (!coming.empty()) {
        Growth::Step step = std::move(coming.back());
        coming.pop_back();
        if (step_of[step.atom] != none) continue; // a ring: there are too many bonds
        const std::size_t at = steps.size();
        if (at > 0)
            for (const Bond& bond : bonds[steps[step.from].atom])
                if (step_of[bond.to] != none) step.second.push_back(step_of[bond.to]);
        step_of[step.atom] = at;
        const std::vector<Bond>& next = bonds[step.atom];
        steps.push_back(std::move(step));
        // The first bond is followed first.
        for (auto bond = next.rbegin(); bond != next.rend(); ++bond)
            if (step_of[bond->to] == none) coming.push_back({bond->to, at, bond->length, {}});
    }
    return steps;
}

} // namespace

std::optional<Growth> read_growth(const Parameters& table, std::int64_t atoms,
                                  const Topology& topology) {
    if (!table.has("grow")) {
        static_cast<void>(read_lengths(table));
        return std::nullopt;
    }
    if (table.has("places"))
        table.fail("grow",
                   "`grow` together with `places` (both say where the atoms are); remove one");
    if (atoms == 1) table.fail("grow", "`grow` of a single atom (it needs no walk); remove it");
    const Parameters grow = table.table("grow");
    const double distance = grow.number("distance");
    if (!(distance >= 0.0))
        grow.fail(
            "distance",
            fmt::format("distance {} (minimum between atoms two bonds apart); give a length, or 0",
                        distance));
    const auto bonds = read_bonds(table, atoms, topology);
    std::size_t ends = 0;
    Growth growth{walk_along(bonds), distance, HUGE_VAL, 0.0};
    for (const auto& of : bonds) ends += of.size();
    if (growth.steps.size() != bonds.size() || ends != 2 * (bonds.size() - 1))
        table.fail("grow", "`grow` of a molecule that is not a chain or a tree of bonds (a walk "
                           "does not close a ring, and goes along bonds alone); give `places`");
    for (const Growth::Step& step : growth.steps) {
        growth.longest = std::max(growth.longest, step.length);
        if (&step != &growth.steps.front())
            growth.shortest = std::min(growth.shortest, step.length);
        for (const std::size_t second : step.second) {
            // The bond between `from` and `second` is the step to the later one of the two.
            const bool before = second < step.from;
            const double reach = step.length + growth.steps[before ? step.from : second].length;
            if (distance > 0.99 * reach)
                grow.fail("distance",
                          fmt::format("distance {} between atoms two bonds apart (bonds of {} and "
                                      "{} reach {} in a line, so nothing is left to chance); give "
                                      "less",
                                      distance, step.length, reach - step.length, reach));
        }
    }
    return growth;
}

} // namespace shadow
