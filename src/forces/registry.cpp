// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/forces/registry.hpp"

#include "potential_visit.hpp"
#include "read_force.hpp"

#include "shadow/core/input_errors.hpp"
#include "shadow/core/log.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <map>
#include <optional>

namespace shadow {
namespace {

using enum KeyType;

const ParameterInfo pairs{"pairs",
                          tables,
                          "",
                          "none",
                          "what differs for pairs of species; see force.pairs",
                          "[{ species = [\"A\", \"A\"], cutoff = 2.0 }]"},
    mixing{"mixing",
           text,
           "",
           "\"none\"",
           "parameters of unlike pairs from those of like ones: lengths by their arithmetic mean "
           "(lorentz-berthelot) or geometric mean, energies by their geometric mean",
           "\"lorentz-berthelot\"",
           {"none", "lorentz-berthelot", "geometric"}},
    level_key{"level",
              text,
              "",
              "the last of `levels`",
              "which kick it belongs to in a multiple-time-step method",
              "\"fast\""},
    cutoff{"cutoff",
           number,
           "length",
           "",
           "pairs beyond it do not interact; may be inf in an open box",
           "2.5"},
    truncation{"truncation",
               text,
               "",
               "\"none\"",
               "how the potential u ends at its cut-off R. none: as it is; shift: u(r) - u(R); "
               "force-shift: u(r) - u(R) - u'(R) (r - R). smooth-c1 and smooth-c2 leave u as it is "
               "below `inner` = a; with d = R - a and x = (r - a) / d, smooth-c1 goes on with the "
               "cubic Hermite polynomial u(a) (1 - 3 x^2 + 2 x^3) + u'(a) d (x - 2 x^2 + x^3), "
               "which has u and u' of the potential at a and 0 at R, and smooth-c2 with the "
               "quintic one, u(a) (1 - 10 x^3 + 15 x^4 - 6 x^5) + u'(a) d (x - 6 x^3 + 8 x^4 - "
               "3 x^5) + u''(a) d^2 (x^2 - 3 x^3 + 3 x^4 - x^5) / 2, which has u'' too; neither is "
               "u times a switching function",
               "\"shift\"",
               {"none", "shift", "force-shift", "smooth-c1", "smooth-c2"}},
    inner{"inner", number, "length", "required by smooth truncations", "where these begin", "2.0"},
    tail{"tail", boolean, "", "false", "mean-field correction beyond the cut-off", "true"},
    split{"split",
          table,
          "",
          "none",
          "a fast and a slow part by distance, instead of `class`; see force.split",
          "{ inner = 1.5, outer = 2.0 }"},
    dielectric{"dielectric", number, "", "1.0", "relative permittivity: divides k"};

Descriptor describe(int index) {
    const PotentialTraits traits = potential_traits(index);
    const PotentialInfo& info = *traits.info;
    Descriptor d{info.name, info.summary, info.equation, info.reference, {}};
    visit_potential(index, [&d]<template <class> class P>(PotentialTag<P>) {
        if constexpr (has_self_energy<P>)
            d.equation += fmt::format("; {}", SelfEnergy<P>::equation);
    });
    auto& keys = d.parameters;
    for (int k = info.charged ? 1 : 0; k < info.parameter_count; ++k) {
        const PotentialParameter& p = info.parameters[k];
        keys.push_back({p.name, number, p.unit, "", p.meaning, *p.unit ? "1.0" : "12.0"});
        if (p.alias)
            keys.push_back({p.alias, number, p.unit, "none",
                            fmt::format("instead of {}: {} times as large", p.name, 1.0 / p.factor),
                            "1.0"});
    }
    if (info.charged)
        keys.push_back(dielectric);
    else
        keys.insert(keys.end(), {pairs, mixing});
    keys.push_back(level_key);
    if (traits.implied_cutoff) return d;
    keys.push_back(cutoff);
    if (index == potential_index<Coulomb>)
        keys.back() = {"cutoff", number, "length", "inf", "only inf, in an open box"};
    if (!info.charged) keys.insert(keys.end(), {truncation, inner});
    if (traits.tail_integral) keys.push_back(tail);
    keys.push_back(split);
    return d;
}

/// Charges join the pass of a Lennard-Jones potential where they can.
void fuse(std::vector<PairForceDescription>& all) {
    for (std::size_t a = 0; a < all.size(); ++a)
        for (std::size_t b = 0; b < all.size(); ++b) {
            if (a == b || !can_fuse(all[a], all[b])) continue;
            all[a].electrostatic = all[b].potential;
            all[a].name += " + " + all[b].name;
            all.erase(all.begin() + static_cast<std::ptrdiff_t>(b));
            return fuse(all);
        }
}

bool same(const PairPotential& a, const PairPotential& b) {
    const auto same_pair = [](const PairParameters& x, const PairParameters& y) {
        return x.numbers == y.numbers && x.cutoff == y.cutoff && x.inner == y.inner;
    };
    return a.potential == b.potential && a.truncation == b.truncation && a.part == b.part &&
           a.split.inner == b.split.inner && a.split.outer == b.split.outer && a.tail == b.tail &&
           std::equal(a.pairs.begin(), a.pairs.end(), b.pairs.begin(), b.pairs.end(), same_pair);
}

bool same(const FieldDescription& a, const FieldDescription& b) {
    return a.field == b.field && a.numbers == b.numbers && a.weight == b.weight;
}

/// One [[force]] and what it became.
struct ForceTable {
    Parameters table;
    std::string type;
    std::vector<PairForceDescription> terms;    ///< of a pair force
    std::optional<FieldDescription> field = {}; ///< of an external field
};

/// Is it the same force?
bool same(const ForceTable& a, const ForceTable& b) {
    if (a.field || b.field) return a.field && b.field && same(*a.field, *b.field);
    return same(a.terms.front().potential, b.terms.front().potential);
}

/// Of potentials, then of fields, in the order of their lists.
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

/// Forces add up. One that stands there twice may be meant; charges act in every electrostatic
/// force, whatever its class, so that two of them are never one energy in two parts.
void refuse_twice(const ForceTable& force, const std::vector<ForceTable>& before) {
    const auto charged = [](const ForceTable& f) {
        return !f.field && potential_traits(f.terms.front().potential.potential).info->charged;
    };
    for (std::size_t k = 0; k < before.size(); ++k) {
        if (charged(force) && charged(before[k]))
            force.table.fail("type", fmt::format("{} beside {} (all charges act in each of them, "
                                                 "so they would count twice); keep one, with "
                                                 "`split` where it is to be fast and slow",
                                                 force.type, before[k].type));
        if (!same(force, before[k])) continue;
        log::warning(fmt::format("{}: force {} ({}) is the same as force {} (forces add up, so it "
                                 "acts twice); remove one where that is not meant",
                                 force.table.where(), before.size() + 1, force.type, k + 1));
        return;
    }
}

} // namespace

const std::vector<Descriptor>& forces() {
    static const std::vector<Descriptor> all = [] {
        std::vector<Descriptor> entries;
        for (int k = 0; k < Potentials::size; ++k) entries.push_back(describe(k));
        for (Descriptor& field : field_descriptors()) {
            field.parameters.insert(field.parameters.end(), {modulation_key(), level_key});
            entries.push_back(std::move(field));
        }
        return entries;
    }();
    return all;
}

const std::vector<Descriptor>& force_tables() {
    static const std::vector<Descriptor> all = {
        {"force",
         "What acts between particles; any number of these, which add up. Each type brings keys of "
         "its own beside those that several have",
         "",
         "",
         {{"type", text, "", "", "one of mdrun --list force", "\"lennard-jones\""},
          cutoff,
          truncation,
          inner,
          tail,
          pairs,
          mixing,
          level_key,
          split}},
        {"force.pairs",
         "What differs for pairs of species: an array of tables in a force. Beside these keys it "
         "takes the parameters of the potential, which hold for this pair alone",
         "",
         "",
         {{"species", texts, "", "", "the pair", "[\"A\", \"B\"]"},
          {"cutoff", number, "length", "that of the force", "as there", "2.5"},
          {"inner", number, "length", "that of the force", "as there", "2.0"}}},
        modulation_table(),
        {"force.split",
         "A short-ranged fast and a smooth slow part of one potential, for methods as respa",
         "",
         "",
         {{"inner", number, "length", "", "where the fast part begins to fade", "1.5"},
          {"outer", number, "length", "", "where it has ended", "2.0"},
          {"level", text, "", "the first of `levels`",
           "of the fast part; that of the slow part is `level` of the force", "\"fast\""}}}};
    return all;
}

std::vector<std::string> ForcePlan::names() const {
    std::vector<std::string> all;
    for (const PairForceDescription& force : descriptions)
        for (const PairForceDescription& part : parts_of(force)) all.push_back(part.name);
    for (const FieldDescription& field : fields) all.emplace_back(field.info->name);
    return all;
}

bool ForcePlan::has(ForceLevel level) const {
    const auto is = [level](const auto& f) { return f.level == level; };
    return std::any_of(descriptions.begin(), descriptions.end(), is) ||
           std::any_of(fields.begin(), fields.end(), is);
}

double ForcePlan::steady_from() const {
    double last = -std::numeric_limits<double>::infinity();
    for (const FieldDescription& field : fields)
        last = std::max(last, field.modulation.steady_from());
    return last;
}

std::vector<std::string> ForcePlan::used_levels() const {
    std::vector<std::string> used;
    for (std::size_t k = 0; k < levels.size(); ++k)
        if (has(static_cast<ForceLevel>(k) + 1)) used.push_back(levels[k]);
    return used;
}

bool ForcePlan::charged() const {
    const auto couples = [](const FieldDescription& field) { return field.couples_to_charge; };
    if (std::any_of(fields.begin(), fields.end(), couples)) return true;
    return std::any_of(descriptions.begin(), descriptions.end(), [](const auto& d) {
        return d.electrostatic || potential_traits(d.potential.potential).info->charged;
    });
}

bool ForcePlan::damped() const {
    return std::any_of(descriptions.begin(), descriptions.end(), [](const auto& d) {
        return (d.electrostatic ? *d.electrostatic : d.potential).potential ==
               potential_index<DampedShiftedForce>;
    });
}

double ForcePlan::longest_cutoff() const {
    double longest = 0.0;
    for (const PairForceDescription& d : descriptions)
        for (const PairParameters& p : d.potential.pairs)
            if (std::isfinite(p.cutoff)) longest = std::max(longest, p.cutoff);
    return longest;
}

bool ForcePlan::all_pairs() const {
    for (const PairForceDescription& d : descriptions)
        for (const PairParameters& p : d.potential.pairs)
            if (std::isinf(p.cutoff)) return true;
    return false;
}

double ForcePlan::default_skin() const {
    const double longest = longest_cutoff();
    return longest > 0.0 ? 0.12 * longest : 1.0;
}

std::vector<std::string> read_levels(const Parameters& root) {
    const std::vector<std::string> levels = root.texts("levels", {"fast", "slow"});
    if (levels.empty() || levels.size() > most_levels)
        root.fail("levels", fmt::format("{} levels of forces (there are 1 to {}); name so many",
                                        levels.size(), most_levels));
    for (auto level = levels.begin(); level != levels.end(); ++level) {
        const bool plain = std::all_of(level->begin(), level->end(), [](unsigned char c) {
            return std::isalnum(c) || c == '-' || c == '_';
        });
        if (level->empty() || !plain)
            root.fail("levels",
                      fmt::format("level \"{}\" (series are named after it); use letters, "
                                  "digits, - and _",
                                  *level));
        if (std::find(levels.begin(), level, *level) != level)
            root.fail(
                "levels",
                fmt::format("level \"{}\" twice (each has its own name); rename one", *level));
    }
    return levels;
}

ForceLevel read_level(const Parameters& table, const std::vector<std::string>& levels,
                      const std::string& otherwise) {
    const std::string name = table.choice("level", levels, otherwise);
    return static_cast<ForceLevel>(std::find(levels.begin(), levels.end(), name) - levels.begin()) +
           1;
}

template <int Dim>
ForcePlan read_forces(const Parameters& root, const ForceContext<Dim>& context) {
    ForcePlan plan{.descriptions = {}, .fields = {}, .levels = context.levels};
    const ForceSurroundings surroundings{Dim,
                                         context.start.species_table,
                                         context.units.coulomb,
                                         context.box.is_open(),
                                         context.box.is_periodic(),
                                         context.box.shortest_periodic_length(),
                                         context.levels};
    InputErrors errors;
    std::vector<ForceTable> tables;
    for (const Parameters& table : root.tables("force"))
        errors.attempt([&] {
            const auto types = type_names();
            ForceTable force{table, table.choice("type", types), {}};
            const auto at =
                static_cast<int>(std::find(types.begin(), types.end(), force.type) - types.begin());
            if (at < Potentials::size)
                force.terms = read_force(table, at, surroundings);
            else
                force.field = read_field(table, at - Potentials::size, context.box, context.start);
            refuse_twice(force, tables);
            if (force.field) {
                force.field->level = read_level(table, context.levels, context.levels.back());
                force.field->modulation = read_modulation(table);
                if (force.field->modulation.is_constant()) tell_fall<Dim>(force, context.box);
            }
            tables.push_back(std::move(force));
        });
    errors.raise();
    for (ForceTable& force : tables) {
        std::move(force.terms.begin(), force.terms.end(), std::back_inserter(plan.descriptions));
        if (force.field) plan.fields.push_back(std::move(*force.field));
    }
    fuse(plan.descriptions);
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
        terms.push_back(std::make_unique<PairForce<Dim, Real>>(
            context.backend, d, context.pair_is_double, list,
            tail_correction(d.potential, Dim, counts, context.box.volume())));
    }
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
