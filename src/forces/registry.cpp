// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/forces/registry.hpp"

#include "curves.hpp"
#include "data_coefficients.hpp"
#include "excluded_charges.hpp"
#include "potential_visit.hpp"
#include "read_force.hpp"
#include "scaled_pairs.hpp"

#include "shadow/core/input_errors.hpp"
#include "shadow/core/log.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <optional>

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

bool same(const PairPotential& a, const PairPotential& b) {
    const auto same_pair = [](const PairParameters& x, const PairParameters& y) {
        const bool curve =
            (!x.curve && !y.curve) || (x.curve && y.curve && x.curve->source == y.curve->source);
        return curve && x.numbers == y.numbers && x.cutoff == y.cutoff && x.inner == y.inner;
    };
    return a.potential == b.potential && a.truncation == b.truncation && a.part == b.part &&
           a.split.inner == b.split.inner && a.split.outer == b.split.outer && a.tail == b.tail &&
           std::equal(a.pairs.begin(), a.pairs.end(), b.pairs.begin(), b.pairs.end(), same_pair) &&
           std::equal(a.pairs_14.begin(), a.pairs_14.end(), b.pairs_14.begin(), b.pairs_14.end(),
                      same_pair);
}

bool same(const FieldDescription& a, const FieldDescription& b) {
    return a.field == b.field && a.numbers == b.numbers && a.weight == b.weight &&
           a.modulation == b.modulation;
}

bool same(const BondedDescription& a, const BondedDescription& b) {
    return a.form == b.form && a.types == b.types && a.rows == b.rows;
}

/// One [[force]] and what it became: terms of a pair force, a field, or bonded terms.
struct ForceTable {
    Parameters table;
    std::string type;
    std::vector<PairForceDescription> terms = {};
    std::optional<FieldDescription> field = {};
    std::optional<BondedDescription> bonded = {};
    std::optional<LongRangeDescription> fourier = {};

    [[nodiscard]] bool of_file() const { return type == data_coefficients; }
};

/// Is it the same force?
bool same(const ForceTable& a, const ForceTable& b) {
    if (a.field || b.field) return a.field && b.field && same(*a.field, *b.field);
    if (a.bonded || b.bonded) return a.bonded && b.bonded && same(*a.bonded, *b.bonded);
    return same(a.terms.front().potential, b.terms.front().potential);
}

/// Of potentials, then of fields and of bonded ones, in the order of their lists.
std::vector<std::string> type_names() {
    std::vector<std::string> all;
    for (const Descriptor& force : forces()) all.push_back(force.name);
    return all;
}

/// A field along a periodic direction has no equilibrium.
template <int Dim>
void tell_fall(const ForceTable& force, const Box<Dim>& box) {
    const std::vector<double> strength = force.field->gradient<Dim>();
    for (std::size_t d = 0; d < Dim; ++d)
        if (force.field->info->uniform && box.periodic()[d] &&
            strength[d] * force.field->total_weight != 0.0)
            log::warning(fmt::format(
                "{}: {} along {}, which is periodic (all particles fall for ever: temperature, "
                "pressure and diffusion count the fall as heat, however long the run); put walls "
                "across an open direction where it is to be gravity",
                force.table.where("type"), force.type, "xyz"[d]));
}

/// A kind of terms has all of its forces from the file of the start, or none.
void refuse_beside_file(const ForceTable& force, const ForceTable& other) {
    if (!force.bonded || !other.bonded || !(force.of_file() || other.of_file())) return;
    if (force.bonded->info->kind != other.bonded->info->kind) return;
    const std::string kind = name(force.bonded->info->kind);
    force.table.fail("type", fmt::format("{} beside {} (both are of {}s, whose forces would add "
                                         "up); leave {}s out of `of` of {}, or remove one",
                                         force.type, other.type, kind, kind, data_coefficients));
}

/// Dihedrals may be a Fourier series; two springs on a bond are a mistake.
void refuse_shared_terms(const ForceTable& force, const ForceTable& other) {
    if (!force.bonded || !other.bonded || force.bonded->form != other.bonded->form) return;
    if (force.bonded->info->kind == BondedKind::dihedral) return;
    for (const std::string& type : force.bonded->types)
        if (std::count(other.bonded->types.begin(), other.bonded->types.end(), type) > 0)
            force.table.fail(force.table.has("of") ? "of" : "type",
                             fmt::format("a second {} on {}s of type \"{}\" (forces add up); say "
                                         "by `of` which it is for, or remove one",
                                         force.type, name(force.bonded->info->kind), type));
}

