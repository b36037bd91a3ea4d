// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/forces/registry.hpp"

#include "curves.hpp"
#include "data_coefficients.hpp"
#include "excluded_charges.hpp"
#include "force_tables.hpp"
#include "potential_visit.hpp"
#include "read_force.hpp"
#include "scaled_pairs.hpp"

#include "shadow/core/input_errors.hpp"
#include "shadow/core/log.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <string_view>

namespace shadow {
namespace {

/// Joins forces of which `can` says that one pass computes both.
template <class Can>
void fuse(std::vector<PairForceDescription>& all, const Can& can) {
    for (std::size_t a = 0; a < all.size(); ++a)
        for (std::size_t b = 0; b < all.size(); ++b) {
            if (a == b || !can(all[a], all[b])) continue;
            all[a] = fused(all[a], all[b]);
            all.erase(all.begin() + static_cast<std::ptrdiff_t>(b));
            return fuse(all, can);
        }
}

/// Of potentials, then of fields and of bonded ones, in the order of their lists.
std::vector<std::string> type_names() {
    std::vector<std::string> all;
    for (const Descriptor& force : forces()) all.push_back(force.name);
    return all;
}

/// Terms of one form and level are one force.
void join(BondedDescription force, std::vector<BondedDescription>& all) {
    for (BondedDescription& other : all)
        if (other.form == force.form && other.level == force.level) return other.append(force);
    all.push_back(std::move(force));
}

/// What excluded pairs have of pair forces: by the charges of all others, or scaled.
template <int Dim>
std::vector<BondedDescription> forces_of_excluded(const Parameters& root, const ForcePlan& plan,
                                                  const ForceContext<Dim>& context) {
    const auto& species = context.start.species;
    const std::size_t species_count = context.start.species_table.size();
    std::vector<BondedDescription> all;
    if (!context.topology) return all;
    for (const PairForceDescription& force : plan.descriptions) {
        if (auto terms = excluded_charges(force, species, species_count, plan.excluded))
            all.push_back(std::move(*terms));
        for (auto& terms : scaled_pairs(force, species, species_count, context.topology->scaled))
            all.push_back(std::move(terms));
    }
    for (const BondedDescription& terms : all)
        refuse_bad_start<Dim>(root, "force", terms, *context.topology, context.box, context.start);
    return all;
}

/// Periodic charges, with the cut-off of the pair forces before where they have none of their own.
template <int Dim>
ForceTable read_far(const Parameters& table, const std::string& type,
                    const std::vector<ForceTable>& before, const ForceContext<Dim>& context) {
    double cutoff = 0.0;
    for (const ForceTable& other : before)
        for (const PairForceDescription& term : other.terms)
            for (const PairParameters& p : term.potential.pairs)
                cutoff = std::max(cutoff, p.cutoff);
    LongRangeForce read =
        read_long_range(table, context.box, context.start, context.units.coulomb, cutoff);
    read.pairs.level = read_level(table, context.levels, context.levels.back());
    if (read.fourier)
        read.fourier->level = table.has("fourier_level")
                                  ? read_level(table, context.levels, "", "fourier_level")
                                  : read.pairs.level;
    ForceTable force{table, type};
    force.terms = {std::move(read.pairs)};
    force.fourier = std::move(read.fourier);
    refuse_twice(force, before);
    return force;
}

/// What steps may follow: as a pair force, of which nothing else is left.
std::vector<PairForceDescription>
read_step_sums(const Parameters& root, const ForceSurroundings& surroundings, InputErrors& errors) {
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
            for (PairForceDescription& sum : read_force(table, type, surroundings)) {
                sum.level = step_sum_level;
                all.push_back(std::move(sum));
            }
        });
    return all;
}

/// Forces from the data file of the start, one for each form.
template <int Dim>
void read_from_file(const Parameters& table, const ForceContext<Dim>& context,
                    std::vector<ForceTable>& all) {
    const Topology none;
    const Topology& topology = context.topology ? *context.topology : none;
    const ForceLevel level = read_level(table, context.levels, context.levels.back());
    std::vector<ForceTable> found;
    for (BondedDescription& terms :
         read_data_coefficients(table, topology, context.box, context.start)) {
        ForceTable& force = found.emplace_back(ForceTable{table, data_coefficients});
        force.bonded = std::move(terms);
        force.bonded->level = level;
        refuse_twice(force, all);
    }
    std::move(found.begin(), found.end(), std::back_inserter(all));
}

} // namespace

