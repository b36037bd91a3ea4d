// SPDX-License-Identifier: BSD-3-Clause
#include "make_averaged.hpp"

#include "shadow/observables/molecules.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace shadow {

namespace {

template <int Dim>
std::vector<ConnectedMolecule<Dim>> all_molecules(const Parameters& params,
                                                  const ObservableContext<Dim>& context) {
    std::vector<ConnectedMolecule<Dim>> all;
    if (context.topology && context.start)
        all = connected_molecules(*context.topology, context.box, *context.start);
    if (all.empty())
        params.fail("type", fmt::format("{} of molecules where nothing is bonded (molecules are "
                                        "what bonds connect); give bonds in a [[molecule]], or "
                                        "remove it",
                                        params.text("type")));
    return all;
}

/// Their places relative to the centre of mass depend on where one starts.
template <int Dim>
void refuse_endless(const Parameters& params, const ObservableContext<Dim>& context) {
    const auto molecules = connected_molecules(*context.topology, context.box, *context.start);
    const auto pair = endless_bond(molecules, *context.topology, context.box, *context.start);
    if (pair)
        params.fail("type", fmt::format("{} of a molecule that goes around the periodic box and "
                                        "comes back to itself (where {} and {} are bonded; it has "
                                        "no end, and so no place for its centre of mass); "
                                        "remove it",
                                        params.text("type"), context.topology->called((*pair)[0]),
                                        context.topology->called((*pair)[1])));
}

} // namespace

template <int Dim>
std::vector<ConnectedMolecule<Dim>> followed_molecules(const Parameters& params,
                                                       const ObservableContext<Dim>& context) {
    const std::string type = params.text("type");
    std::vector<ConnectedMolecule<Dim>> all = all_molecules(params, context);
    std::set<std::size_t> sizes;
    for (const auto& molecule : all) sizes.insert(molecule.atoms.size());
    if (!params.has("atoms")) {
        if (sizes.size() > 1)
            params.fail("atoms",
                        fmt::format("{} of molecules of {} to {} atoms (their mean would be of "
                                    "different molecules); say by `atoms` of how many they are",
                                    type, *sizes.begin(), *sizes.rbegin()));
        return all;
    }
    const std::int64_t atoms = params.integer("atoms");
    std::erase_if(all, [&](const auto& molecule) {
        return static_cast<std::int64_t>(molecule.atoms.size()) != atoms;
    });
    if (all.empty())
        params.fail("atoms", fmt::format("molecules of {} atom{} (bonds connect none so large; "
                                         "there are some of {}); give such a number",
                                         atoms, atoms == 1 ? "" : "s", *sizes.begin()));
    return all;
}

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_molecule_size(const Parameters& params,
                                                          const ObservableContext<Dim>& context) {
    auto molecules = followed_molecules(params, context);
    refuse_endless(params, context);
    return std::make_unique<MoleculeSize<Dim, Real>>(context.box, std::move(molecules));
}

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>>
make_molecular_pressure(const Parameters& params, const ObservableContext<Dim>& context) {
    auto molecules = all_molecules(params, context);
    const FluxScale<Dim> scale = read_flux_scale(params, context, "a molecular pressure");
    if (!context.forces.fields.empty())
        params.fail("type", fmt::format("molecular-pressure with {} (fields have no part in a "
                                        "pressure, and the force of one on an atom would be taken "
                                        "for one of its molecule); observe thermo, or remove one",
                                        context.forces.fields.front().info->name));
    refuse_endless(params, context);
    return std::make_unique<MolecularPressure<Dim, Real>>(context.box, std::move(molecules), scale);
}

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>>
make_bonded_distribution(const Parameters& params, const ObservableContext<Dim>& context) {
    const std::vector<std::string> kinds = {"bonds", "angles", "dihedrals", "impropers"};
    const std::string of = params.choice("of", kinds, "bonds");
    const auto at = std::find(kinds.begin(), kinds.end(), of) - kinds.begin();
    const BondedKind kind = bonded_kinds[static_cast<std::size_t>(at)];
    const bool any = context.topology &&
                     std::any_of(context.topology->groups.begin(), context.topology->groups.end(),
                                 [&](const BondedGroup& group) { return group.kind == kind; });
    if (!any)
        params.fail("of", fmt::format("bonded-distribution of {} where there are none (molecules "
                                      "have them); give some in a [[molecule]], or remove it",
                                      of));
    const bool bonds = kind == BondedKind::bond;
    std::vector<double> range = {kind == BondedKind::angle ? 0.0 : -180.0, 180.0};
    if (bonds && !params.has("range"))
        params.fail("range", "bonded-distribution of bonds without a range (they may have any "
                             "length); give range = [shortest, longest]");
    range = params.numbers("range", range);
    if (range.size() != 2 || !(range[0] < range[1]) || (bonds && range[0] < 0.0))
        params.fail("range", "a range that is not two ascending numbers, of lengths not below zero "
                             "(bins are between them); give [lowest, highest]");
    return std::make_unique<TermDistribution<Dim, Real>>(
        context.box, *context.topology, kind, range[0], range[1],
        read_bins(params, "bins", params.integer("bins", 100)));
}

#define SHADOW_INSTANTIATE(Dim, Real)                                                              \
    template std::vector<ConnectedMolecule<Dim>> followed_molecules(                               \
        const Parameters&, const ObservableContext<Dim>&);                                         \
    template std::unique_ptr<Observable<Dim, Real>> make_molecule_size(                            \
        const Parameters&, const ObservableContext<Dim>&);                                         \
    template std::unique_ptr<Observable<Dim, Real>> make_molecular_pressure(                       \
        const Parameters&, const ObservableContext<Dim>&);                                         \
    template std::unique_ptr<Observable<Dim, Real>> make_bonded_distribution(                      \
        const Parameters&, const ObservableContext<Dim>&);
SHADOW_INSTANTIATE(1, double)
SHADOW_INSTANTIATE(2, double)
SHADOW_INSTANTIATE(3, double)

} // namespace shadow
