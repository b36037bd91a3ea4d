// SPDX-License-Identifier: BSD-3-Clause
#include "bonded_parameters.hpp"
#include "force_input.hpp"
#include "force_tables.hpp"

#include "shadow/system/nearest_partner.hpp"

#include "kernels/bonded/geometry.hpp"
#include "kernels/bonded/list.hpp"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <span>

namespace shadow {
namespace {

using enum KeyType;

template <class... F>
std::vector<const BondedInfo*> all_infos(BondedList<F...>) {
    std::vector<const BondedInfo*> all;
    ((F::info.internal ? void() : all.push_back(&F::info)), ...);
    return all;
}

double read_number(const Parameters& table, const BondedParameter& p) {
    const double x = table.number(p.name);
    if (const char* wanted = unmet_requirement(p, x))
        table.fail(p.name, fmt::format("{} = {} is out of range ({}); give such a number", p.name,
                                       x, wanted));
    return x;
}

std::string quoted_types(const Topology& topology, BondedKind kind) {
    std::vector<std::string> types;
    for (const BondedGroup& group : topology.groups)
        if (group.kind == kind) types.push_back('"' + group.type + '"');
    return fmt::format("{}", fmt::join(types, ", "));
}

/// Reads the terms on which it acts.
void read_terms(const Parameters& table, const Topology& topology, BondedDescription& read) {
    const BondedKind kind = read.info->kind;
    const std::string known = quoted_types(topology, kind);
    if (known.empty())
        table.fail("type",
                   fmt::format("{} where there are no {}s (it acts between bonded particles); give "
                               "{}s in a [[molecule]], or a LAMMPS data file that has some",
                               read.name, name(kind), name(kind)));
    const bool all = !table.has("of");
    const std::string type = all ? "" : table.text("of");
    for (const BondedGroup& group : topology.groups)
        if (group.kind == kind && (all || group.type == type)) {
            read.types.push_back(group.type);
            read.members.insert(read.members.end(), group.members.begin(), group.members.end());
        }
    if (read.members.empty())
        table.fail("of", fmt::format("{}s of type \"{}\" (there are none); give one of {}",
                                     name(kind), type, known));
    read.row.assign(read.members.size() / static_cast<std::size_t>(members_of(kind)), 0);
}

} // namespace

std::vector<const BondedInfo*> bonded_infos() {
    return all_infos(OwnForms{});
}

std::vector<Descriptor> bonded_descriptors() {
    std::vector<Descriptor> all;
    for (const BondedInfo* info : bonded_infos()) {
        Descriptor d{info->name, info->summary, info->equation, info->reference, {}};
        for (int k = 0; k < info->parameter_count; ++k) {
            const BondedParameter& p = info->parameters[k];
            d.parameters.push_back({p.name, number, p.unit, "", p.meaning, p.example});
        }
        const std::string kind = name(info->kind);
        d.parameters.push_back({"of", text, "", fmt::format("all {}s", kind),
                                fmt::format("the type of {} on which it acts", kind), "\"AA\""});
        all.push_back(std::move(d));
    }
    return all;
}

void refuse_dimension(const Parameters& table, const std::string& what, BondedKind kind,
                      int dimension) {
    if (members_of(kind) > dimension + 1)
        table.fail("type", fmt::format("{} in {} dimension{} (its {} particles need {}); use it "
                                       "there, or remove it",
                                       what, dimension, dimension == 1 ? "" : "s", members_of(kind),
                                       members_of(kind) - 1));
}

template <int Dim>
void refuse_bad_start(const Parameters& table, const char* key, const BondedDescription& terms,
                      const Topology& topology, const Box<Dim>& box, const Snapshot<Dim>& start) {
    if (const auto bond = long_bond<Dim>(terms.info->kind, terms.members, start, box))
        table.fail(key, fmt::format("{} of particles {} and {}, which are {:.6g} apart (from "
                                    "{:.6g} on, nearly half the shortest box length, the nearest "
                                    "image may be of another particle); enlarge the box or correct "
                                    "the start",
                                    terms.name, topology.called(bond->id[0]),
                                    topology.called(bond->id[1]), bond->length, bond->longest));
    const auto members = static_cast<std::size_t>(members_of(terms.info->kind));
    std::vector<std::array<double, Dim>> place(members);
    for (std::size_t term = 0; term < terms.row.size(); ++term) {
        const auto id = std::span(terms.members).subspan(term * members, members);
        std::vector<double> apart;
        for (std::size_t m = 0; m < members; ++m) {
            place[m] = start.position[id[m]];
            if (m == 0) continue;
            apart.push_back(distance<Dim>(place[m - 1], place[m], box));
        }
        const BondedResult<Dim> result = evaluate_term<Dim>(terms, terms.row[term], place, box);
        double all = result.energy;
        for (const auto& force : result.force)
            for (const double component : force) all += component;
        if (std::isfinite(all)) continue;
        const char* where =
            *terms.info->infinite ? terms.info->infinite : "where particles overlap";
        table.fail(key, fmt::format("{} of particles {} at the start (it is infinite {}, and "
                                    "they are {:.6g} apart); move one of them, for example by "
                                    "system.lattice.jitter",
                                    terms.name, fmt::join(topology.called(id), ", "), where,
                                    fmt::join(apart, ", ")));
    }
}

/// Throws also if there are no terms on which it could act, and if a bond of the start is nearly as
/// long as half the box (`max_edge`).
template <int Dim>
std::vector<ForceDescription> read_bonded(const ForceInput<Dim>& in) {
    BondedDescription read;
    read.info = bonded_infos()[in.type];
    read.name = read.info->name;
    read.form = static_cast<int>(in.type);
    refuse_dimension(in.table, read.name, read.info->kind, Dim);
    std::vector<double> given;
    for (int k = 0; k < read.info->parameter_count; ++k)
        given.push_back(read_number(in.table, read.info->parameters[k]));
    append_parameters(read.rows, read.form, given);
    read_terms(in.table, in.topology(), read);
    refuse_bad_start<Dim>(in.table, "type", read, in.topology(), in.context.box, in.context.start);
    refuse_other_terms(in.table, read, in.before);
    read.level = in.level();
    return {read};
}

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template std::vector<ForceDescription> read_bonded(const ForceInput<Dim>&);                    \
    template void refuse_bad_start(const Parameters&, const char*, const BondedDescription&,       \
                                   const Topology&, const Box<Dim>&, const Snapshot<Dim>&);
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow
