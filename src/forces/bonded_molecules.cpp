// SPDX-License-Identifier: BSD-3-Clause
#include "bonded_molecules.hpp"

#include <algorithm>
#include <numeric>

namespace shadow {

std::vector<BondedMolecule> bonded_molecules(std::span<const BondedDescription> forces,
                                             std::size_t particles) {
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
    std::vector<bool> bonded(particles);
    each_term([&](std::span<const std::uint32_t> members, std::int32_t, std::int32_t) {
        for (const std::uint32_t id : members) {
            bonded[id] = true;
            const std::uint32_t a = find(members[0]), b = find(id);
            root[std::max(a, b)] = std::min(a, b);
        }
    });
    std::vector<BondedMolecule> all;
    std::vector<std::size_t> molecule(particles); // by root
    std::vector<std::int32_t> place(particles);   // of a particle among its atoms
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

} // namespace shadow
