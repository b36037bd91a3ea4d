// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/forces/averaged_molecules.hpp"

#include "bonded_molecules.hpp"

#include "kernels/launch.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <tuple>

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

/// Terms that have a rest, along the molecule, so that those on one atom are near each other.
std::vector<MoleculeTerm> constraints_of(const BondedMolecule& molecule,
                                         std::span<const BondedDescription> forces,
                                         const std::vector<double>& rows) {
    std::vector<MoleculeTerm> all;
    for (MoleculeTerm term : molecule.terms) {
        const auto force = std::find_if(forces.begin(), forces.end(), [&term](auto& candidate) {
            return candidate.form == term.form;
        });
        const int members = members_of(force->info->kind);
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

std::int32_t band_of(const std::vector<MoleculeTerm>& constraints) {
    std::int32_t band = 0;
    for (std::size_t i = 0; i < constraints.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (meet(constraints[i], constraints[j]))
                band = std::max(band, static_cast<std::int32_t>(i - j));
    return band;
}

/// Of a molecule that is free in space.
int inner_coordinates(int dim, int atoms) {
    const int rotations = dim == 1 ? 0 : dim == 2 ? 1 : atoms == 2 ? 2 : 3;
    return atoms * dim - dim - rotations;
}

} // namespace

template <int Dim>
AveragedMolecules<Dim>::AveragedMolecules(const Backend& backend,
                                          std::span<const BondedDescription> fast,
                                          const Snapshot<Dim>& start, Neighbours<Dim>& neighbours)
    : backend_(backend) {
    std::vector<double> rows;
    for (const BondedDescription& force : fast)
        rows.insert(rows.end(), force.rows.begin(), force.rows.end());
    const std::vector<BondedMolecule> all = bonded_molecules(fast, start.size());
    molecules_ = static_cast<std::int64_t>(all.size());

    std::map<decltype(kind_of(all[0], start)), std::vector<const BondedMolecule*>> by_kind;
    for (const BondedMolecule& molecule : all)
        by_kind[kind_of(molecule, start)].push_back(&molecule);

    // A group has as many as a pack, a GPU as a warp: padding is what lanes are left.
    const int lanes = molecules_side_by_side(backend);
    std::vector<MoleculeKind> kinds;
    std::vector<MoleculeTerm> terms, constraints;
    std::vector<double> inverse_mass;
    std::vector<MoleculeGroup> groups;
    std::vector<std::uint32_t> ids;
    for (const auto& [kind, members] : by_kind) {
        const auto atoms = static_cast<std::int32_t>(kind.first.size());
        most_coordinates_ = std::max(most_coordinates_, std::int64_t{atoms} * Dim);
        const auto first_term = static_cast<std::int32_t>(terms.size());
        terms.insert(terms.end(), members[0]->terms.begin(), members[0]->terms.end());
        const auto own = constraints_of(*members[0], fast, rows);
        const auto first_constraint = static_cast<std::int32_t>(constraints.size());
        const auto count = static_cast<std::int32_t>(own.size());
        constraints.insert(constraints.end(), own.begin(), own.end());
        kinds.push_back({atoms, static_cast<std::int32_t>(inverse_mass.size()), first_term,
                         static_cast<std::int32_t>(terms.size()), first_constraint,
                         first_constraint + count, band_of(own)});
        if (const int inner = inner_coordinates(Dim, atoms); count > inner)
            overdetermined_ =
                fmt::format("{} bonds and angles of atoms {} to {} (which have {} coordinates "
                            "beside those of the whole)",
                            count, members[0]->atoms.front(), members[0]->atoms.back(), inner);
        const std::int64_t numbers = projection_numbers<Dim>(atoms, count, kinds.back().band);
        most_numbers_ = std::max(most_numbers_, numbers);
        for (const double mass : kind.first) inverse_mass.push_back(1.0 / mass);
        for (std::size_t first = 0; first < members.size();
             first += static_cast<std::size_t>(lanes)) {
            const std::size_t here =
                std::min(members.size() - first, static_cast<std::size_t>(lanes));
            groups.push_back({static_cast<std::int32_t>(kinds.size()) - 1,
                              static_cast<std::int32_t>(here),
                              static_cast<std::int64_t>(ids.size()), numbers_});
            numbers_ += numbers * lanes;
            for (std::size_t a = 0; a < static_cast<std::size_t>(atoms); ++a)
                for (std::size_t l = 0; l < static_cast<std::size_t>(lanes); ++l)
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
    for (Array<double>& component : kept_) {
        component = Array<double>(backend, start.size());
        neighbours.attach(component);
    }
}

template <int Dim>
MoleculeGroupsView<Dim> AveragedMolecules<Dim>::view(const BoxView<Dim>* box,
                                                     const Neighbours<Dim>& neighbours) const {
    return {kinds_.data(),
            terms_.data(),
            constraints_.data(),
            rows_.data(),
            inverse_mass_.data(),
            groups_.data(),
            ids_.data(),
            neighbours.index_of_id(),
            static_cast<std::int64_t>(groups_.size()),
            box};
}

template <int Dim>
VectorView<Dim, double> AveragedMolecules<Dim>::kept_view() {
    VectorView<Dim, double> view{};
    for (std::size_t d = 0; d < Dim; ++d) view.component[d] = kept_[d].data();
    return view;
}

template <int Dim>
template <Averaging averaging>
MoleculeOp<Dim, averaging> AveragedMolecules<Dim>::prepare(const Mollifier& mollifier,
                                                           const ParticlesView<Dim>& particles,
                                                           const Neighbours<Dim>& neighbours) {
    if (!(mollifier == mollifier_)) {
        mollifier_ = mollifier;
        weight_ = Array<double>(backend_, mollifier.weight);
    }
    const TimeAverageView average{
        weight_.data(), static_cast<std::int32_t>(mollifier.weight.size()) - 1, mollifier.dt};
    const bool in_time = averaging == Averaging::in_time;
    const std::int64_t all = in_time
                                 ? static_cast<std::int64_t>(ids_.size()) * Dim * average.arrays()
                                 : numbers_,
                       most = in_time ? most_coordinates_ * average.arrays() : most_numbers_;
    if (backend_.is_cuda() && scratch_.size() < static_cast<std::size_t>(all))
        scratch_ = Array<double>(backend_, static_cast<std::size_t>(all));
    return {view(particles.box, neighbours), average, particles.position, scratch_.data(), most};
}

template <int Dim>
template <Averaging averaging>
void AveragedMolecules<Dim>::average_by(const Mollifier& mollifier,
                                        const ParticlesView<Dim>& particles,
                                        const Neighbours<Dim>& neighbours) {
    const AverageMolecules<Dim, averaging> op{prepare<averaging>(mollifier, particles, neighbours)};
    launch(backend_, op, op.threads());
}

template <int Dim>
template <Averaging averaging>
void AveragedMolecules<Dim>::transpose_by(const Mollifier& mollifier,
                                          const ParticlesView<Dim>& particles,
                                          const Neighbours<Dim>& neighbours,
                                          const VectorView<Dim, double>& force) {
    ParticlesView<Dim> before = particles;
    before.position = kept_view();
    const TransposeAverage<Dim, averaging> op{prepare<averaging>(mollifier, before, neighbours),
                                              force};
    launch(backend_, op, op.threads());
}

template <int Dim>
void AveragedMolecules<Dim>::average(const Mollifier& mollifier,
                                     const ParticlesView<Dim>& particles,
                                     const Neighbours<Dim>& neighbours) {
    launch(backend_, KeepPositions<Dim>{particles.position, kept_view()}, particles.size);
    if (mollifier.at_rest)
        average_by<Averaging::at_rest>(mollifier, particles, neighbours);
    else
        average_by<Averaging::in_time>(mollifier, particles, neighbours);
}

template <int Dim>
void AveragedMolecules<Dim>::transpose(const Mollifier& mollifier,
                                       const ParticlesView<Dim>& particles,
                                       const Neighbours<Dim>& neighbours,
                                       const VectorView<Dim, double>& force) {
    if (mollifier.at_rest)
        transpose_by<Averaging::at_rest>(mollifier, particles, neighbours, force);
    else
        transpose_by<Averaging::in_time>(mollifier, particles, neighbours, force);
}

template <int Dim>
void AveragedMolecules<Dim>::restore(const ParticlesView<Dim>& particles) {
    launch(backend_, RestorePositions<Dim>{particles.box, kept_view(), particles.position},
           particles.size);
}

template <int Dim>
std::size_t AveragedMolecules<Dim>::bytes() const {
    std::size_t sum = kinds_.bytes() + terms_.bytes() + constraints_.bytes() + rows_.bytes() +
                      inverse_mass_.bytes() + groups_.bytes() + ids_.bytes() + weight_.bytes() +
                      scratch_.bytes();
    for (const Array<double>& component : kept_) sum += component.bytes();
    return sum;
}

template class AveragedMolecules<1>;
template class AveragedMolecules<2>;
template class AveragedMolecules<3>;

} // namespace shadow