/// Forces add up. One that stands there twice may be meant; charges act in every electrostatic
/// force, whatever its level, so that two of them are never one energy in two parts.
void refuse_twice(const ForceTable& force, const std::vector<ForceTable>& before) {
    const auto charged = [](const ForceTable& f) {
        return !f.terms.empty() && f.terms.front().potential.charged;
    };
    for (std::size_t k = 0; k < before.size(); ++k) {
        if (charged(force) && charged(before[k]))
            force.table.fail("type", fmt::format("{} beside {} (all charges act in each of them, "
                                                 "so they would count twice); keep one",
                                                 force.type, before[k].type));
        refuse_beside_file(force, before[k]);
        refuse_shared_terms(force, before[k]);
        if (!same(force, before[k])) continue;
        log::warning(fmt::format("{}: force {} ({}) is the same as force {} (forces add up, so it "
                                 "acts twice); remove one where that is not meant",
                                 force.table.where(), before.size() + 1, force.type, k + 1));
        return;
    }
}

/// Parameters of scaled pairs, where there are none.
void refuse_idle_pairs(const ForceTable& force, const Topology* topology) {
    if (force.terms.empty() || force.terms.front().potential.pairs_14.empty()) return;
    if (!topology || topology->scaled.empty())
        force.table.fail("pairs_14", "pairs_14 where no pairs are scaled (they are of atoms three "
                                     "bonds apart, which scale_14 lets interact); give scale_14, "
                                     "or remove pairs_14");
}

/// Terms of one form and level are one force.
void join(BondedDescription force, std::vector<BondedDescription>& all) {
    for (BondedDescription& other : all)
        if (other.form == force.form && other.level == force.level) return other.append(force);
    all.push_back(std::move(force));
}

/// Each bond has a force.
void refuse_missing(const Parameters& root, const Topology& topology,
                    const std::vector<BondedDescription>& forces) {
    for (const BondedGroup& group : topology.groups) {
        const auto acts = [&](const auto& force) { return force.acts_on(group); };
        if (std::none_of(forces.begin(), forces.end(), acts))
            root.fail("force", fmt::format("{0}s of type \"{1}\" without a force (nothing would "
                                           "hold them); add a [[force]] for {0}s, or remove them "
                                           "from the molecule",
                                           name(group.kind), group.type));
    }
}

/// Excluded pairs are left out of pair forces; where that makes no sense.
void refuse_beside_excluded(const ForceTable& force) {
    if (force.type == "gravity")
        force.table.fail("type", "gravity beside excluded pairs (masses attract each other, bonded "
                                 "or not); set exclude = 0 in the molecules");
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
                if (force.field->modulation.is_constant()) tell_fall<Dim>(force, context.box);
            }
            tables.push_back(std::move(force));
        });
    for (const auto& later : far)
        errors.attempt(
            [&] { tables.push_back(read_far(later.first, later.second, tables, context)); });
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

template <int Dim, class Real>
std::vector<std::unique_ptr<ForceTerm<Dim, Real>>> make_forces(const ForcePlan& plan,
                                                               const ForceContext<Dim>& context,
                                                               Neighbours<Dim, Real>& neighbours) {
    std::vector<std::int64_t> counts(context.start.species_table.size(), 0);
    for (const std::uint16_t s : context.start.species) ++counts[s];
    std::vector<std::unique_ptr<ForceTerm<Dim, Real>>> terms;
    std::map<double, int> lists; // terms with the same cut-off share one
    for (const PairForceDescription& d : plan.descriptions) {
        const double reach = make_pair_table(d).cutoff;
        const auto known = lists.find(reach);
        const int list = known != lists.end() ? known->second : neighbours.add_list(reach);
        lists[reach] = list;
        TailCorrection tail = tail_correction(d.potential, Dim, counts, context.box.volume());
        if (d.electrostatic) {
            const TailCorrection more =
                tail_correction(*d.electrostatic, Dim, counts, context.box.volume());
            tail = {tail.energy + more.energy, tail.virial + more.virial};
        }
        terms.push_back(std::make_unique<PairForce<Dim, Real>>(context.backend, d,
                                                               context.pair_is_double, list, tail));
    }
    if (!plan.excluded.empty()) neighbours.exclude(plan.excluded);
    const auto particles = static_cast<std::int64_t>(context.start.size());
    for (const BondedDescription& force : plan.bonded)
        terms.push_back(std::make_unique<BondedForce<Dim, Real>>(context.backend, force, particles,
                                                                 neighbours));
    if (plan.fourier)
        terms.push_back(make_long_range<Dim, Real>(context.backend, *plan.fourier, context.box,
                                                   context.start, context.pair_is_double));
    for (const FieldDescription& field : plan.fields)
        terms.push_back(std::make_unique<FieldForce<Dim, Real>>(context.backend, field));
    return terms;
}

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template ForcePlan read_forces(const Parameters&, const ForceContext<Dim>&);                   \
    template std::vector<std::unique_ptr<ForceTerm<Dim, double>>> make_forces(                     \
        const ForcePlan&, const ForceContext<Dim>&, Neighbours<Dim, double>&);
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow
