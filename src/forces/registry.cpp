// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/forces/registry.hpp"

#include "excluded_charges.hpp"
#include "force_input.hpp"
#include "force_tables.hpp"
#include "scaled_pairs.hpp"

#include "shadow/core/input_errors.hpp"
#include "shadow/core/log.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace shadow {
namespace {

template <int Dim>
const std::vector<ForceReader<Dim>>& readers() {
    static const std::vector<ForceReader<Dim>> all = {
        {potential_descriptors, read_potential<Dim>},
        {field_descriptors, read_field<Dim>},
        {bonded_descriptors, read_bonded<Dim>},
        {data_coefficients_descriptors, read_data_coefficients<Dim>},
        {long_range_descriptors, read_long_range<Dim>, true},
        {curve_descriptors, read_curve<Dim>}};
    return all;
}

/// The table of a force to be read, and its reader.
template <int Dim>
struct Unread {
    Parameters table;
    std::size_t number; ///< of the table, from 1 on
    std::string type;
    const ForceReader<Dim>* reader = nullptr;
    std::size_t index = 0; ///< of the type, among those of the reader
};

template <int Dim>
Unread<Dim> find_reader(const Parameters& table, std::size_t number) {
    std::vector<std::string> names;
    for (const Descriptor& force : forces()) names.push_back(force.name);
    Unread<Dim> found{table, number, table.choice("type", names)};
    for (const ForceReader<Dim>& reader : readers<Dim>()) {
        const std::vector<Descriptor> types = reader.descriptors();
        const auto at = std::find_if(types.begin(), types.end(), [&](const Descriptor& type) {
            return type.name == found.type;
        });
        if (at == types.end()) continue;
        found.reader = &reader;
        found.index = static_cast<std::size_t>(at - types.begin());
    }
    return found;
}

template <class Kind>
bool is_same(const Kind& a, const Kind& b) {
    return a.is_same(b);
}
template <class One, class Other>
bool is_same(const One&, const Other&) {
    return false;
}

/// Warns of a force of which a part is the same in another table: forces add up, which may be
/// intended.
template <int Dim>
void warn_twice(const Unread<Dim>& force, const std::vector<ForceDescription>& parts,
                const std::vector<ForceDescription>& before) {
    const auto same = [](const auto& one, const auto& other) { return is_same(one, other); };
    for (const ForceDescription& other : before) {
        if (std::none_of(parts.begin(), parts.end(),
                         [&](const auto& part) { return std::visit(same, part, other); }))
            continue;
        log::warning(fmt::format("{}: force {} ({}) is the same as force {} (forces add up, so it "
                                 "acts twice); remove one where that is not meant",
                                 force.table.where(), force.number, force.type,
                                 std::visit([](const auto& f) { return f.table; }, other)));
        return;
    }
}

/// Reads all [[force]] tables, last those that need the descriptions of the others.
template <int Dim>
std::vector<ForceDescription> read_tables(const Parameters& root, const ForceContext<Dim>& context,
                                          InputErrors& errors) {
    std::vector<Unread<Dim>> unread;
    std::size_t number = 0;
    for (const Parameters& table : root.tables("force"))
        errors.attempt([&] { unread.push_back(find_reader<Dim>(table, ++number)); });
    std::stable_partition(unread.begin(), unread.end(),
                          [](const Unread<Dim>& force) { return !force.reader->is_last; });
    std::vector<ForceDescription> all;
    for (const Unread<Dim>& force : unread)
        errors.attempt([&] {
            std::vector<ForceDescription> parts =
                force.reader->read({force.table, force.index, context, all});
            warn_twice(force, parts, all);
            for (ForceDescription& part : parts) {
                std::visit(
                    [&](auto& own) {
                        own.type = force.type;
                        own.table = force.number;
                    },
                    part);
                all.push_back(std::move(part));
            }
        });
    return all;
}

/// Fuses forces of a kind for which `can` states that one pass computes both.
template <class Kind, class Can>
void fuse(std::vector<ForceDescription>& all, const Can& can) {
    for (std::size_t a = 0; a < all.size(); ++a)
        for (std::size_t b = 0; b < all.size(); ++b) {
            auto* const one = std::get_if<Kind>(&all[a]);
            const auto* const other = std::get_if<Kind>(&all[b]);
            if (a == b || !one || !other || !can(*one, *other)) continue;
            *one = fused(*one, *other);
            all.erase(all.begin() + static_cast<std::ptrdiff_t>(b));
            return fuse<Kind>(all, can);
        }
}

/// Pair forces on excluded pairs: those of charges in the field of all others, or scaled ones.
template <int Dim>
std::vector<BondedDescription> forces_of_excluded(const Parameters& root, const ForcePlan& plan,
                                                  const ForceContext<Dim>& context) {
    const auto& species = context.start.species;
    const std::size_t species_count = context.start.species_table.size();
    std::vector<BondedDescription> all;
    if (!context.topology) return all;
    for (const PairForceDescription& force : plan.of<PairForceDescription>()) {
        if (auto terms = excluded_charges(force, species, species_count, plan.excluded))
            all.push_back(std::move(*terms));
        for (auto& terms : scaled_pairs(force, species, species_count, context.topology->scaled))
            all.push_back(std::move(terms));
    }
    for (const BondedDescription& terms : all)
        refuse_bad_start<Dim>(root, "force", terms, *context.topology, context.box, context.start);
    return all;
}

} // namespace

const std::vector<Descriptor>& forces() {
    static const std::vector<Descriptor> all = [] {
        std::vector<Descriptor> types;
        for (const ForceReader<3>& reader : readers<3>())
            for (Descriptor& type : reader.descriptors()) {
                type.parameters.push_back(level_key());
                types.push_back(std::move(type));
            }
        return types;
    }();
    return all;
}

template <int Dim>
ForcePlan read_forces(const Parameters& root, const ForceContext<Dim>& context) {
    ForcePlan plan;
    plan.levels = context.levels;
    if (context.topology) plan.excluded = context.topology->excluded;
    InputErrors errors;
    plan.forces = read_tables(root, context, errors);
    plan.step_sums = read_step_sums(root, context, errors);
    errors.raise();
    fuse<PairForceDescription>(plan.forces, can_fuse); // first: their kernels are compiled
    fuse<PairForceDescription>(plan.forces, can_share_table);
    fuse<BondedDescription>(plan.forces, are_alike);
    if (context.topology) refuse_missing(root, *context.topology, plan.of<BondedDescription>());
    for (BondedDescription& terms : forces_of_excluded(root, plan, context))
        plan.forces.emplace_back(std::move(terms));
    std::stable_sort(plan.forces.begin(), plan.forces.end(),
                     [](const auto& a, const auto& b) { return a.index() < b.index(); });
    return plan;
}

template <int Dim>
std::vector<std::unique_ptr<ForceTerm<Dim>>>
make_forces(const ForcePlan& plan, const ForceContext<Dim>& context, Neighbours<Dim>& neighbours) {
    if (!plan.excluded.empty()) neighbours.exclude(plan.excluded);
    std::vector<std::unique_ptr<ForceTerm<Dim>>> terms;
    const auto add = [&](const auto& force) { terms.push_back(force.make(context, neighbours)); };
    plan.each(add);
    std::for_each(plan.step_sums.begin(), plan.step_sums.end(), add);
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
