// SPDX-License-Identifier: BSD-3-Clause
#include "src/system/molecules.hpp"

#include "src/system/start.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace shadow {
namespace {

/// Ids of atoms have 31 bits.
constexpr std::int64_t max_atoms = 2'000'000'000;

std::int64_t read_count(const Parameters& table, const char* key, std::int64_t count) {
    if (count < 1 || count > max_atoms)
        table.fail(key, fmt::format("{} = {} (there are from 1 to {}); give another number", key,
                                    count, max_atoms));
    return count;
}

/// Bonds, angles ... of a unit that is repeated; an atom number beyond the unit refers to a
/// following one, and terms that reach beyond the last unit are left out.
void read_terms(const Parameters& table, BondedKind kind, std::int64_t unit, std::int64_t repeat,
                Topology& topology) {
    const std::string key = std::string(name(kind)) + "s";
    for (const Parameters& term : table.tables(key)) {
        const std::vector<std::int64_t> atoms = term.integers("atoms");
        const auto wanted = static_cast<std::size_t>(members_of(kind));
        if (atoms.size() != wanted)
            term.fail("atoms", fmt::format("{} of {} atoms (it has {}); give their numbers",
                                           name(kind), atoms.size(), wanted));
        const auto [low, high] = std::minmax_element(atoms.begin(), atoms.end());
        if (*low < 0 || *low >= unit || *high >= unit * repeat)
            term.fail("atoms",
                      fmt::format("{} of atoms {} (they are counted from 0, of {}{}); correct "
                                  "them",
                                  name(kind), fmt::join(atoms, ", "), unit,
                                  repeat > 1 ? ", and beyond that are those of the next unit; one "
                                               "is of this"
                                             : ""));
        const std::string type = term.text("type", name(kind));
        if (type.empty())
            term.fail("type", fmt::format("a {} without a name (forces refer to it by `of`); name "
                                          "its type, or leave the key out",
                                          name(kind)));
        BondedGroup& group = topology.group(kind, type);
        for (std::int64_t k = 0; k < repeat && *high + k * unit < unit * repeat; ++k)
            for (const std::int64_t atom : atoms)
                group.members.push_back(static_cast<std::uint32_t>(atom + k * unit));
    }
}

template <int Dim>
Points<Dim> read_places(const Parameters& table, std::int64_t atoms) {
    if (!table.has("places")) return atoms == 1 ? Points<Dim>(1) : Points<Dim>{};
    const auto rows = table.rows("places");
    const auto fits = [](const auto& row) { return row.size() == Dim; };
    if (rows.size() != static_cast<std::size_t>(atoms) ||
        !std::all_of(rows.begin(), rows.end(), fits))
        table.fail("places", fmt::format("{} places of {} atoms (each has one, of {} number{}); "
                                         "give so many",
                                         rows.size(), atoms, Dim, Dim == 1 ? "" : "s"));
    Points<Dim> places(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        std::copy(rows[i].begin(), rows[i].end(), places[i].begin());
    return places;
}

/// Species of the atoms of a unit, which `repeat` repeats.
std::vector<std::uint16_t> read_unit(const Parameters& table, const std::vector<Species>& species) {
    std::vector<std::uint16_t> unit;
    for (const std::string& atom : table.texts("atoms")) {
        const auto at = std::find_if(species.begin(), species.end(),
                                     [&](const Species& s) { return s.name == atom; });
        if (at == species.end())
            table.fail("atoms", fmt::format("atom \"{}\" (atoms are species, and there is none of "
                                            "that name); declare it in [[species]]",
                                            atom));
        unit.push_back(static_cast<std::uint16_t>(at - species.begin()));
    }
    if (unit.empty())
        table.fail("atoms", "a molecule without atoms (there is nothing to place); name their "
                            "species");
    return unit;
}

/// Throws, before any is made, for more molecules than `places` if they are single atoms or have
/// `places`, else for more atoms.
void refuse_too_many(const Parameters& table, double count, double atoms, std::int64_t places) {
    const bool single = atoms == 1.0 || table.has("places");
    if ((single ? count : count * atoms) > static_cast<double>(places))
        table.fail("count", fmt::format("{:.10g} molecules of {:.10g} atom{} for {} places (one "
                                        "for each {}); take fewer",
                                        count, atoms, atoms == 1.0 ? "" : "s", places,
                                        single ? "molecule" : "atom"));
    if (count * atoms > max_atoms)
        table.fail("count", fmt::format("{} molecules of {:.4g} atoms (ids have 31 bits); take "
                                        "fewer",
                                        count, atoms));
}

/// The required key `exclude` of a table: 0 to 6 bonds.
int read_excluded_bonds(const Parameters& table) {
    if (!table.has("exclude"))
        table.fail("exclude", "bonds without `exclude` (it says between how near relatives no "
                              "pair force acts: 0, all pairs interact; 1, not those bonded; 2, "
                              "nor those at an angle; 3, nor those at a dihedral); give it");
    const std::int64_t bonds = table.integer("exclude");
    if (bonds < 0 || bonds > 6)
        table.fail("exclude", fmt::format("exclude = {} (pairs up to 0 to 6 bonds apart are left "
                                          "out); give such a number",
                                          bonds));
    return static_cast<int>(bonds);
}

double read_factor(const Parameters& table, const char* key) {
    const double factor = table.number(key);
    if (!(factor >= 0.0 && factor <= 1.0))
        table.fail(key, fmt::format("{} = {} is out of range (0, no force, to 1, all of it); give "
                                    "such a number",
                                    key, factor));
    return factor;
}

/// `exclude` is required with bonds: programs differ in their defaults.
void exclude(const Parameters& table, std::int64_t atoms, Topology& topology) {
    const auto bond = [](const BondedGroup& g) { return g.kind == BondedKind::bond; };
    if (std::any_of(topology.groups.begin(), topology.groups.end(), bond))
        return read_exclusions(table, atoms, topology);
    for (const char* key : {"exclude", "scale_14"})
        if (table.has(key))
            table.fail(key, fmt::format("`{}` in a molecule without bonds (pairs are left out by "
                                        "the number of bonds between); give it bonds, or remove "
                                        "the key",
                                        key));
}

template <int Dim>
Molecule<Dim> read_molecule(const Parameters& table, const std::vector<Species>& species,
                            std::int64_t places) {
    static_cast<void>(table.text("name", ""));
    const std::int64_t count = read_count(table, "count", table.integer("count"));
    const std::int64_t repeat = read_count(table, "repeat", table.integer("repeat", 1));
    const std::vector<std::uint16_t> unit = read_unit(table, species);
    const auto per_unit = static_cast<std::int64_t>(unit.size());
    refuse_too_many(table, static_cast<double>(count),
                    static_cast<double>(per_unit) * static_cast<double>(repeat), places);
    const std::int64_t atoms = per_unit * repeat;
    Molecule<Dim> molecule{table, count, {}, {}, read_places<Dim>(table, atoms), {}};
    refuse_beyond_memory<Dim>(table, "count", count * atoms);
    for (std::int64_t k = 0; k < repeat; ++k)
        molecule.species.insert(molecule.species.end(), unit.begin(), unit.end());
    for (const BondedKind kind : bonded_kinds)
        read_terms(table, kind, per_unit, repeat, molecule.topology);
    if (const std::string why = why_no_topology(molecule.topology, atoms); !why.empty())
        table.fail("", why);
    exclude(table, atoms, molecule.topology);
    molecule.growth = read_growth(table, atoms, molecule.topology);
    return molecule;
}

} // namespace

void read_exclusions(const Parameters& table, std::int64_t particles, Topology& topology) {
    const int bonds = read_excluded_bonds(table);
    topology.excluded = pairs_within_bonds(topology, particles, bonds);
    topology.scaled.clear();
    if (!table.has("scale_14")) return;
    const Parameters scale = table.table("scale_14");
    const double lj = read_factor(scale, "lj"), coulomb = read_factor(scale, "coulomb");
    if (bonds != 3)
        table.fail("scale_14",
                   fmt::format(
                       "`scale_14` together with exclude = {} (it scales the forces of pairs three "
                       "bonds apart, which exclude = 3 leaves out); set that, or remove scale_14",
                       bonds));
    const auto nearer = pairs_within_bonds(topology, particles, 2);
    for (const auto& pair : topology.excluded)
        if (!std::binary_search(nearer.begin(), nearer.end(), pair))
            topology.scaled.push_back({pair, lj, coulomb});
    if (topology.scaled.empty())
        table.fail("scale_14", "`scale_14` where no atoms are three bonds apart (it acts between "
                               "such alone); remove it");
}

template <int Dim>
std::vector<Molecule<Dim>>
read_molecules(const Parameters& root, const std::vector<Species>& species, std::int64_t places) {
    std::vector<Molecule<Dim>> all;
    std::vector<bool> used(species.size(), false);
    for (const Parameters& table : root.tables("molecule")) {
        all.push_back(read_molecule<Dim>(table, species, places));
        for (const std::uint16_t kind : all.back().species) used[kind] = true;
    }
    for (std::size_t k = 0; k < species.size() && !all.empty(); ++k)
        if (!used[k])
            root.fail("molecule", fmt::format("species \"{}\" in no molecule (no particle would be "
                                              "of it); add a [[molecule]] of it, which may have "
                                              "one atom, or remove it",
                                              species[k].name));
    return all;
}

template <int Dim>
std::int64_t count_atoms(const std::vector<Molecule<Dim>>& molecules) {
    double sum = 0.0;
    for (const Molecule<Dim>& molecule : molecules)
        sum += static_cast<double>(molecule.count) * static_cast<double>(molecule.atoms());
    if (sum > max_atoms)
        molecules.front().table.fail("count", fmt::format("{:.4g} particles (their ids have 31 "
                                                          "bits); take fewer molecules",
                                                          sum));
    return static_cast<std::int64_t>(sum);
}

template <int Dim>
void append_topology(const std::vector<Molecule<Dim>>& molecules, Topology& topology) {
    std::int64_t first = 0;
    for (const Molecule<Dim>& molecule : molecules) {
        topology.append(molecule.topology, molecule.atoms(), molecule.count, first);
        first += molecule.count * molecule.atoms();
    }
}

template <int Dim>
void bond_particles(const Parameters& root, Setup<Dim>& setup) {
    const auto particles = static_cast<std::int64_t>(setup.start.size());
    const auto molecules = read_molecules<Dim>(root, setup.start.species_table, particles);
    if (molecules.empty()) return;
    const std::int64_t atoms = count_atoms(molecules);
    if (atoms != particles)
        root.fail("molecule", fmt::format("molecules of {} atoms for {} particles of the file "
                                          "(each is in one); correct `count`",
                                          atoms, particles));
    std::size_t i = 0;
    for (const Molecule<Dim>& molecule : molecules) {
        for (const char* key : {"places", "grow"})
            if (molecule.table.has(key))
                molecule.table.fail(
                    key,
                    fmt::format(
                        "{} together with system.file (which says where the atoms are); remove one",
                        key));
        for (std::int64_t k = 0; k < molecule.count * molecule.atoms(); ++k, ++i) {
            const std::uint16_t is = setup.start.species[i];
            const auto atom = static_cast<std::size_t>(k % molecule.atoms());
            if (is == molecule.species[atom]) continue;
            const auto& names = setup.start.species_table;
            molecule.table.fail(
                "atoms", fmt::format("particle {} of the file is of species \"{}\", not \"{}\" "
                                     "(molecules are in the order of the file); correct the order "
                                     "of tables, count or atoms",
                                     setup.topology.called(static_cast<std::uint32_t>(i)),
                                     names[is].name, names[molecule.species[atom]].name));
        }
    }
    append_topology(molecules, setup.topology);
}

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template std::vector<Molecule<Dim>> read_molecules<Dim>(                                       \
        const Parameters&, const std::vector<Species>&, std::int64_t);                             \
    template std::int64_t count_atoms<Dim>(const std::vector<Molecule<Dim>>&);                     \
    template void append_topology<Dim>(const std::vector<Molecule<Dim>>&, Topology&);              \
    template void bond_particles<Dim>(const Parameters&, Setup<Dim>&);
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow
