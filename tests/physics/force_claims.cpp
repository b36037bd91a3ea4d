// SPDX-License-Identifier: BSD-3-Clause
#include "support/bonded_chain.hpp"
#include "support/catch.hpp"
#include "support/claim_checks.hpp"
#include "support/pair_system.hpp"
#include "support/temporary_folder.hpp"
#include "support/world.hpp"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

using namespace shadow;
using namespace shadow::test;

/// Every force does what it claims (ForceClaims), on every backend, in each dimension, in open and
/// periodic boxes, slabs and wires, charges and other pairs also with some that are excluded or
/// scaled: tests that are generated from the list of forces.
namespace {

/// What a bonded force is; null of another.
const BondedInfo* bonded_of(const Descriptor& force) {
    for (const BondedInfo* info : bonded_infos())
        if (force.name == info->name) return info;
    return nullptr;
}

template <int Dim>
using Directions = std::array<bool, Dim>;

/// Open, periodic, and of slabs and wires one of each.
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

/// A jittered lattice of two species with charges, of both signs in turn.
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

/// Neighbours of some particles are excluded, and every second of these pairs is scaled.
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

/// What a field is; null of a potential.
const FieldInfo* info_of(const Descriptor& force) {
    for (const FieldInfo* info : field_infos())
        if (force.name == info->name) return info;
    return nullptr;
}

/// Rows of a potential.
const std::filesystem::path& curve_file() {
    static const TemporaryFolder folder;
    static const std::filesystem::path file = [] {
        std::string rows;
        for (double r = 0.4; r < 2.3; r += 0.004)
            rows += fmt::format("{:.17g} {:.17g}\n", r, 2.0 * std::cos(1.3 * r) * std::exp(-r));
        return folder.write("u.dat", rows);
    }();
    return file;
}

/// Periodic charges have a term of pairs and one of wave vectors.
bool is_far(const Descriptor& force) {
    return force.name.ends_with("-pme") || force.name.ends_with("-ewald");
}

/// Pairs of particles have it.
bool is_of_pairs(const Descriptor& force) {
    return !bonded_of(force) && !info_of(force) && force.name != "data-coefficients";
}

/// Over all pairs of an open system.
bool is_bare(const Descriptor& force) {
    return force.name == "coulomb" || force.name == "gravity" || force.name == "logarithmic";
}

bool has_cutoff(const Descriptor& force) {
    for (const ParameterInfo& p : force.parameters)
        if (p.name == "cutoff") return !is_bare(force);
    return false;
}

/// Parameters of the fields; of a potential they are its examples.
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
    // What they leave out is less than the tolerance of all forces together; of a sum the virial
    // lacks that of longer wave vectors.
    if (is_far(force))
        return fmt::format("cutoff = 2.2\naccuracy = {}\n",
                           force.name.ends_with("-ewald") ? 1e-8 : 1e-7) +
               (all_periodic<Dim>(periodic)
                    ? ""
                    : fmt::format("height = {}\nvacuum = 2.8\n", Dim == 2 ? 7.0 : 5.2));
    if (force.name == "fene-bond") return "k = 30.0\nr_max = 40.0\n";
    if (info_of(force)) FAIL(force.name << " has no row of parameters here");
    std::string text;
    bool smooth = false;
    const std::map<std::string, std::string> curves = {
        {"buckingham", "a = 1000.0\nrho = 0.2\nc = 1.0\n"},
        {"formula", "u = \"a*exp(-r^2)/r\"\nparameters = { a = 1.3 }\n"},
        {"table", fmt::format("file = \"{}\"\n", curve_file().string())}};
    const auto found = curves.find(force.name);
    if (found != curves.end()) text = found->second;
    for (const ParameterInfo& p : force.parameters) {
        if (found == curves.end() && p.required() && p.name != "cutoff")
            text += fmt::format("{} = {}\n", p.name, p.example);
        smooth = smooth || p.name == "truncation";
        if (p.name == "accuracy") text += "accuracy = 1e-4\n"; // a table, whose slope is the force
    }
    if (smooth) return text + "cutoff = 2.2\ninner = 1.6\ntruncation = \"smooth-c2\"\n";
    return text + (has_cutoff(force) ? "cutoff = 2.2\n" : "");
}

/// Does the force exist there?
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

/// The particles of a row, bonded where the force is of bonds.
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

template <int Dim>
void check_row(const TestBackend& where, const Descriptor& force, const Directions<Dim>& periodic,
               bool excluded) {
    const Setup<Dim> setup = setup_for<Dim>(force, periodic, excluded);
    const ForceCase<Dim> c{where, fmt::format("[[force]]\ntype = \"{}\"\n{}", force.name,
                                              parameters<Dim>(force, periodic))};
    CAPTURE(c.input, periodic, excluded);
    World<Dim> world(where, setup, c.input);
    const SymmetricTensor<Dim> alone = world.virial_alone();
    const auto found = world.forces();
    const std::size_t terms = is_far(force) ? 2 : 1;
    REQUIRE((excluded ? world.claims().size() > terms : world.claims().size() == terms));
    const ForceClaims<Dim> claims = claims_of<Dim>(world);
    CHECK(world.plan().template claims<Dim>() == world.claims());
    CHECK(world.system().degrees_of_freedom() ==
          degrees_of_freedom(world.system().size(),
                             conserved_momenta(setup.box, invariance_of(world.claims()))));
    double scale = std::abs(world.potential());
    for (const auto& f : found)
        for (const double component : f) scale += std::abs(component);
    CHECK(scale > 0.03);
    CHECK(claims.conservative); // all of them so far
    check_gradient<Dim>(c, setup, found, scale);
    check_invariance<Dim>(c, setup, found, claims, scale);
    check_images<Dim>(c, setup, found, scale);
    const SymmetricTensor<Dim> virial = world.virial();
    check_virial<Dim>(c, setup, virial, claims, scale);
    for (int k = 0; k < tensor_size<Dim>; ++k)
        CHECK(std::abs(alone.component[k] - virial.component[k]) <= 1e-12 * scale);
    if constexpr (Dim > 1) check_turned<Dim>(c, setup, world.virial(), claims, scale);
    check_locality<Dim>(c, setup, claims, scale);
}

template <int Dim>
void check_all(const TestBackend& where) {
    for (const Descriptor& force : forces())
        for (const Directions<Dim>& periodic : boxes<Dim>()) {
            if (!exists<Dim>(force, periodic)) continue;
            check_row<Dim>(where, force, periodic, false);
            // Between masses there is no pair without it; a wire adds nothing to that of a slab.
            if (is_of_pairs(force) && force.name != "gravity" && !is_wire<Dim>(periodic))
                check_row<Dim>(where, force, periodic, true);
        }
}

} // namespace

TEMPLATE_TEST_CASE_SIG("every force does what it claims", "", ((int Dim), Dim), 1, 2, 3) {
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    check_all<Dim>(where);
}

TEMPLATE_TEST_CASE_SIG("forces of any kind leave the momenta that none of them changes", "",
                       ((int Dim), Dim), 1, 2, 3) {
    for (std::size_t breaks = 0; breaks < 3; ++breaks) // the first of three, or another
        for (std::size_t d = 0; d < Dim; ++d) {
            std::vector<ForceClaims<Dim>> all(3);
            all[breaks].invariance.along[d] = false;
            const Invariance<Dim> found = invariance_of(all);
            for (std::size_t e = 0; e < Dim; ++e) CHECK(found.along[e] == (e != d));
            CHECK(degrees_of_freedom(9, conserved_momenta(Box<Dim>(), found)) ==
                  static_cast<double>(9 * Dim - (Dim - 1) - (Dim == 3 ? 1 : 0)));
            all[breaks].invariance = {};
            all[breaks].invariance.turning[d] = false;
            CHECK(invariance_of(all).along == Invariance<Dim>{}.along);
            CHECK(invariance_of(all).turning == all[breaks].invariance.turning);
        }
}

TEST_CASE("uniform forces on the whole cancel each other where both are constant") {
    std::vector<ForceClaims<2>> all(3);
    for (const std::size_t k : {0UL, 2UL}) {
        all[k].invariance.along[1] = all[k].invariance.turning[1] = false;
        all[k].uniform[1] = k == 0 ? 0.3 : -0.3;
    }
    const auto along = [&] { return invariance_of(all).along; };
    CHECK(along() == std::array{true, true});
    CHECK_FALSE(invariance_of(all).turning[1]);
    all[1].invariance.along[1] = false; // nothing cancels this one
    CHECK(along() == std::array{true, false});
    all[1] = {};
    all[2].uniform[1] = -0.2;
    CHECK(along() == std::array{true, false});
    all[2].uniform[1] = -0.3;
    all[2].constant = false;
    CHECK(along() == std::array{true, false});
}

TEMPLATE_TEST_CASE_SIG("a field along one direction leaves the others alone", "", ((int Dim), Dim),
                       2, 3) {
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    const Setup<Dim> setup = points<Dim>({});
    const std::string last =
        vector<Dim>(Dim == 2 ? std::array{0.0, 1.0, 0.0} : std::array{0.0, 0.0, 1.0});
    for (const std::string& field :
         {"type = \"uniform-field\"\nstrength = " + last,
          "type = \"harmonic-trap\"\nstiffness = " + last,
          "type = \"wall-harmonic\"\nstiffness = 1.0\npoint = " + last + "\nnormal = " + last}) {
        World<Dim> world(where, setup, "[[force]]\n" + field);
        CAPTURE(field);
        for (std::size_t d = 0; d + 1 < Dim; ++d) CHECK(world.claims().front().invariance.along[d]);
        CHECK_FALSE(world.claims().front().invariance.along[Dim - 1]);
        // All but one momentum, and in space the one angular momentum about z.
        CHECK(world.system().degrees_of_freedom() ==
              static_cast<double>(Dim * world.size() - (Dim == 2 ? 1 : 3)));
    }
}