template <int Dim>
ForcePlan read_forces(const Parameters& root, const ForceContext<Dim>& context) {
    ForcePlan plan;
    plan.levels = context.levels;
    if (context.topology) plan.excluded = context.topology->excluded;
    const ForceSurroundings surroundings{Dim,
                                         context.start.species_table,
                                         context.units.coulomb,
                                         context.units.inertia,
                                         context.box.is_open(),
                                         context.box.is_periodic(),
                                         context.box.shortest_periodic_length(),
                                         context.levels,
                                         context.folder};
    InputErrors errors;
    std::vector<ForceTable> tables;
    std::vector<std::pair<Parameters, std::string>> far; // takes the cut-off of the others
    for (const Parameters& table : root.tables("force"))
        errors.attempt([&] {
            const auto types = type_names();
            ForceTable force{table, table.choice("type", types)};
            const auto at =
                static_cast<int>(std::find(types.begin(), types.end(), force.type) - types.begin());
            const int fields = Potentials::size;
            const int bonded = fields + static_cast<int>(field_infos().size());
            const int far_types = bonded + static_cast<int>(bonded_infos().size()) + 1;
            const auto level = [&] {
                return read_level(table, context.levels, context.levels.back());
            };
            const int curves = far_types + static_cast<int>(long_range_descriptors().size());
            if (force.of_file()) return read_from_file(table, context, tables);
            if (at >= far_types && at < curves) {
                far.emplace_back(table, force.type);
                return;
            }
            if (at >= curves)
                force.terms = read_force(
                    table, curve_traits()[static_cast<std::size_t>(at - curves)], surroundings);
            else if (at < fields)
                force.terms = read_force(table, potential_traits(at), surroundings);
            else if (at < bonded)
                force.field = read_field(table, at - fields, context.box, context.start);
            else
                force.bonded = read_bonded(table, at - bonded,
                                           context.topology ? *context.topology : Topology{},
                                           context.box, context.start);
            refuse_idle_pairs(force, context.topology);
            refuse_twice(force, tables);
            if (force.bonded) force.bonded->level = level();
            if (force.field) {
                force.field->level = level();
                force.field->modulation = read_modulation(table);
                tell_fall<Dim>(force, context.box);
            }
            tables.push_back(std::move(force));
        });
    for (const auto& later : far)
        errors.attempt(
            [&] { tables.push_back(read_far(later.first, later.second, tables, context)); });
    plan.step_sums = read_step_sums(root, surroundings, errors);
    errors.raise();
    for (ForceTable& force : tables) {
        std::move(force.terms.begin(), force.terms.end(), std::back_inserter(plan.descriptions));
        if (force.field) plan.fields.push_back(std::move(*force.field));
        if (force.bonded) join(std::move(*force.bonded), plan.bonded);
        if (force.fourier) plan.fourier = std::move(force.fourier);
    }
    if (context.topology) refuse_missing(root, *context.topology, plan.bonded);
    if (!plan.excluded.empty())
        for (const ForceTable& force : tables) refuse_beside_excluded(force);
    fuse(plan.descriptions, can_fuse); // these first: their kernels are compiled
    fuse(plan.descriptions, can_share_table);
    for (BondedDescription& terms : forces_of_excluded(root, plan, context))
        plan.bonded.push_back(std::move(terms));
    return plan;
}

template <int Dim>
std::vector<std::unique_ptr<ForceTerm<Dim>>>
make_forces(const ForcePlan& plan, const ForceContext<Dim>& context, Neighbours<Dim>& neighbours) {
    std::vector<std::int64_t> counts(context.start.species_table.size(), 0);
    for (const std::uint16_t s : context.start.species) ++counts[s];
    std::vector<std::unique_ptr<ForceTerm<Dim>>> terms;
    std::map<double, int> lists; // terms with the same cut-off share one
    const auto list_of = [&](const PairForceDescription& d) {
        const double reach = make_pair_table(d).cutoff;
        const auto known = lists.find(reach);
        const int list = known != lists.end() ? known->second : neighbours.add_list(reach);
        return lists[reach] = list;
    };
    for (const PairForceDescription& d : plan.descriptions) {
        TailCorrection tail = tail_correction(d.potential, Dim, counts, context.box.volume());
        if (d.electrostatic) {
            const TailCorrection more =
                tail_correction(*d.electrostatic, Dim, counts, context.box.volume());
            tail = {tail.energy + more.energy, tail.virial + more.virial};
        }
        terms.push_back(std::make_unique<PairForce<Dim>>(context.backend, d, context.pair_is_double,
                                                         list_of(d), tail));
    }
    for (const PairForceDescription& d : plan.step_sums)
        terms.push_back(std::make_unique<PairForce<Dim>>(context.backend, d, context.pair_is_double,
                                                         list_of(d), TailCorrection{}));
    if (!plan.excluded.empty()) neighbours.exclude(plan.excluded);
    const auto particles = static_cast<std::int64_t>(context.start.size());
    for (const BondedDescription& force : plan.bonded)
        terms.push_back(
            std::make_unique<BondedForce<Dim>>(context.backend, force, particles, neighbours));
    if (plan.fourier)
        terms.push_back(make_long_range<Dim>(context.backend, *plan.fourier, context.box,
                                             context.start, context.pair_is_double));
    for (const FieldDescription& field : plan.fields)
        terms.push_back(std::make_unique<FieldForce<Dim>>(context.backend, field));
    return terms;
}

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template ForcePlan read_forces(const Parameters&, const ForceContext<Dim>&);                   \
    template std::vector<std::unique_ptr<ForceTerm<Dim>>> make_forces(                             \
        const ForcePlan&, const ForceContext<Dim>&, Neighbours<Dim>&);
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow
