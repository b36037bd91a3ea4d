// SPDX-License-Identifier: BSD-3-Clause
#include "support/bonded_chain.hpp"
#include "support/catch.hpp"
#include "support/larger.hpp"
#include "support/oracle.hpp"
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
/// in periodic boxes: tests that are generated from the list of forces.
namespace {

/// What a bonded force is; null of another.
const BondedInfo* bonded_of(const Descriptor& force) {
    for (const BondedInfo* info : bonded_infos())
        if (force.name == info->name) return info;
    return nullptr;
}

/// A jittered lattice of two species with charges, of both signs in turn.
template <int Dim>
Setup<Dim> points(bool periodic) {
    const int side = Dim == 1 ? 20 : Dim == 2 ? 6 : 4;
    const double spacing = 1.15;
    std::array<double, Dim> lengths;
    std::array<bool, Dim> directions;
    lengths.fill(spacing * side);
    directions.fill(periodic);
    const Box<Dim> box = periodic ? Box<Dim>(lengths, directions) : Box<Dim>();
    const int n = static_cast<int>(std::lround(std::pow(side, Dim)));
    Setup<Dim> setup = setup_of<Dim>(jittered_points<Dim>(n, spacing, 0.15, 7), box, 2);
    setup.start.species_table[0].charge = 0.6;
    setup.start.species_table[1].charge = -0.6;
    if (periodic) setup.start.image[3].fill(2); // fields undo images
    return setup;
}

template <int Dim>
std::string vector(std::array<double, 3> v) {
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
std::string parameters(const Descriptor& force, bool periodic) {
    const auto at = [](const char* key, std::array<double, 3> v) {
        return fmt::format("{} = {}\n", key, vector<Dim>(v));
    };
    const std::string wall = at("point", {-0.8, -0.9, -1.0}) + at("normal", {1.0, 0.5, 0.25});
    const std::map<std::string, std::string> fields = {
        {"uniform-field", at("strength", {0.3, -0.2, 0.7}) +
                              (periodic ? "coupling = \"charge\"\n" : "coupling = \"mass\"\n")},
        {"harmonic-trap", at("stiffness", {1.3, 0.2, 0.7}) + at("centre", {1.0, 0.5, -0.3}) +
                              "coupling = \"charge\"\n"},
        {"cosine-field",
         "amplitude = 1.7\nphase = 0.4\n" +
             (periodic ? at("periods", {1.0, -2.0, 1.0}) : at("wave_vector", {0.8, -0.3, 0.4}))},
        {"wall-93", wall + "epsilon = 1.3\nsigma = 1.1\nspecies = [\"B\"]\n"},
        {"wall-harmonic",
         at("point", {2.0, 2.0, 2.0}) + at("normal", {0.2, 1.0, 0.5}) + "stiffness = 3.0\n"}};
    if (const auto found = fields.find(force.name); found != fields.end()) return found->second;
    if (is_far(force)) return "cutoff = 2.2\naccuracy = 1e-8\n";
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
    }
    if (smooth) return text + "cutoff = 2.2\ninner = 1.6\ntruncation = \"smooth-c2\"\n";
    return text + (has_cutoff(force) ? "cutoff = 2.2\n" : "");
}

/// Does the force exist there?
bool exists(const Descriptor& force, bool periodic, int dimension) {
    if (const BondedInfo* info = bonded_of(force)) return members_of(info->kind) <= dimension + 1;
    if (is_far(force))
        return periodic &&
               (dimension == 2 || (dimension == 3 && force.name.starts_with("coulomb")));
    if (!periodic) return true;
    const FieldInfo* field = info_of(force);
    return field ? !field->in_open_directions : !is_bare(force);
}

template <int Dim>
struct Case {
    TestBackend where;
    std::string input;

