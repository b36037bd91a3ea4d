// SPDX-License-Identifier: BSD-3-Clause
// Excluded pairs of charges that are in the field of all others.
#include "support/catch.hpp"
#include "support/pair_system.hpp"

#include <cmath>
#include <fmt/format.h>

using namespace shadow;
using namespace shadow::test;

namespace {

/// Four charges, of which the first two are bonded.
template <int Dim>
Setup<Dim> system_with(double r, bool excluded) {
    std::array<double, Dim> lengths;
    std::array<bool, Dim> periodic;
    lengths.fill(12.0);
    periodic.fill(true);
    std::vector<std::array<double, Dim>> points(4);
    for (std::size_t k = 0; k < 4; ++k)
        for (std::size_t d = 0; d < Dim; ++d)
            points[k][d] = 1.0 + (d == 1 ? 3.0 * static_cast<double>(k / 2) : 0.0) +
                           (d == 0 ? 2.5 * static_cast<double>(k % 2) : 0.0);
    points[1][0] = 1.0 + r;
    Setup<Dim> setup = setup_of<Dim>(points, Box<Dim>(lengths, periodic), 2);
    setup.start.species = {0, 1, 1, 0};
    setup.start.species_table[0].charge = 0.8;
    setup.start.species_table[1].charge = -0.8;
    setup.topology.group(BondedKind::bond, "b").members = {0, 1};
    if (excluded) setup.topology.excluded = {{0, 1}};
    return setup;
}

/// All that excluding a pair takes away is what it has by itself.
template <int Dim>
void check(const TestBackend& where, const std::string& type, double tolerance) {
    const std::string input = type + "[[force]]\ntype = \"harmonic-bond\"\nk = 0.0\nr0 = 1.0\n";
    const bool plane = type.find("\"logarithmic") != std::string::npos;
    for (const double r : {0.05, 0.9, 2.9, 3.1, 4.5}) {
        CAPTURE(type, r);
        World<Dim> in(where, system_with<Dim>(r, false), input),
            out(where, system_with<Dim>(r, true), input);
        const double q2 = -0.64, u = plane ? -q2 * std::log(r) : q2 / r,
                     f = plane ? q2 / r : q2 / (r * r);
        CHECK(std::abs(out.potential() - (in.potential() - u)) < tolerance / r);
        CHECK(std::abs(out.forces()[0][0] - (in.forces()[0][0] + f)) < tolerance / (r * r));
        CHECK(std::abs(out.forces()[1][0] - (in.forces()[1][0] - f)) < tolerance / (r * r));
        CHECK(std::abs(out.virial().component[0] - (in.virial().component[0] - f * r)) <
              tolerance / r);
    }
}

} // namespace

TEST_CASE("an excluded pair of charges in a field loses what it has by itself") {
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    const auto force = [](const char* type, const std::string& more) {
        return fmt::format("[[force]]\ntype = \"{}\"\n{}", type, more);
    };
    check<2>(where, force("reaction-field", "epsilon_rf = 20.0\ncutoff = 3.0\n"), 1e-8);
    check<3>(where, force("reaction-field", "epsilon_rf = inf\ncutoff = 3.0\n"), 1e-8);
    check<3>(where, force("coulomb-dsf", "alpha = 0.3\ncutoff = 3.0\n"), 1e-9);
    check<2>(where, force("coulomb-wolf", "alpha = 0.3\ncutoff = 3.0\n"), 1e-9);
    check<3>(where, force("coulomb-ewald", "accuracy = 1e-4\n"), 1e-9);
    check<2>(where, force("coulomb-pme", "accuracy = 1e-4\n"), 1e-9);
    check<2>(where, force("logarithmic-pme", "accuracy = 1e-4\ncutoff = 2.8\n"), 1e-8);
    check<2>(where, force("logarithmic-ewald", "accuracy = 1e-4\nstrength = 1.0\n"), 1e-8);
}
