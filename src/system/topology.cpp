// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/system/topology.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace shadow {

const char* name(BondedKind kind) {
    switch (kind) {
    case BondedKind::bond:
        return "bond";
    case BondedKind::angle:
        return "angle";
    case BondedKind::dihedral:
        return "dihedral";
    case BondedKind::improper:
        return "improper";
    }
    return "";
}

BondedGroup& Topology::group(BondedKind kind, const std::string& type) {
    for (BondedGroup& group : groups)
        if (group.kind == kind && group.type == type) return group;
    return groups.emplace_back(BondedGroup{kind, type, {}});
}

void Topology::append(const Topology& molecule, std::int64_t particles, std::int64_t count,
                      std::int64_t first) {
    for (std::int64_t k = 0; k < count; ++k) {
        const auto shift = static_cast<std::uint32_t>(first + k * particles);
        for (const BondedGroup& part : molecule.groups) {
            std::vector<std::uint32_t>& members = group(part.kind, part.type).members;
            for (const std::uint32_t id : part.members) members.push_back(id + shift);
        }
        for (const auto& [a, b] : molecule.excluded) excluded.push_back({a + shift, b + shift});
        for (ScaledPair pair : molecule.scaled) {
            for (std::uint32_t& id : pair.members) id += shift;
            scaled.push_back(pair);
        }
    }
}

std::vector<std::int64_t> Topology::called(std::span<const std::uint32_t> ids) const {
    std::vector<std::int64_t> all;
    for (const std::uint32_t id : ids) all.push_back(called(id));
    return all;
}

std::vector<std::array<std::uint32_t, 2>> pairs_within_bonds(const Topology& topology,
                                                             std::int64_t particles, int bonds) {
    std::vector<std::vector<std::uint32_t>> partners(static_cast<std::size_t>(particles));
    for (const BondedGroup& group : topology.groups) {
        if (group.kind != BondedKind::bond) continue;
        for (std::size_t k = 0; k < group.members.size(); k += 2) {
            partners[group.members[k]].push_back(group.members[k + 1]);
            partners[group.members[k + 1]].push_back(group.members[k]);
        }
    }
    std::vector<std::array<std::uint32_t, 2>> pairs;
    std::vector<std::uint32_t> found, shell, next;
    for (std::uint32_t start = 0; start < partners.size(); ++start) {
        found = shell = {start};
        for (int step = 0; step < bonds; ++step) {
            next.clear();
            for (const std::uint32_t a : shell)
                for (const std::uint32_t b : partners[a])
                    if (std::find(found.begin(), found.end(), b) == found.end()) {
                        found.push_back(b);
                        next.push_back(b);
                        if (b > start) pairs.push_back({start, b});
                    }
            std::swap(shell, next);
        }
    }
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

namespace {

/// The members forwards or backwards, which is the same term: the order that comes first.
std::vector<std::uint32_t> ordered(std::span<const std::uint32_t> members) {
    std::vector<std::uint32_t> forth(members.begin(), members.end());
    std::vector<std::uint32_t> back(members.rbegin(), members.rend());
    return std::min(forth, back);
}

/// A single bond, angle ...
struct Term {
    BondedKind kind;
    std::vector<std::uint32_t> members;
    std::string type;

    [[nodiscard]] bool operator==(const Term&) const = default;
    [[nodiscard]] auto operator<=>(const Term&) const = default;
};

std::vector<Term> sorted_terms(const Topology& topology) {
    std::vector<Term> terms;
    for (const BondedGroup& group : topology.groups)
        for (std::size_t k = 0; k < group.members.size(); k += group.span())
            terms.push_back({group.kind, ordered(std::span(group.members).subspan(k, group.span())),
                             group.type});
    std::sort(terms.begin(), terms.end());
    return terms;
}

} // namespace

std::string changed_terms(const Topology& before, const Topology& now) {
    const std::vector<Term> was = sorted_terms(before), is = sorted_terms(now);
    const auto [a, b] = std::mismatch(was.begin(), was.end(), is.begin(), is.end());
    const auto term = [&](const Term& t) {
        return fmt::format("the {} of atoms {}", name(t.kind),
                           fmt::join(now.called(t.members), ", "));
    };
    if (a == was.end() && b == is.end()) return "";
    if (a == was.end()) return term(*b) + " was not there";
    if (b == is.end()) return term(*a) + " is not there now";
    if (a->kind == b->kind && a->members == b->members)
        return fmt::format("{} was of type \"{}\" and is of type \"{}\" now", term(*a), a->type,
                           b->type);
    return *b < *a ? term(*b) + " was not there" : term(*a) + " is not there now";
}

std::string lost_scaling(const Topology& before, const Topology& now) {
    using Pairs = std::vector<std::array<std::uint32_t, 2>>;
    const auto holds = [](const Pairs& sorted, const std::array<std::uint32_t, 2>& pair) {
        return std::binary_search(sorted.begin(), sorted.end(), pair);
    };
    Pairs excluded = now.excluded, scaled;
    for (const ScaledPair& pair : now.scaled) scaled.push_back(pair.members);
    std::sort(excluded.begin(), excluded.end());
    std::sort(scaled.begin(), scaled.end());
    for (const ScaledPair& pair : before.scaled)
        if (holds(excluded, pair.members) && !holds(scaled, pair.members))
            return fmt::format("atoms {} have {} of their pair forces and {} of their charges in "
                               "the file, and nothing here",
                               fmt::join(now.called(pair.members), ", "), pair.lj, pair.coulomb);
    return "";
}

std::string why_no_topology(const Topology& topology, std::int64_t particles) {
    for (const BondedKind kind : bonded_kinds) {
        // A dihedral may have several types, the terms of a series, but each of them only once.
        std::map<std::vector<std::uint32_t>, std::vector<std::string>> known;
        for (const BondedGroup& group : topology.groups) {
            if (group.kind != kind) continue;
            for (std::size_t k = 0; k < group.members.size(); k += group.span()) {
                const auto members = std::span(group.members).subspan(k, group.span());
                const auto say = [&](const char* problem, const char* why) {
                    return fmt::format("{} of atoms {} {} ({}); correct or remove it", name(kind),
                                       fmt::join(topology.called(members), ", "), problem, why);
                };
                for (std::size_t a = 0; a < members.size(); ++a) {
                    if (members[a] >= static_cast<std::uint64_t>(particles))
                        return say("that are not all there",
                                   fmt::format("there are {}, counted from 0", particles).c_str());
                    if (std::find(members.begin(), members.begin() + static_cast<std::ptrdiff_t>(a),
                                  members[a]) != members.begin() + static_cast<std::ptrdiff_t>(a))
                        return say("with one of them twice", "they are different particles");
                }
                std::vector<std::string>& types = known[ordered(members)];
                const bool same = std::find(types.begin(), types.end(), group.type) != types.end();
                if (same || (kind != BondedKind::dihedral && !types.empty()))
                    return say("twice", "its force would act twice");
                types.push_back(group.type);
            }
        }
    }
    return "";
}

} // namespace shadow
