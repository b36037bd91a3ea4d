// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/system/molecule_list.hpp"

#include "shadow/system/lattice.hpp"
#include "shadow/system/unwrapped.hpp"

#include <algorithm>
#include <cmath>

namespace shadow {
namespace {

using Partners = std::vector<std::vector<std::uint32_t>>;

/// The neighbours of each particle in terms; in bonds alone, or in all terms.
Partners partners_of(const Topology& topology, std::size_t particles, bool bonds_alone) {
    Partners partners(particles);
    for (const BondedGroup& group : topology.groups) {
        if (bonds_alone && group.kind != BondedKind::bond) continue;
        for (std::size_t k = 1; k < group.members.size(); ++k) {
            if (k % group.span() == 0) continue; // the first of a term
            partners[group.members[k - 1]].push_back(group.members[k]);
            partners[group.members[k]].push_back(group.members[k - 1]);
        }
    }
    return partners;
}

/// Sorts atoms along the path that their bonds form, from the end with the lower id; false, with
/// nothing changed, if they form none.
bool sort_along(const Partners& bonded, std::vector<std::uint32_t>& atoms) {
    const auto is_end = [&](std::uint32_t a) { return bonded[a].size() == 1; };
    const auto is_inner = [&](std::uint32_t a) { return bonded[a].size() == 2; };
    const std::vector<std::uint32_t> sorted = atoms;
    if (std::count_if(sorted.begin(), sorted.end(), is_end) != 2 ||
        std::count_if(sorted.begin(), sorted.end(), is_inner) + 2 !=
            static_cast<std::ptrdiff_t>(sorted.size()))
        return false;
    atoms = {*std::find_if(sorted.begin(), sorted.end(), is_end)};
    while (atoms.size() == 1 || !is_end(atoms.back())) {
        const std::vector<std::uint32_t>& next = bonded[atoms.back()];
        const bool back = atoms.size() > 1 && next[0] == atoms[atoms.size() - 2];
        atoms.push_back(next[back ? 1 : 0]);
    }
    if (atoms.size() == sorted.size()) return true;
    atoms = sorted; // a ring and a chain, connected by an angle
    return false;
}

} // namespace

template <int Dim>
std::vector<ConnectedMolecule<Dim>>
connected_molecules(const Topology& topology, const Box<Dim>& box, const Snapshot<Dim>& start) {
    const Partners partners = partners_of(topology, start.size(), false),
                   bonded = partners_of(topology, start.size(), true);
    std::vector<std::array<int, Dim>> turns(start.size(), std::array<int, Dim>{});
    std::vector<bool> found(start.size(), false);
    std::vector<ConnectedMolecule<Dim>> all;
    for (std::uint32_t first = 0; first < start.size(); ++first) {
        if (found[first] || partners[first].empty()) continue;
        found[first] = true;
        std::vector<std::uint32_t> atoms = {first};
        for (std::size_t k = 0; k < atoms.size(); ++k)
            for (const std::uint32_t other : partners[atoms[k]]) {
                if (found[other]) continue;
                found[other] = true;
                const auto from = unwrapped(start, box, atoms[k]),
                           to = unwrapped(start, box, other);
                for (std::size_t d = 0; d < Dim; ++d) {
                    turns[other][d] = turns[atoms[k]][d];
                    if (box.periodic()[d])
                        turns[other][d] -=
                            static_cast<int>(std::lround((to[d] - from[d]) / box.lengths()[d]));
                }
                atoms.push_back(other);
            }
        std::sort(atoms.begin(), atoms.end());
        ConnectedMolecule<Dim>& molecule = all.emplace_back();
        molecule.is_chain = sort_along(bonded, atoms);
        for (const std::uint32_t atom : atoms) molecule.turns.push_back(turns[atom]);
        molecule.atoms = std::move(atoms);
    }
    return all;
}

template <int Dim>
std::optional<std::array<std::uint32_t, 2>>
endless_bond(const std::vector<ConnectedMolecule<Dim>>& molecules, const Topology& topology,
             const Box<Dim>& box, const Snapshot<Dim>& start) {
    Points<Dim> whole(start.size());
    for (const ConnectedMolecule<Dim>& molecule : molecules)
        for (std::size_t k = 0; k < molecule.atoms.size(); ++k) {
            auto& x = whole[molecule.atoms[k]];
            x = unwrapped(start, box, molecule.atoms[k]);
            for (std::size_t d = 0; d < Dim; ++d)
                if (box.periodic()[d]) x[d] += molecule.turns[k][d] * box.lengths()[d];
        }
    for (const BondedGroup& group : topology.groups)
        for (std::size_t k = 1; k < group.members.size(); ++k) {
            if (k % group.span() == 0) continue; // the first of a term
            const std::uint32_t a = group.members[k - 1], b = group.members[k];
            for (std::size_t d = 0; d < Dim; ++d)
                if (box.periodic()[d] &&
                    std::abs(whole[a][d] - whole[b][d]) > 0.5 * box.lengths()[d])
                    return std::array{a, b};
        }
    return std::nullopt;
}

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template std::optional<std::array<std::uint32_t, 2>> endless_bond(                             \
        const std::vector<ConnectedMolecule<Dim>>&, const Topology&, const Box<Dim>&,              \
        const Snapshot<Dim>&);                                                                     \
    template std::vector<ConnectedMolecule<Dim>> connected_molecules(                              \
        const Topology&, const Box<Dim>&, const Snapshot<Dim>&);
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow
