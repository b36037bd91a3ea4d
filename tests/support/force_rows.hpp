// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/bonded_chain.hpp"
#include "support/catch.hpp"
#include "support/pair_system.hpp"
#include "support/temporary_folder.hpp"
#include "support/world.hpp"

#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

/// Inputs and particles of tests that are generated from the list of forces.
namespace shadow::test::force_rows {

/// The info of a bonded force; null for another force.
inline const BondedInfo* bonded_of(const Descriptor& force) {
    for (const BondedInfo* info : bonded_infos())
        if (force.name == info->name) return info;
    return nullptr;
}

template <int Dim>
using Directions = std::array<bool, Dim>;

/// Open, periodic, a slab and a wire.
template <int Dim>
std::vector<Directions<Dim>> boxes() {
    Directions<Dim> open{}, periodic{}, wire{}, slab{};
    periodic.fill(true);
    wire[Dim - 1] = true;
    slab[0] = slab[Dim - 1] = true;
    if constexpr (Dim == 1) return {open, periodic};
    if constexpr (Dim == 2) return {open, periodic, wire};
    return {open, periodic, slab, wire};
}

template <int Dim>
bool all_open(const Directions<Dim>& periodic) {
    return std::find(periodic.begin(), periodic.end(), true) == periodic.end();
}
template <int Dim>
bool all_periodic(const Directions<Dim>& periodic) {
    return std::find(periodic.begin(), periodic.end(), false) == periodic.end();
}

template <int Dim>
bool is_wire(const Directions<Dim>& periodic) {
    return Dim > 1 && std::count(periodic.begin(), periodic.end(), true) == 1;
}

/// A jittered lattice of two species with charges of alternating sign.
template <int Dim>
Setup<Dim> points(const Directions<Dim>& periodic) {
    const int side = Dim == 1 ? 20 : Dim == 2 ? 6 : 4;
    const double spacing = 1.15;
    std::array<double, Dim> lengths;
    lengths.fill(spacing * side);
    const Box<Dim> box = all_open<Dim>(periodic) ? Box<Dim>() : Box<Dim>(lengths, periodic);
    const int n = static_cast<int>(std::lround(std::pow(side, Dim)));
    Setup<Dim> setup = setup_of<Dim>(jittered_points<Dim>(n, spacing, 0.15, 7), box, 2);
    setup.start.species_table[0].charge = 0.6;
    setup.start.species_table[1].charge = -0.6;
    for (std::size_t d = 0; d < Dim; ++d)
        if (periodic[d]) setup.start.image[3][d] = 2; // fields undo images
    return setup;
}

/// Excludes neighbours of some particles, and scales every second of these pairs.
template <int Dim>
void exclude_some(Setup<Dim>& setup) {
    const auto& x = setup.start.position;
    Topology& topology = setup.topology;
    for (std::uint32_t a = 0; a < 12; ++a)
        for (std::uint32_t b = a + 1; b < x.size(); ++b)
            if (length_of<Dim>(between<Dim>(x[a], x[b], setup.box)) < 1.4)
                topology.excluded.push_back({a, b});
    for (std::size_t k = 0; k < topology.excluded.size(); k += 2)
        topology.scaled.push_back({topology.excluded[k], 0.3, 0.8});
}

template <int Dim>
std::string vector(std::array<double, 3> v, const Directions<Dim>& zero = {}) {
    for (std::size_t d = 0; d < Dim; ++d)
        if (zero[d]) v[d] = 0.0;
    return fmt::format("[{}]", fmt::join(v.begin(), v.begin() + Dim, ", "));
}

/// The info of a field; null for a potential.
inline const FieldInfo* info_of(const Descriptor& force) {
    for (const FieldInfo* info : field_infos())
        if (force.name == info->name) return info;
    return nullptr;
}

/// Rows of a potential, `factor` times as strong as another.
inline std::string curve_file(double factor) {
    static const TemporaryFolder folder;
    static std::map<double, std::string> files;
    std::string& file = files[factor];
    if (!file.empty()) return file;
    std::string rows;
    for (double r = 0.4; r < 2.3; r += 0.004)
        rows +=
            fmt::format("{:.17g} {:.17g}\n", r, 2.0 * factor * std::cos(1.3 * r) * std::exp(-r));
    return file = folder.write(fmt::format("u-{}.dat", factor), rows).string();
}

/// Is it periodic charges, with a pair term and a wave-vector term?
inline bool is_far(const Descriptor& force) {
    return force.name.ends_with("-pme") || force.name.ends_with("-ewald");
}

/// Does it act between pairs of particles?
inline bool is_of_pairs(const Descriptor& force) {
    return !bonded_of(force) && !info_of(force) && force.name != "data-coefficients";
}

/// Is it a sum over all pairs of an open system?
inline bool is_bare(const Descriptor& force) {
    return force.name == "coulomb" || force.name == "gravity" || force.name == "logarithmic";
}

inline bool has_cutoff(const Descriptor& force) {
    for (const ParameterInfo& p : force.parameters)
        if (p.name == "cutoff") return !is_bare(force);
    return false;
}

inline bool has_key(const Descriptor& force, const char* key) {
    return std::any_of(force.parameters.begin(), force.parameters.end(),
                       [key](const ParameterInfo& p) { return p.name == key; });
}

/// Parameters of a potential between two species: its examples times a factor, and the cut-off.
struct PairRow {
    double factor = 1.0, cutoff = 2.2, inner = 1.6;
};

/// Assignments of a row without its cut-off; for curves the examples together would not make a
/// potential.
inline std::vector<std::string> numbers(const Descriptor& force, double factor) {
    if (force.name == "buckingham")
        return {fmt::format("a = {}", 1000.0 * factor), "rho = 0.2", fmt::format("c = {}", factor)};
    if (force.name == "formula")
        return {"u = \"a*exp(-r^2)/r\"", fmt::format("parameters = {{ a = {} }}", 1.3 * factor)};
    if (force.name == "table") return {fmt::format("file = \"{}\"", curve_file(factor))};
    std::vector<std::string> all;
    for (const ParameterInfo& p : force.parameters)
        if (p.required() && p.name != "cutoff")
            all.push_back(factor == 1.0 // examples of bonded forces need not be numbers
                              ? fmt::format("{} = {}", p.name, p.example)
                              : fmt::format("{} = {}", p.name, factor * std::stod(p.example)));
    return all;
}

inline std::vector<std::string> assignments(const Descriptor& force, const PairRow& row) {
    std::vector<std::string> all = numbers(force, row.factor);
    if (has_cutoff(force)) all.push_back(fmt::format("cutoff = {}", row.cutoff));
    if (has_key(force, "truncation")) all.push_back(fmt::format("inner = {}", row.inner));
    return all;
}

/// One potential for all pairs, or others for unlike pairs and for pairs of the second species.
inline std::string pair_parameters(const Descriptor& force, const PairRow& row,
                                   const std::vector<PairRow>& others = {}) {
    std::string text = fmt::format("{}\n", fmt::join(assignments(force, row), "\n"));
    if (has_key(force, "truncation")) text += "truncation = \"smooth-c2\"\n";
    if (has_key(force, "accuracy")) text += "accuracy = 1e-4\n"; // of the slope of a table
    if (others.empty() || !has_key(force, "pairs")) return text;
    return text + fmt::format("pairs = [{{ species = [\"A\", \"B\"], {} }}, {{ species = [\"B\", "
                              "\"B\"], {} }}]\n",
                              fmt::join(assignments(force, others.at(0)), ", "),
                              fmt::join(assignments(force, others.at(1)), ", "));
}
inline const std::vector<PairRow> other_rows = {{1.1, 2.0, 1.5}, {1.2, 2.1, 1.7}};

/// Periodic charges: their truncation error is below the tolerance of all forces together. The
/// virial of an Ewald sum lacks that of longer wave vectors.
template <int Dim>
std::string far_parameters(const Directions<Dim>& periodic, double accuracy) {
    return fmt::format("cutoff = 2.2\naccuracy = {}\n", accuracy) +
           (all_periodic<Dim>(periodic)
                ? ""
                : fmt::format("height = {}\nvacuum = 2.8\n", Dim == 2 ? 7.0 : 5.2));
}

/// Parameters of a force; those of a pair potential in a periodic box depend on the species.
template <int Dim>
std::string parameters(const Descriptor& force, const Directions<Dim>& periodic) {
    const auto at = [](const char* key, std::array<double, 3> v, Directions<Dim> zero = {}) {
        return fmt::format("{} = {}\n", key, vector<Dim>(v, zero));
    };
    Directions<Dim> open;
    for (std::size_t d = 0; d < Dim; ++d) open[d] = !periodic[d];
    const std::string wall =
        at("point", {-0.8, -0.9, -1.0}) + at("normal", {1.0, 0.5, 0.25}, periodic);
    const std::map<std::string, std::string> fields = {
        {"uniform-field",
         at("strength", {0.3, -0.2, 0.7}) +
             fmt::format("coupling = \"{}\"\n", all_open<Dim>(periodic) ? "mass" : "charge")},
        {"harmonic-trap", at("stiffness", {1.3, 0.2, 0.7}, periodic) +
                              at("centre", {1.0, 0.5, -0.3}) + "coupling = \"charge\"\n"},
        {"cosine-field", "amplitude = 1.7\nphase = 0.4\n" + at("periods", {1.0, -2.0, 1.0}, open) +
                             at("wave_vector", {0.8, -0.3, 0.4}, periodic)},
        {"wall-93", wall + "epsilon = 1.3\nsigma = 1.1\nspecies = [\"B\"]\n"},
        {"wall-harmonic", at("point", {2.0, 2.0, 2.0}) + at("normal", {0.2, 1.0, 0.5}, periodic) +
                              "stiffness = 3.0\n"}};
    if (const auto found = fields.find(force.name); found != fields.end()) return found->second;
    if (is_far(force))
        return far_parameters<Dim>(periodic, force.name.ends_with("-ewald") ? 1e-8 : 1e-7);
    if (force.name == "fene-bond") return "k = 30.0\nr_max = 40.0\n";
    if (info_of(force)) FAIL(force.name << " has no row of parameters here");
    const bool mixture = all_periodic<Dim>(periodic);
    return pair_parameters(force, {}, mixture ? other_rows : std::vector<PairRow>{});
}

/// Does the force exist in such a box?
template <int Dim>
bool exists(const Descriptor& force, const Directions<Dim>& periodic) {
    if (const BondedInfo* info = bonded_of(force)) return members_of(info->kind) <= Dim + 1;
    if (is_far(force))
        return Dim > 1 && !all_open<Dim>(periodic) &&
               (force.name.starts_with("coulomb") || (Dim == 2 && all_periodic<Dim>(periodic)));
    if (is_bare(force)) return all_open<Dim>(periodic);
    const FieldInfo* field = info_of(force);
    return !(field && field->in_open_directions && all_periodic<Dim>(periodic));
}

/// The particles for a force, bonded if the force is a bonded one.
template <int Dim>
Setup<Dim> setup_for(const Descriptor& force, const Directions<Dim>& periodic, bool excluded) {
    Setup<Dim> setup = points<Dim>(periodic);
    const auto bond = [&](BondedKind kind) {
        setup.topology = chains<Dim>(setup.start.position, setup.box, 15, 5, {kind});
    };
    if (const BondedInfo* info = bonded_of(force)) bond(info->kind);
    if (force.name == "data-coefficients") {
        bond(BondedKind::bond);
        setup.topology.coefficients = {{BondedKind::bond, "even", "harmonic", {4.0, 1.1}, "here"},
                                       {BondedKind::bond, "odd", "harmonic", {3.0, 0.9}, "here"}};
    }
    if (excluded) exclude_some(setup);
    return setup;
}

} // namespace shadow::test::force_rows