    [[nodiscard]] double energy(const Setup<Dim>& setup) const {
        return World<Dim>(where, setup, input).potential();
    }
    /// Slope of the energy with what `change(setup, h)` does.
    template <class Change>
    [[nodiscard]] double slope(const Setup<Dim>& setup, Change&& change) const {
        constexpr double h = 1e-5;
        Setup<Dim> up = setup, down = setup;
        change(up, h);
        change(down, -h);
        return (energy(up) - energy(down)) / (2.0 * h);
    }
};

/// Relative to all forces and the energy: a difference leaves h^2 / 6 of the third derivative and
/// 1e-16 / h of the energy.
constexpr double claim_tolerance = 2e-8;
/// The same of what is no difference.
template <int Dim>
double claim_rounding(const ForceClaims<Dim>& claims) {
    return std::max(1e-11, claims.accuracy);
}

/// Of a force that has several terms: periodic charges.
template <int Dim>
ForceClaims<Dim> claims_of(const World<Dim>& world) {
    ForceClaims<Dim> all = world.claims().front();
    for (const ForceClaims<Dim>& claims : world.claims()) {
        all.conservative = all.conservative && claims.conservative;
        all.has_virial = all.has_virial && claims.has_virial;
        all.local_to_molecule = all.local_to_molecule && claims.local_to_molecule;
        all.accuracy = std::max(all.accuracy, claims.accuracy);
    }
    return all;
}

template <int Dim>
void check_gradient(const Case<Dim>& c, const Setup<Dim>& setup, const Vectors<Dim>& force,
                    double scale) {
    for (const std::size_t i : {0UL, 3UL, 10UL})
        for (std::size_t d = 0; d < Dim; ++d) {
            const double expected =
                -c.slope(setup, [&](Setup<Dim>& s, double h) { s.start.position[i][d] += h; });
            CHECK(std::abs(force[i][d] - expected) < claim_tolerance * scale);
        }
}

template <int Dim>
void check_invariance(const Case<Dim>& c, const Setup<Dim>& setup, const Vectors<Dim>& force,
                      const ForceClaims<Dim>& claims, double scale) {
    for (std::size_t d = 0; d < Dim; ++d) {
        const double here = c.energy(setup);
        Setup<Dim> moved = setup;
        for (auto& x : moved.start.position) x[d] += 0.31;
        const double change = std::abs(c.energy(moved) - here);
        double sum = 0.0;
        for (const auto& f : force) sum += f[d];
        CAPTURE(d, change, sum);
        CHECK((change < claim_rounding(claims) * scale) == claims.invariance.along[d]);
        CHECK((std::abs(sum) < 1e-11 * scale) == claims.invariance.along[d]);
    }
}

/// A force that exists in a periodic box is the same in the next.
template <int Dim>
void check_images(const Case<Dim>& c, const Setup<Dim>& setup, const Vectors<Dim>& force,
                  double scale) {
    Setup<Dim> moved = setup;
    moved.start.image[5].fill(-1);
    const auto there = World<Dim>(c.where, moved, c.input).forces();
    for (std::size_t d = 0; d < Dim; ++d)
        CHECK(std::abs(there[5][d] - force[5][d]) < 1e-11 * scale);
}

/// W = -dU/dstrain of all that has a length, along each direction.
template <int Dim>
void check_virial(const Case<Dim>& c, const Setup<Dim>& setup, const SymmetricTensor<Dim>& virial,
                  const ForceClaims<Dim>& claims, double scale) {
    for (std::size_t d = 0; d < Dim; ++d) {
        const double found = virial.component[d];
        if (!claims.has_virial) {
            CHECK(found == 0.0);
            continue;
        }
        const double expected = -c.slope(setup, [&](Setup<Dim>& s, double h) {
            auto lengths = s.box.lengths();
            lengths[d] *= 1.0 + h;
            if (!s.box.is_open()) s.box = Box<Dim>(lengths, s.box.periodic());
            for (auto& x : s.start.position) x[d] *= 1.0 + h;
        });
        CHECK(std::abs(found - expected) < claim_tolerance * scale);
    }
}

/// Molecules are chains of five: one moves, and its energy does not change.
template <int Dim>
void check_locality(const Case<Dim>& c, const Setup<Dim>& setup, const ForceClaims<Dim>& claims,
                    double scale) {
    if (!claims.local_to_molecule) return;
    Setup<Dim> moved = setup;
    const auto path = path_through<Dim>(setup.start.position, setup.box, 10);
    for (std::size_t k = 5; k < 10; ++k)
        for (double& x : moved.start.position[path[k]]) x += 0.37;
    CHECK(std::abs(c.energy(moved) - c.energy(setup)) < 1e-11 * scale);
}

template <int Dim>
void check_all(const TestBackend& where, bool periodic) {
    for (const Descriptor& force : forces()) {
        if (!exists(force, periodic, Dim)) continue;
        Setup<Dim> setup = points<Dim>(periodic);
        if (const BondedInfo* info = bonded_of(force))
            setup.topology = chains<Dim>(setup.start.position, setup.box, 15, 5, {info->kind});
        if (force.name == "data-coefficients") {
            setup.topology =
                chains<Dim>(setup.start.position, setup.box, 15, 5, {BondedKind::bond});
            setup.topology.coefficients = {
                {BondedKind::bond, "even", "harmonic", {4.0, 1.1}, "here"},
                {BondedKind::bond, "odd", "harmonic", {3.0, 0.9}, "here"}};
        }
        const Case<Dim> c{where, fmt::format("[[force]]\ntype = \"{}\"\n{}", force.name,
                                             parameters<Dim>(force, periodic))};
        CAPTURE(c.input, periodic);
        World<Dim> world(where, setup, c.input);
        const auto found = world.forces();
        REQUIRE(world.claims().size() == (is_far(force) ? 2 : 1));
        const ForceClaims<Dim> claims = claims_of<Dim>(world);
        double scale = std::abs(world.potential());
        for (const auto& f : found)
            for (const double component : f) scale += std::abs(component);
        CHECK(scale > 0.1);
        CHECK(claims.conservative); // all of them so far
        check_gradient<Dim>(c, setup, found, scale);
        check_invariance<Dim>(c, setup, found, claims, scale);
        if (periodic) check_images<Dim>(c, setup, found, scale);
        check_virial<Dim>(c, setup, world.virial(), claims, scale);
        check_locality<Dim>(c, setup, claims, scale);
    }
}

} // namespace

TEMPLATE_TEST_CASE_SIG("every force does what it claims", "", ((int Dim), Dim), 1, 2, 3) {
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    check_all<Dim>(where, false);
    check_all<Dim>(where, true);
}

TEMPLATE_TEST_CASE_SIG("a field along one direction leaves the others alone", "", ((int Dim), Dim),
                       2, 3) {
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    Setup<Dim> setup = points<Dim>(false);
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
