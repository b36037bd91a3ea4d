// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/molecules.hpp"

#include "keys.hpp"

#include "shadow/system/units.hpp"

#include "kernels/launch.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <set>

namespace shadow {

template <int Dim>
MoleculesView<Dim> MoleculeArrays<Dim>::view(ParticleSystem<Dim>& system) {
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
    return {system.particles(), system.index_of_id(), begin_.data(), atom_.data(), turns_.data()};
}

template <int Dim>
ParticlesView<Dim> MoleculeArrays<Dim>::centres(ParticleSystem<Dim>& system) {
    const Backend& backend = system.backend();
    const auto n = molecules_.size();
    if (centre_.size() == 0) {
        std::vector<std::uint32_t> numbers(n);
        std::iota(numbers.begin(), numbers.end(), 0U);
        number_ = Array<std::uint32_t>(backend, numbers);
        no_image_ = Array<std::int32_t>(backend, std::vector<std::int32_t>(n, 0));
        one_species_ = Array<std::uint16_t>(backend, std::vector<std::uint16_t>(n, 0));
        centre_ = Array<double>(backend, n * Dim);
    }
    ParticlesView<Dim> all{};
    all.box = system.particles().box;
    all.size = size();
    all.id = number_.data();
    all.species = one_species_.data();
    for (int d = 0; d < Dim; ++d) {
        all.position.component[d] = centre_.data() + static_cast<std::size_t>(d) * n;
        all.image.component[d] = no_image_.data();
    }
    launch(backend, LocateMolecules<Dim>{view(system), all.position}, size());
    return all;
}

template <int Dim>
MoleculeSize<Dim>::MoleculeSize(std::vector<ConnectedMolecule<Dim>> molecules)
    : chains_(std::all_of(molecules.begin(), molecules.end(),
                          [](const auto& molecule) { return molecule.is_chain; })),
      molecules_(std::move(molecules)) {}

template <int Dim>
std::vector<Quantity> MoleculeSize<Dim>::quantities() const {
    std::vector<Quantity> all = {{"radius_of_gyration", "length"},
                                 {"radius_of_gyration_squared", "length^2"}};
    if (chains_) {
        all.push_back({"end_to_end_distance", "length"});
        all.push_back({"end_to_end_distance_squared", "length^2"});
    }
    return all;
}

template <int Dim>
void MoleculeSize<Dim>::enqueue(ParticleSystem<Dim>& system, double* row) {
    reduce(system.backend(),
           MeasureMolecules<Dim>{molecules_.view(system),
                                 1.0 / static_cast<double>(molecules_.size())},
           molecules_.size(), reinterpret_cast<MoleculeSizes*>(row));
}

template <int Dim>
std::vector<Quantity> MolecularPressure<Dim>::quantities() const {
    std::vector<Quantity> all = tensor_quantities<Dim>("molecular_pressure");
    all.insert(all.begin(), {"molecular_pressure", pressure_dimension(Dim)});
    return all;
}

template <int Dim>
void MolecularPressure<Dim>::enqueue(ParticleSystem<Dim>& system, double* row) {
    const Backend& backend = system.backend();
    if (inside_.size() == 0) {
        inside_ = Array<InsideSums<Dim>>(backend, 1);
        tensor_ = Array<double>(backend, PressureTensor<Dim>::width);
    }
    atoms_.enqueue(system, tensor_.data());
    reduce(backend, MeasureInside<Dim>{molecules_.view(system), system.force()}, molecules_.size(),
           inside_.data());
    launch(
        backend,
        FinishMolecularPressure<Dim>{tensor_.data(), inside_.data(), system.particles().box, row},
        1);
}

namespace {

template <int Dim>
std::vector<ConnectedMolecule<Dim>> all_molecules(const ObservableInput<Dim>& in) {
    std::vector<ConnectedMolecule<Dim>> all;
    if (in.context.topology && in.context.start)
        all = connected_molecules(*in.context.topology, in.context.box, *in.context.start);
    if (all.empty())
        in.fail("type", fmt::format("{} of molecules where nothing is bonded (molecules are "
                                    "what bonds connect); give bonds in a [[molecule]], or "
                                    "remove it",
                                    in.text("type")));
    return all;
}

/// Positions in such a molecule relative to its centre of mass depend on the starting atom.
template <int Dim>
void refuse_endless(const ObservableInput<Dim>& in) {
    const auto molecules =
        connected_molecules(*in.context.topology, in.context.box, *in.context.start);
    const auto pair =
        endless_bond(molecules, *in.context.topology, in.context.box, *in.context.start);
    if (pair)
        in.fail("type", fmt::format("{} of a molecule that goes around the periodic box and "
                                    "comes back to itself (where {} and {} are bonded; it has "
                                    "no end, and so no place for its centre of mass); "
                                    "remove it",
                                    in.text("type"), in.context.topology->called((*pair)[0]),
                                    in.context.topology->called((*pair)[1])));
}

} // namespace

template <int Dim>
std::vector<ConnectedMolecule<Dim>> followed_molecules(const ObservableInput<Dim>& in) {
    const std::string type = in.text("type");
    std::vector<ConnectedMolecule<Dim>> all = all_molecules(in);
    std::set<std::size_t> sizes;
    for (const auto& molecule : all) sizes.insert(molecule.atoms.size());
    if (!in.has("atoms")) {
        if (sizes.size() > 1)
            in.fail("atoms",
                    fmt::format("{} of molecules of {} to {} atoms (their mean would be of "
                                "different molecules); say by `atoms` of how many they are",
                                type, *sizes.begin(), *sizes.rbegin()));
        return all;
    }
    const std::int64_t atoms = in.integer("atoms");
    std::erase_if(all, [&](const auto& molecule) {
        return static_cast<std::int64_t>(molecule.atoms.size()) != atoms;
    });
    if (all.empty())
        in.fail("atoms", fmt::format("molecules of {} atom{} (bonds connect none so large; "
                                     "there are some of {}); give such a number",
                                     atoms, atoms == 1 ? "" : "s", *sizes.begin()));
    return all;
}

namespace {

template <int Dim>
Made<Dim> make_molecule_size(const ObservableInput<Dim>& in) {
    auto molecules = followed_molecules(in);
    refuse_endless(in);
    return std::make_unique<MoleculeSize<Dim>>(std::move(molecules));
}

template <int Dim>
Made<Dim> make_molecular_pressure(const ObservableInput<Dim>& in) {
    auto molecules = all_molecules(in);
    const FluxScale<Dim> scale = read_flux_scale(in, "a molecular pressure");
    const std::string field = in.context.forces.template name_without_virial<Dim>();
    if (!field.empty())
        in.fail("type", fmt::format("molecular-pressure with {} (fields have no part in a "
                                    "pressure, and the force of one on an atom would be taken "
                                    "for one of its molecule); observe thermo, or remove one",
                                    field));
    refuse_endless(in);
    return std::make_unique<MolecularPressure<Dim>>(std::move(molecules), scale);
}

} // namespace

ObservableEntry molecule_size_entry() {
    return {{"molecule-size",
             "Radius of gyration of molecules and, where all of them are unbranched chains, the "
             "distance between their ends: means over molecules, also of the squares",
             "R_g^2 = sum m |x - c|^2 / sum m, c the centre of mass; R = x_last - x_first; "
             "positions are unwrapped such that molecules are whole",
             "Doi and Edwards 1986, The Theory of Polymer Dynamics, section 2.2",
             {every_key(), atoms_key()}},
            SHADOW_EACH_DIMENSION(make_molecule_size)};
}

ObservableEntry molecular_pressure_entry() {
    return {
        {"molecular-pressure",
         "Molecular pressure and its tensor, from the motion of centres of mass and the forces "
         "between molecules; in equilibrium the means equal those of the atomic `pressure` and "
         "`stress`",
         "P_ab = (sum M V_a V_b + W_ab - sum (r - c)_a f_b) / V, symmetric, W the virial of atoms, "
         "c the centre of mass of the molecule that r is in; P is a third of its trace, half in 2D",
         "Ciccotti and Ryckaert 1986; Allen and Tildesley 2017, section 2.4",
         {every_key()}},
        SHADOW_EACH_DIMENSION(make_molecular_pressure)};
}

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template std::vector<ConnectedMolecule<Dim>> followed_molecules(const ObservableInput<Dim>&);
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE
SHADOW_INSTANTIATE_EACH_DIMENSION(MoleculeArrays)
SHADOW_INSTANTIATE_EACH_DIMENSION(MoleculeSize)
SHADOW_INSTANTIATE_EACH_DIMENSION(MolecularPressure)

} // namespace shadow
