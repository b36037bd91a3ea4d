// SPDX-License-Identifier: BSD-3-Clause
// Excluded pairs of charges that are in the field of all others.
#include "support/catch.hpp"
#include "support/world.hpp"

#include <cmath>
#include <fmt/format.h>

using namespace shadow;
using namespace shadow::test;

namespace {

/// Four charges, of which the first two are bonded. Of those that are excluded `factor` is left.
template <int Dim>
Setup<Dim> system_with(double r, bool excluded, double factor = 0.0) {
    std::array<double, Dim> lengths;
    std::array<bool, Dim> periodic;
    lengths.fill(12.0);
    periodic.fill(true);
    std::vector<std::array<double, Dim>> points(4);
    for (std::size_t k = 0; k < 4; ++k)
        for (std::size_t d = 0; d < Dim; ++d)
            points[k][d] =
                1.0 +
                (d == 1 || Dim == 1 ? (Dim == 1 ? 6.3 : 3.0) * static_cast<double>(k / 2) : 0.0) +
                (d == 0 ? 2.5 * static_cast<double>(k % 2) : 0.0);
    points[1][0] = 1.0 + r;
    Setup<Dim> setup = setup_of<Dim>(points, Box<Dim>(lengths, periodic), 2);
    setup.start.species = {0, 1, 1, 0};
    setup.start.species_table[0].charge = 0.8;
    setup.start.species_table[1].charge = -0.8;
    setup.topology.group(BondedKind::bond, "b").members = {0, 1};
    if (excluded) setup.topology.excluded = {{0, 1}};
    if (factor > 0.0) setup.topology.scaled = {{{0, 1}, 1.0, factor}};
    return setup;
}

/// All that excluding a pair takes away is what it has by itself, within the cut-off of a force
/// that has one; what it keeps of that is its factor.
template <int Dim>
void check(const TestBackend& where, const std::string& type, double tolerance,
           double cutoff = HUGE_VAL, double factor = 0.0, bool pair_is_double = true) {
    const std::string input = type + "[[force]]\ntype = \"harmonic-bond\"\nk = 0.0\nr0 = 1.0\n";
    const bool plane = type.find("\"logarithmic") != std::string::npos;
    for (const double r : {0.05, 0.9, 2.9, 3.1, 4.5}) {
        CAPTURE(Dim, type, r, factor, pair_is_double);
        World<Dim> in(where, system_with<Dim>(r, false), input, pair_is_double),
            out(where, system_with<Dim>(r, true, factor), input, pair_is_double);
        const double q2 = r < cutoff ? -0.64 * (1.0 - factor) : 0.0,
                     u = plane ? -q2 * std::log(r) : q2 / r, f = plane ? q2 / r : q2 / (r * r);
        CHECK(std::abs(out.potential() - (in.potential() - u)) < tolerance / r);
        CHECK(std::abs(out.forces()[0][0] - (in.forces()[0][0] + f)) < tolerance / (r * r));
        CHECK(std::abs(out.forces()[1][0] - (in.forces()[1][0] - f)) < tolerance / (r * r));
        CHECK(std::abs(out.virial().component[0] - (in.virial().component[0] - f * r)) <
              tolerance / r);
    }
}

/// Of a force that ends at 3, excluded and scaled.
template <int Dim>
void check_ended(const TestBackend& where, const std::string& type, double tolerance) {
    for (const double factor : {0.0, 0.4}) {
        check<Dim>(where, type, tolerance, 3.0, factor);
        // Coordinates up to 6 in single precision are good to 4e-7, two of them at 0.05 to 1.4e-5
        // of it, and 1/r^2 to twice that.
        check<Dim>(where, type, 2e-5, 3.0, factor, false);
    }
}

std::string force_of(const char* type, const std::string& more) {
    return fmt::format("[[force]]\ntype = \"{}\"\n{}", type, more);
}

} // namespace

TEST_CASE("an excluded pair of charges in a field loses what it has by itself") {
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    check<3>(where, force_of("coulomb-ewald", "accuracy = 1e-4\n"), 1e-9);
    check<2>(where, force_of("coulomb-pme", "accuracy = 1e-4\n"), 1e-9);
    check<2>(where, force_of("logarithmic-pme", "accuracy = 1e-4\ncutoff = 2.8\n"), 1e-8);
    check<2>(where, force_of("logarithmic-ewald", "accuracy = 1e-4\nstrength = 1.0\n"), 1e-8);
}

TEST_CASE("beyond the cut-off excluded and scaled pairs of charges have nothing") {
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    for (const auto& [type, tolerance] :
         {std::pair{force_of("reaction-field", "epsilon_rf = 20.0\ncutoff = 3.0\n"), 1e-8},
          std::pair{force_of("reaction-field", "epsilon_rf = inf\ncutoff = 3.0\n"), 1e-8},
          std::pair{force_of("coulomb-dsf", "alpha = 0.3\ncutoff = 3.0\n"), 1e-9},
          std::pair{force_of("coulomb-wolf", "alpha = 0.3\ncutoff = 3.0\n"), 1e-9}}) {
        check_ended<1>(where, type, tolerance);
        check_ended<2>(where, type, tolerance);
        check_ended<3>(where, type, tolerance);
    }
}

TEST_CASE("what a reaction field has of an excluded pair is finite where they meet") {
    const auto where = GENERATE(from_range(best_processors()));
    const std::string field = force_of("reaction-field", "epsilon_rf = inf\ncutoff = 3.0\n");
    const auto setup = [](double r) {
        Setup<3> pair = system_with<3>(r, true);
        pair.topology.groups.clear(); // a bond is infinite there
        return pair;
    };
    World<3> apart(where, setup(1e-6), field), met(where, setup(0.0), field);
    CHECK(met.potential() == Approx(apart.potential()).epsilon(1e-6));
    for (const BondedDescription& terms : met.plan().of<BondedDescription>())
        if (terms.name == "reaction-field_excluded") CHECK(std::string(terms.info->infinite) == "");
}
