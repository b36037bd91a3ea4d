// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/forces/molecule_groups.hpp"

#include "bonded_molecules.hpp"

#include "kernels/bonded/groups_on.hpp"
#include "kernels/bonded/projection.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

namespace shadow {
namespace {

/// What molecules of one kind have in common.
template <int Dim>
auto kind_of(const BondedMolecule& molecule, const Snapshot<Dim>& start) {
    std::vector<double> mass;
    for (const std::uint32_t id : molecule.atoms) mass.push_back(start.mass(id));
    std::vector<std::array<std::int32_t, 6>> terms;
    for (const MoleculeTerm& t : molecule.terms)
        terms.push_back({t.form, t.row, t.member[0], t.member[1], t.member[2], t.member[3]});
    return std::pair(mass, terms);
}

/// Do two terms share an atom?
bool meet(const MoleculeTerm& a, const MoleculeTerm& b) {
    const auto has = [&b](std::int32_t atom) {
        return atom >= 0 && std::find(b.member, b.member + constrained_atoms, atom) !=
                                b.member + constrained_atoms;
    };
    return std::any_of(a.member, a.member + constrained_atoms, has);
}

/// Terms that have a rest value, sorted along the molecule, so that those on one atom are near each
/// other.
std::vector<MoleculeTerm> constraints_of(const BondedMolecule& molecule,
                                         std::span<const BondedDescription> forces,
                                         const std::vector<double>& rows) {
    std::vector<MoleculeTerm> all;
    for (MoleculeTerm term : molecule.terms) {
        const int members = members_in(term, forces);
        if (!has_rest(term.form, rows.data() + term.row)) continue;
        std::fill(term.member + members, std::end(term.member), -1);
        all.push_back(term);
    }
    const auto key = [](const MoleculeTerm& t) {
        const std::int32_t third = t.member[2] < 0 ? t.member[1] : t.member[2];
        return std::tuple(std::min({t.member[0], t.member[1], third}),
                          std::max({t.member[0], t.member[1], third}));
    };
    std::stable_sort(all.begin(), all.end(),
                     [&key](const auto& a, const auto& b) { return key(a) < key(b); });
    return all;
}

/// The largest distance of constraints on one atom, in their order.
std::int32_t constraint_band_of(const std::vector<MoleculeTerm>& constraints) {
    std::int32_t band = 0;
    for (std::size_t i = 0; i < constraints.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (meet(constraints[i], constraints[j]))
                band = std::max(band, static_cast<std::int32_t>(i - j));
    return band;
}

/// The largest distance of atoms of one term, in their order.
std::int32_t atom_band_of(const BondedMolecule& molecule,
                          std::span<const BondedDescription> forces) {
    std::int32_t band = 0;
    for (const MoleculeTerm& t : molecule.terms) {
        const auto [first, last] = std::minmax_element(t.member, t.member + members_in(t, forces));
        band = std::max(band, *last - *first);
    }
    return band;
}

} // namespace

template <int Dim>
MoleculeGroups<Dim>::MoleculeGroups(const Backend& backend,
                                    std::span<const BondedDescription> forces,
                                    const Snapshot<Dim>& start, Numbers numbers_of,
                                    Options options) {
    std::vector<double> rows;
    for (const BondedDescription& force : forces)
        rows.insert(rows.end(), force.rows.begin(), force.rows.end());
    std::vector<BondedMolecule> all =
        bonded_molecules(forces, start.size(), options.with_single_atoms);
    molecules_ = static_cast<std::int64_t>(all.size());
    if (options.narrow)
        for (BondedMolecule& molecule : all) bring_together(molecule, forces);

    std::map<decltype(kind_of(all[0], start)), std::vector<const BondedMolecule*>> by_kind;
    for (const BondedMolecule& molecule : all)
        by_kind[kind_of(molecule, start)].push_back(&molecule);

    // A group has as many molecules as a pack, on a GPU as a warp; lanes that are left are padding.
    const auto lanes = static_cast<std::size_t>(molecules_side_by_side(backend));
    std::vector<MoleculeKind> kinds;
    std::vector<MoleculeTerm> terms, constraints;
    std::vector<double> inverse_mass;
    std::vector<MoleculeGroup> groups;
    std::vector<std::uint32_t> ids;
    const auto append = [](auto& to, const auto& from) {
        const auto first = static_cast<std::int32_t>(to.size());
        to.insert(to.end(), from.begin(), from.end());
        return std::pair(first, static_cast<std::int32_t>(to.size()));
    };
    for (const auto& [kind, members] : by_kind) {
        const BondedMolecule& example = *members[0];
        const auto atoms = static_cast<std::int32_t>(kind.first.size());
        const auto own = constraints_of(example, forces, rows);
        const auto first_atom = static_cast<std::int32_t>(inverse_mass.size());
        for (const double mass : kind.first) inverse_mass.push_back(1.0 / mass);
        const auto [first_term, last_term] = append(terms, example.terms);
        const auto [first_constraint, last_constraint] = append(constraints, own);
        kinds.push_back({atoms, first_atom, first_term, last_term, first_constraint,
                         last_constraint, constraint_band_of(own), atom_band_of(example, forces)});
        examples_.push_back({kinds.back(), example.atoms.front(), example.atoms.back()});
        const std::int64_t needed = numbers_of(kinds.back());
        max_coordinates_ = std::max(max_coordinates_, std::int64_t{atoms} * Dim);
        max_numbers_ = std::max(max_numbers_, needed);
        for (std::size_t first = 0; first < members.size(); first += lanes) {
            const std::size_t here = std::min(members.size() - first, lanes);
            groups.push_back({static_cast<std::int32_t>(kinds.size()) - 1,
                              static_cast<std::int32_t>(here),
                              static_cast<std::int64_t>(ids.size()), numbers_});
            numbers_ += needed * static_cast<std::int64_t>(lanes);
            for (std::size_t a = 0; a < static_cast<std::size_t>(atoms); ++a)
                for (std::size_t l = 0; l < lanes; ++l)
                    ids.push_back(members[first + std::min(l, here - 1)]->atoms[a]);
        }
    }
    kinds_ = Array<MoleculeKind>(backend, kinds);
    terms_ = Array<MoleculeTerm>(backend, terms);
    constraints_ = Array<MoleculeTerm>(backend, constraints);
    rows_ = Array<double>(backend, rows);
    inverse_mass_ = Array<double>(backend, inverse_mass);
    groups_ = Array<MoleculeGroup>(backend, groups);
    ids_ = Array<std::uint32_t>(backend, ids);
}

template <int Dim>
MoleculeGroupsView<Dim> MoleculeGroups<Dim>::view(const BoxView<Dim>* box,
                                                  const std::int32_t* index_of_id) const {
    return {kinds_.data(),
            terms_.data(),
            constraints_.data(),
            rows_.data(),
            inverse_mass_.data(),
            groups_.data(),
            ids_.data(),
            index_of_id,
            static_cast<std::int64_t>(groups_.size()),
            box};
}

template <int Dim>
std::size_t MoleculeGroups<Dim>::bytes() const {
    return kinds_.bytes() + terms_.bytes() + constraints_.bytes() + rows_.bytes() +
           inverse_mass_.bytes() + groups_.bytes() + ids_.bytes();
}

template class MoleculeGroups<1>;
template class MoleculeGroups<2>;
template class MoleculeGroups<3>;

} // namespace shadow
