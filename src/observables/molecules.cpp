// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/molecules.hpp"

#include "histogram_rows.hpp"

#include "shadow/system/units.hpp"

#include "kernels/launch.hpp"
#include "kernels/ops/entries.hpp"
#include "kernels/ops/histograms.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>

namespace shadow {
namespace {

/// index[id]: where particles are in memory now.
template <int Dim, class Real>
const std::int32_t* invert_ids(ParticleSystem<Dim, Real>& system, Array<std::int32_t>& index) {
    const auto n = static_cast<std::size_t>(system.size());
    if (index.size() == 0) index = Array<std::int32_t>(system.backend(), n);
    launch(system.backend(), InvertIds{system.particles().id, index.data()}, system.size());
    return index.data();
}

struct KindWords {
    const char* name;
    const char* axis;
    const char* unit;
};

KindWords words_of(BondedKind kind) {
    switch (kind) {
    case BondedKind::bond:
        return {"bond_length_distribution", "r", "length"};
    case BondedKind::angle:
        return {"angle_distribution", "theta", "degree"};
    case BondedKind::dihedral:
        return {"dihedral_distribution", "phi", "degree"};
    case BondedKind::improper:
        break;
    }
    return {"improper_distribution", "phi", "degree"};
}

/// Of arrays of a file: what a name may not have becomes "_", and no two are the same.
std::string array_name(std::string type, const std::vector<Population>& before) {
    for (char& c : type)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-') c = '_';
    const auto is_same = [&](const Population& other) { return other.name == type; };
    while (std::any_of(before.begin(), before.end(), is_same)) type += "_";
    return type;
}

} // namespace

template <int Dim, class Real>
MoleculeArrays<Dim, Real>::MoleculeArrays(const Box<Dim>& box,
                                          std::vector<ConnectedMolecule<Dim>> molecules)
    : box_(box.view()), molecules_(std::move(molecules)) {}

template <int Dim, class Real>
MoleculesView<Dim, Real> MoleculeArrays<Dim, Real>::view(ParticleSystem<Dim, Real>& system) {
    if (begin_.size() == 0) {
        std::vector<std::int32_t> begin = {0}, turns;
        std::vector<std::uint32_t> atoms;
        for (const ConnectedMolecule<Dim>& molecule : molecules_) {
            atoms.insert(atoms.end(), molecule.atoms.begin(), molecule.atoms.end());
            for (const auto& turn : molecule.turns)
                turns.insert(turns.end(), turn.begin(), turn.end());
            begin.push_back(static_cast<std::int32_t>(atoms.size()));
        }
        begin_ = Array<std::int32_t>(system.backend(), begin);
        turns_ = Array<std::int32_t>(system.backend(), turns);
        atom_ = Array<std::uint32_t>(system.backend(), atoms);
    }
    return {system.particles(), box_,         invert_ids(system, index_),
            begin_.data(),      atom_.data(), turns_.data()};
}

template <int Dim, class Real>
ParticlesView<Dim, Real> MoleculeArrays<Dim, Real>::centres(ParticleSystem<Dim, Real>& system) {
    const Backend& backend = system.backend();
    const auto n = molecules_.size();
    if (centre_.size() == 0) {
        std::vector<std::uint32_t> numbers(n);
        std::iota(numbers.begin(), numbers.end(), 0U);
        number_ = Array<std::uint32_t>(backend, numbers);
        no_image_ = Array<std::int32_t>(backend, std::vector<std::int32_t>(n, 0));
        one_species_ = Array<std::uint16_t>(backend, std::vector<std::uint16_t>(n, 0));
        centre_ = Array<Real>(backend, n * Dim);
    }
    ParticlesView<Dim, Real> all{};
    all.size = size();
    all.id = number_.data();
    all.species = one_species_.data();
    for (int d = 0; d < Dim; ++d) {
        all.position.component[d] = centre_.data() + static_cast<std::size_t>(d) * n;
        all.image.component[d] = no_image_.data();
    }
    launch(backend, LocateMolecules<Dim, Real>{view(system), all.position}, size());
    return all;
}

template <int Dim, class Real>
MoleculeSize<Dim, Real>::MoleculeSize(const Box<Dim>& box,
                                      std::vector<ConnectedMolecule<Dim>> molecules)
    : chains_(std::all_of(molecules.begin(), molecules.end(),
                          [](const auto& molecule) { return molecule.is_chain; })),
      molecules_(box, std::move(molecules)) {}

template <int Dim, class Real>
std::vector<Quantity> MoleculeSize<Dim, Real>::quantities() const {
    std::vector<Quantity> all = {{"radius_of_gyration", "length"},
                                 {"radius_of_gyration_squared", "length^2"}};
    if (chains_) {
        all.push_back({"end_to_end_distance", "length"});
        all.push_back({"end_to_end_distance_squared", "length^2"});
    }
    return all;
}

template <int Dim, class Real>
void MoleculeSize<Dim, Real>::enqueue(ParticleSystem<Dim, Real>& system, double* row) {
    reduce(system.backend(),
           MeasureMolecules<Dim, Real>{molecules_.view(system),
                                       1.0 / static_cast<double>(molecules_.size())},
           molecules_.size(), reinterpret_cast<MoleculeSizes*>(row));
}

template <int Dim, class Real>
std::vector<Quantity> MolecularPressure<Dim, Real>::quantities() const {
    std::vector<Quantity> all = tensor_quantities<Dim>("molecular_pressure");
    all.insert(all.begin(), {"molecular_pressure", pressure_dimension(Dim)});
    return all;
}

template <int Dim, class Real>
void MolecularPressure<Dim, Real>::enqueue(ParticleSystem<Dim, Real>& system, double* row) {
    const Backend& backend = system.backend();
    if (inside_.size() == 0) {
        inside_ = Array<InsideSums<Dim>>(backend, 1);
        tensor_ = Array<double>(backend, PressureTensor<Dim, Real>::width);
    }
    atoms_.enqueue(system, tensor_.data());
    reduce(backend, MeasureInside<Dim, Real>{molecules_.view(system), system.force()},
           molecules_.size(), inside_.data());
    launch(backend,
           FinishMolecularPressure<Dim>{
               tensor_.data(), inside_.data(), {system.scalars()}, atoms_.scale().volume, row},
           1);
}

template <int Dim, class Real>
TermDistribution<Dim, Real>::TermDistribution(const Box<Dim>& box, const Topology& topology,
                                              BondedKind kind, double low, double high, int bins)
    : AveragingObservable<Dim, Real>({{}, "", {}}), box_(box.view()), kind_(kind),
      bins_(equal_bins(low, high, bins)), closed_(kind != BondedKind::bond && high == 180.0) {
    for (const BondedGroup& group : topology.groups) {
        if (group.kind != kind) continue;
        type_.insert(type_.end(), group.size(), static_cast<std::int32_t>(types_.size()));
        members_.insert(members_.end(), group.members.begin(), group.members.end());
        types_.push_back({array_name(group.type, types_), static_cast<std::int64_t>(group.size())});
    }
    const KindWords words = words_of(kind);
    this->average_ =
        AveragedArrays(names_by_species(words.name, types_), std::string("1/") + words.unit,
                       {middles(words.axis, words.unit, low, high, bins)});
}

template <int Dim, class Real>
void TermDistribution<Dim, Real>::enqueue(ParticleSystem<Dim, Real>& system, double* row) {
    const Backend& backend = system.backend();
    if (histogram_.size() == 0) {
        histogram_ = Array<std::int64_t>(backend, width());
        member_ = Array<std::uint32_t>(backend, members_);
        backend_type_ = Array<std::int32_t>(backend, type_);
    }
    CountTerms<Dim, Real> count{system.particles(),
                                box_,
                                {},
                                invert_ids(system, index_),
                                member_.data(),
                                backend_type_.data(),
                                kind_,
                                bins_,
                                closed_,
                                histogram_.data()};
    for (int d = 0; d < Dim; ++d)
        if (box_.periodic[d]) count.inverse_length[d] = 1.0 / box_.length[d];
    launch(backend, count, static_cast<std::int64_t>(type_.size()));
    launch(backend, TakeCounts{histogram_.data(), row}, static_cast<std::int64_t>(width()));
}

template <int Dim, class Real>
void TermDistribution<Dim, Real>::accumulate(double /*time*/, std::span<const double> row) {
    this->average_.add(scaled(row, types_.size(), densities(types_, 1, bins_)));
}

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template class MoleculeArrays<Dim, double>;                                                    \
    template class MoleculeSize<Dim, double>;                                                      \
    template class MolecularPressure<Dim, double>;                                                 \
    template class TermDistribution<Dim, double>;
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow
