// SPDX-License-Identifier: BSD-3-Clause
#include "bonded_molecules.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace shadow {

std::vector<BondedMolecule> bonded_molecules(std::span<const BondedDescription> forces,
                                             std::size_t particles, bool with_single_atoms) {
    std::vector<std::uint32_t> root(particles);
    std::iota(root.begin(), root.end(), 0U);
    const auto find = [&root](std::uint32_t i) {
        while (root[i] != i) i = root[i] = root[root[i]];
        return i;
    };
    const auto each_term = [&forces](const auto& work) {
        std::int32_t first_row = 0;
        for (const BondedDescription& force : forces) {
            const auto span = static_cast<std::size_t>(members_of(force.info->kind));
            const auto width = static_cast<std::int32_t>(force.rows.size()) / force.row_count;
            for (std::size_t k = 0; k < force.row.size(); ++k)
                work(std::span(force.members).subspan(k * span, span), force.form,
                     first_row + width * force.row[k]);
            first_row += static_cast<std::int32_t>(force.rows.size());
        }
    };
    std::vector<bool> bonded(particles, with_single_atoms);
    each_term([&](std::span<const std::uint32_t> members, std::int32_t, std::int32_t) {
        for (const std::uint32_t id : members) {
            bonded[id] = true;
            const std::uint32_t a = find(members[0]), b = find(id);
            root[std::max(a, b)] = std::min(a, b);
        }
    });
    std::vector<BondedMolecule> all;
    std::vector<std::size_t> molecule(particles); // by root
    std::vector<std::int32_t> place(particles);   // of a particle among the atoms of its molecule
    for (std::uint32_t id = 0; id < particles; ++id) {
        if (!bonded[id]) continue;
        const std::uint32_t first = find(id);
        if (first == id) {
            molecule[id] = all.size();
            all.emplace_back();
        }
        std::vector<std::uint32_t>& atoms = all[molecule[first]].atoms;
        place[id] = static_cast<std::int32_t>(atoms.size());
        atoms.push_back(id);
    }
    each_term([&](std::span<const std::uint32_t> members, std::int32_t form, std::int32_t row) {
        MoleculeTerm term{form, row, {}};
        for (std::size_t m = 0; m < members.size(); ++m) term.member[m] = place[members[m]];
        all[molecule[find(members[0])]].terms.push_back(term);
    });
    return all;
}

int members_in(const MoleculeTerm& term, std::span<const BondedDescription> forces) {
    const auto force = std::find_if(forces.begin(), forces.end(), [&term](auto& candidate) {
        return candidate.form == term.form;
    });
    return members_of(force->info->kind);
}

void bring_together(BondedMolecule& molecule, std::span<const BondedDescription> forces) {
    std::vector<std::set<std::int32_t>> beside(molecule.atoms.size());
    for (const MoleculeTerm& term : molecule.terms)
        for (int a = 0; a < members_in(term, forces); ++a)
            for (int b = 0; b < a; ++b) {
                beside[static_cast<std::size_t>(term.member[a])].insert(term.member[b]);
                beside[static_cast<std::size_t>(term.member[b])].insert(term.member[a]);
            }
    const auto degree = [&beside](std::int32_t atom) {
        return beside[static_cast<std::size_t>(atom)].size();
    };
    const auto by_degree = [&degree](std::int32_t a, std::int32_t b) {
        return std::pair(degree(a), a) < std::pair(degree(b), b);
    };
    // All atoms in layers around `first`, new neighbours in the order of their numbers of
    // neighbours.
    const auto layers_around = [&](std::int32_t first) {
        std::vector<std::int32_t> order = {first};
        std::vector<bool> taken(beside.size());
        taken[static_cast<std::size_t>(first)] = true;
        for (std::size_t k = 0; k < order.size(); ++k) {
            const std::size_t begin = order.size();
            for (const std::int32_t next : beside[static_cast<std::size_t>(order[k])])
                if (!taken[static_cast<std::size_t>(next)]) {
                    taken[static_cast<std::size_t>(next)] = true;
                    order.push_back(next);
                }
            std::sort(order.begin() + static_cast<std::ptrdiff_t>(begin), order.end(), by_degree);
        }
        return order;
    };
    // Starts from an end: the last atom around atom 0.
    std::vector<std::int32_t> order = layers_around(layers_around(0).back());
    std::reverse(order.begin(), order.end());
    std::vector<std::int32_t> place(order.size());
    std::vector<std::uint32_t> atoms(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
        place[static_cast<std::size_t>(order[k])] = static_cast<std::int32_t>(k);
        atoms[k] = molecule.atoms[static_cast<std::size_t>(order[k])];
    }
    molecule.atoms = std::move(atoms);
    for (MoleculeTerm& term : molecule.terms)
        for (int m = 0; m < members_in(term, forces); ++m)
            term.member[m] = place[static_cast<std::size_t>(term.member[m])];
}

} // namespace shadow
