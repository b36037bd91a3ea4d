// SPDX-License-Identifier: BSD-3-Clause
#include "curves.hpp"
#include "force_input.hpp"
#include "force_tables.hpp"

#include "shadow/core/input_errors.hpp"

#include "kernels/potentials/list.hpp"

#include <fmt/format.h>
#include <string_view>

/// Readers of pair forces, of [[force]] and of [[step_sum]].
namespace shadow {
namespace {

template <int Dim>
ForceSurroundings surroundings_of(const ForceContext<Dim>& context) {
    return {Dim,
            context.start.species_table,
            context.units.coulomb,
            context.units.inertia,
            context.box.is_open(),
            context.box.is_periodic(),
            context.box.shortest_periodic_length(),
            context.levels,
            context.folder};
}

/// Throws for parameters of scaled pairs if there are none, and for gravity with exclusions: masses
/// attract each other, bonded or not.
void refuse_topology(const Parameters& table, const PotentialTraits& traits,
                     const PairPotential& potential, const Topology& topology) {
    if (!potential.pairs_14.empty() && topology.scaled.empty())
        table.fail("pairs_14", "pairs_14 where no pairs are scaled (they are of atoms three bonds "
                               "apart, which scale_14 lets interact); give scale_14, or remove "
                               "pairs_14");
    if (traits.info->strength == PairStrength::masses && !topology.excluded.empty())
        table.fail("type", "gravity together with excluded pairs (masses attract each other, "
                           "bonded or not); set exclude = 0 in the molecules");
}

template <int Dim>
std::vector<ForceDescription> read_pairs(const ForceInput<Dim>& in, const PotentialTraits& traits) {
    const auto terms = read_force(in.table, traits, surroundings_of(in.context));
    refuse_topology(in.table, traits, terms.front().potential, in.topology());
    if (terms.front().acts_on_charges()) refuse_other_charges(in.table, in.before);
    return {terms.begin(), terms.end()};
}

} // namespace

template <int Dim>
std::vector<ForceDescription> read_potential(const ForceInput<Dim>& in) {
    return read_pairs(in, potential_traits(static_cast<int>(in.type)));
}

template <int Dim>
std::vector<ForceDescription> read_curve(const ForceInput<Dim>& in) {
    return read_pairs(in, curve_traits()[in.type]);
}

template <int Dim>
std::vector<PairForceDescription>
read_step_sums(const Parameters& root, const ForceContext<Dim>& context, InputErrors& errors) {
    std::vector<std::string> types;
    std::vector<PotentialTraits> traits;
    for (int k = 0; k < Potentials::size; ++k) traits.push_back(potential_traits(k));
    for (const PotentialTraits& curve : curve_traits()) traits.push_back(curve);
    for (const PotentialTraits& known : traits) types.emplace_back(known.info->name);
    std::vector<PairForceDescription> all;
    for (const Parameters& table : root.tables("step_sum"))
        errors.attempt([&] {
            const auto at = std::find(types.begin(), types.end(), table.choice("type", types));
            const PotentialTraits& type = traits[static_cast<std::size_t>(at - types.begin())];
            for (const char* key : {"level", "split", "tail", "pairs_14"}) {
                const bool known = std::string_view(key) != "pairs_14" || has_pairs_14(type);
                if (known && table.has(key))
                    table.fail(key, fmt::format("{} of a step_sum (it is no force, and belongs to "
                                                "pairs as they are); remove it",
                                                key));
            }
            for (PairForceDescription& sum : read_force(table, type, surroundings_of(context))) {
                sum.level = step_sum_level;
                all.push_back(std::move(sum));
            }
        });
    return all;
}

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template std::vector<ForceDescription> read_potential(const ForceInput<Dim>&);                 \
    template std::vector<ForceDescription> read_curve(const ForceInput<Dim>&);                     \
    template std::vector<PairForceDescription> read_step_sums(                                     \
        const Parameters&, const ForceContext<Dim>&, InputErrors&);
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow
