// SPDX-License-Identifier: BSD-3-Clause
#include "bonded_parameters.hpp"
#include "coefficient_styles.hpp"
#include "force_input.hpp"
#include "force_tables.hpp"

#include "shadow/core/error.hpp"
#include "shadow/core/log.hpp"
#include "shadow/forces/registry.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

/// Bonded forces from the sections Bond Coeffs, Angle Coeffs ... of a LAMMPS data file.
namespace shadow {
namespace {

std::string many(BondedKind kind) {
    return std::string(name(kind)) + "s";
}

std::string section_of(BondedKind kind) {
    std::string title = std::string(name(kind)) + " Coeffs";
    title[0] = static_cast<char>(title[0] - 'a' + 'A');
    return title;
}

std::optional<BondedKind> kind_called(const std::string& word) {
    for (const BondedKind kind : bonded_kinds)
        if (many(kind) == word) return kind;
    return {};
}

bool has_terms(const Topology& topology, BondedKind kind) {
    return std::any_of(topology.groups.begin(), topology.groups.end(),
                       [kind](const BondedGroup& group) { return group.kind == kind; });
}

/// Without `of` all kinds that occur.
std::vector<BondedKind> read_kinds(const Parameters& table, const Topology& topology) {
    std::vector<BondedKind> kinds;
    if (topology.empty())
        table.fail("type", fmt::format("{} where nothing is bonded (it is of bonds, angles, "
                                       "dihedrals and impropers); give a LAMMPS data file that has "
                                       "some",
                                       data_coefficients));
    if (!table.has("of")) {
        for (const BondedKind kind : bonded_kinds)
            if (has_terms(topology, kind)) kinds.push_back(kind);
        return kinds;
    }
    for (const std::string& word : table.texts("of")) {
        const std::optional<BondedKind> kind = kind_called(word);
        if (!kind)
            table.fail("of", fmt::format("\"{}\" in `of` (there are bonds, angles, dihedrals and "
                                         "impropers); give some of these",
                                         word));
        if (std::count(kinds.begin(), kinds.end(), *kind) > 0)
            table.fail("of",
                       fmt::format("{} twice in `of` (their forces are one); remove one", word));
        if (!has_terms(topology, *kind))
            table.fail("of", fmt::format("{0} in `of` (there are no {0}); remove the word", word));
        kinds.push_back(*kind);
    }
    if (kinds.empty())
        table.fail("of", "an empty `of` (no force would follow); name bonds, angles, dihedrals or "
                         "impropers, or remove it");
    return kinds;
}

/// The coefficients of a group; throws InputError if there are none.
const TypeCoefficients& coefficients_of(const Parameters& table, const Topology& topology,
                                        const BondedGroup& group) {
    const auto& all = topology.coefficients;
    const auto of_kind = [&](const TypeCoefficients& one) { return one.kind == group.kind; };
    const auto found = std::find_if(all.begin(), all.end(), [&](const TypeCoefficients& one) {
        return of_kind(one) && one.type == group.type;
    });
    if (found != all.end()) return *found;
    const std::string section = section_of(group.kind);
    const auto some = std::find_if(all.begin(), all.end(), of_kind);
    if (some == all.end())
        table.fail("type", fmt::format("no {0} in the file of the start ({1} takes forces on {2} "
                                       "from this section of a LAMMPS data file); give a file that "
                                       "has it, or leave {2} out of `of` and give them [[force]] "
                                       "tables",
                                       section, data_coefficients, many(group.kind)));
    throw InputError(fmt::format("{}: no coefficients of {} type \"{}\" ({} of this type are "
                                 "there); add them to {}",
                                 some->place, name(group.kind), group.type, many(group.kind),
                                 section));
}

/// Unused coefficients may be a mistake, or belong to a file of a whole force field.
void warn_unused(const Topology& topology, BondedKind kind) {
    std::vector<std::string> types;
    std::string place;
    for (const TypeCoefficients& one : topology.coefficients) {
        if (one.kind != kind) continue;
        const bool used = std::any_of(
            topology.groups.begin(), topology.groups.end(),
            [&](const BondedGroup& group) { return group.kind == kind && group.type == one.type; });
        if (used) continue;
        if (types.empty()) place = one.place;
        types.push_back('"' + one.type + '"');
    }
    if (!types.empty())
        log::info(fmt::format("{}: coefficients of {} type{} {} are not used: there are no such {}",
                              place, name(kind), types.size() > 1 ? "s" : "",
                              fmt::join(types, ", "), many(kind)));
}

/// Adds terms with a row of parameters to the description of the same form.
void add_terms(const FormRow& row, const TypeCoefficients& from, const BondedGroup& group,
               std::vector<BondedDescription>& all) {
    const int form = bonded_form(row.form);
    const BondedInfo& info = *bonded_infos()[static_cast<std::size_t>(form)];
    for (std::size_t k = 0; k < row.numbers.size(); ++k)
        if (const char* wanted = unmet_requirement(info.parameters[k], row.numbers[k]))
            refuse_coefficients(from,
                                fmt::format("{} = {}", info.parameters[k].name, row.numbers[k]),
                                fmt::format("of a {} {}", info.name, wanted), "give such a number");
    auto found = std::find_if(all.begin(), all.end(), [form](const BondedDescription& description) {
        return description.form == form;
    });
    if (found == all.end()) {
        BondedDescription fresh;
        fresh.info = &info;
        fresh.name = info.name;
        fresh.form = form;
        fresh.row_count = 0;
        found = all.insert(all.end(), std::move(fresh));
    }
    if (std::count(found->types.begin(), found->types.end(), group.type) == 0)
        found->types.push_back(group.type);
    found->members.insert(found->members.end(), group.members.begin(), group.members.end());
    found->row.insert(found->row.end(), group.size(), found->row_count++);
    append_parameters(found->rows, form, row.numbers);
}

} // namespace

std::vector<Descriptor> data_coefficients_descriptors() {
    return {{data_coefficients,
             "the forces on bonds, angles, dihedrals and impropers whose coefficients are in the "
             "LAMMPS data file of the start, each section with its style after the title, as in "
             "`Bond Coeffs  # harmonic`; docs/molecules.md has the styles",
             "those of harmonic-bond, harmonic-angle, periodic-dihedral and so on",
             "Thompson et al. 2022, Comput. Phys. Commun. 271, 108171",
             {{"of", KeyType::texts, "", "all in the file",
               "any of bonds, angles, dihedrals, impropers; the others need [[force]] tables",
               "[\"bonds\"]"}}}};
}

std::vector<BondedKind> kinds_with_data_coefficients(const Parameters& root) {
    std::vector<BondedKind> kinds;
    if (root.type("force") != "array") return kinds;
    for (const Parameters& table : root.tables("force")) {
        if (table.type("type") != "text" || table.text("type") != data_coefficients) continue;
        if (!table.has("of")) return {bonded_kinds.begin(), bonded_kinds.end()};
        for (const std::string& word : table.texts("of"))
            if (const auto kind = kind_called(word)) kinds.push_back(*kind);
    }
    return kinds;
}

/// Bonded forces from the coefficients of the topology: one description for each form of the list.
/// Throws InputError, located in the input or in the file, for numbers that a form does not accept,
/// and for types without coefficients.
template <int Dim>
std::vector<ForceDescription> read_data_coefficients(const ForceInput<Dim>& in) {
    const Topology& topology = in.topology();
    std::vector<BondedDescription> all;
    for (const BondedKind kind : read_kinds(in.table, topology)) {
        refuse_dimension(in.table, section_of(kind), kind, Dim);
        for (const BondedGroup& group : topology.groups) {
            if (group.kind != kind) continue;
            const TypeCoefficients& from = coefficients_of(in.table, topology, group);
            for (const FormRow& row : rows_of_forms(from)) add_terms(row, from, group, all);
        }
        warn_unused(topology, kind);
    }
    for (BondedDescription& force : all) {
        refuse_bad_start<Dim>(in.table, "type", force, topology, in.context.box, in.context.start);
        force.level = in.level();
        refuse_other_terms(in.table, force, in.before);
    }
    return {all.begin(), all.end()};
}

template std::vector<ForceDescription> read_data_coefficients(const ForceInput<1>&);
template std::vector<ForceDescription> read_data_coefficients(const ForceInput<2>&);
template std::vector<ForceDescription> read_data_coefficients(const ForceInput<3>&);

} // namespace shadow
