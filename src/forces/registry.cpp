// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/forces/registry.hpp"

#include "potential_visit.hpp"
#include "read_force.hpp"

#include "shadow/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace shadow {
namespace {

Descriptor describe(int index) {
    const PotentialTraits traits = potential_traits(index);
    const PotentialInfo& info = *traits.info;
    Descriptor d{info.name, info.summary, info.equation, info.reference, {}};
    const auto add = [&](const char* name, const char* unit, const char* value,
                         const std::string& meaning) {
        d.parameters.push_back({name, unit, value, meaning});
    };
    for (int k = info.charged ? 1 : 0; k < info.parameter_count; ++k) {
        const PotentialParameter& p = info.parameters[k];
        std::string meaning = p.meaning;
        if (p.alias) meaning += fmt::format("; or {}, {} times as large", p.alias, 1.0 / p.factor);
        add(p.name, p.unit, "", meaning);
    }
    if (info.charged) {
        add("dielectric", "", "1.0", "relative permittivity: divides k");
    } else {
        add("pairs", "", "[]", "tables { species = [a, b], ... } with keys of single pairs");
        add("mixing", "", "none", "cross terms by lorentz-berthelot or geometric");
    }
    add("class", "", "slow", "fast or slow, for multiple time steps");
    if (traits.implied_cutoff) return d;
    const bool bare = index == potential_index<Coulomb>;
    add("cutoff", "length", bare ? "inf" : "",
        "pairs beyond it do not interact; may be inf in an open box");
    if (!info.charged) {
        add("truncation", "", "none",
            "none, shift, force-shift, smooth-c1 or smooth-c2 (from inner on)");
        add("inner", "length", "-", "where the smooth truncations begin");
    }
    if (traits.tail_integral) add("tail", "", "false", "mean-field correction beyond the cut-off");
    add("split", "length", "-", "{ inner, outer }: a fast and a slow part");
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

} // namespace

const std::vector<Descriptor>& forces() {
    static const std::vector<Descriptor> all = [] {
        std::vector<Descriptor> entries;
        for (int k = 0; k < Potentials::size; ++k) entries.push_back(describe(k));
        return entries;
    }();
    return all;
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

template <int Dim>
ForcePlan read_forces(const Parameters& root, const ForceContext<Dim>& context) {
    ForcePlan plan;
    const ForceSurroundings surroundings{Dim,
                                         context.start.species_table,
                                         context.units.coulomb,
                                         context.box.is_open(),
                                         context.box.is_periodic(),
                                         context.box.shortest_periodic_length()};
    for (const Parameters& table : root.tables("force"))
        for (PairForceDescription& d : read_force(table, surroundings))
            plan.descriptions.push_back(std::move(d));
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
        const double cutoff = make_pair_table(d).cutoff;
        const auto known = lists.find(cutoff);
        const int list = known != lists.end() ? known->second : neighbours.add_list(cutoff);
        lists[cutoff] = list;
        terms.push_back(std::make_unique<PairForce<Dim, Real>>(
            context.backend, d, context.pair_is_double, list,
            tail_correction(d.potential, Dim, counts, context.box.volume())));
    }
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
