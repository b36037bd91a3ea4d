// SPDX-License-Identifier: BSD-3-Clause
#include "support/catch.hpp"
#include "support/world.hpp"

#include <cmath>
#include <fmt/format.h>

using namespace shadow;

namespace {

/// M: the energy of a formula unit with charges +-1 (of fluorite 2 and -1) is -M / d, d the
/// distance of nearest neighbours.
struct Madelung {
    const char* name;
    int formula_units; ///< in a cell
    double nearest;    ///< d in units of the lattice constant
    double constant;   ///< M
    double cation = 1.0;
};

template <int Dim>
std::string ions(const Madelung& crystal, int repeat, const std::string& force) {
    std::string cells = std::to_string(repeat);
    for (int d = 1; d < Dim; ++d) cells += fmt::format(", {}", repeat);
    return fmt::format(R"(
[system]
dimension = {}
lattice = {{ type = "{}", repeat = [{}], constant = 1.0, species = ["M", "X"] }}
[[species]]
name = "M"
charge = {}
[[species]]
name = "X"
charge = -1.0
[[force]]
{}
[[observe]]
type = "thermo"
)",
                       Dim, crystal.name, cells, crystal.cation, force);
}

std::string damped(double alpha, double cutoff, const char* type = "coulomb-dsf") {
    return fmt::format("type = \"{}\"\nalpha = {}\ncutoff = {}", type, alpha, cutoff);
}

/// Damped charges in neutralised spheres have the energy of the crystal but for what Ewald's sums
/// (1921) put into the reciprocal lattice, exp(-(k / 2 alpha)^2) < 3e-7 here, k the shortest wave
/// vector with a structure factor (in the plane erfc(k / 2 alpha), likewise), and for the surfaces
/// of the spheres: erfc(alpha R) / R = 1.5e-6 of each of about ten ions that one has too many of.
template <int Dim>
void check_madelung(const Madelung& crystal) {
    const auto where = GENERATE(from_range(test::best_processors()));
    for (const char* type : {"coulomb-dsf", "coulomb-wolf"})
        for (const bool pair_is_double : {true, false}) {
            CAPTURE(where.name, crystal.name, pair_is_double, type);
            const std::string input = ions<Dim>(crystal, 8, damped(0.8, 3.999, type));
            test::World<Dim> world(where, test::read_setup<Dim>(input), input, pair_is_double);
            const double units = crystal.formula_units * std::pow(8.0, Dim);
            const double energy = world.measure().at("potential_energy").at(0) / units;
            CHECK(std::abs(energy * crystal.nearest + crystal.constant) < 2e-5 * crystal.cation);
        }
}

/// By Ewald's sum to rounding, by a mesh as requested: a crystal has no errors of charges at
/// random.
template <int Dim>
void check_periodic(const Madelung& crystal) {
    const auto where = GENERATE(from_range(test::best_processors()));
    const double units = crystal.formula_units * std::pow(4.0, Dim);
    const auto error = [&](const std::string& force) {
        const std::string input = ions<Dim>(crystal, 4, force);
        test::World<Dim> world(where, test::read_setup<Dim>(input), input);
        return std::abs(world.potential() / units * crystal.nearest + crystal.constant);
    };
    CAPTURE(where.name, crystal.name);
    CHECK(error("type = \"coulomb-ewald\"\naccuracy = 1e-12\ncutoff = 1.9") < 1e-10);
    for (const double accuracy : {1e-3, 1e-5, 1e-7})
        CHECK(error(fmt::format("type = \"coulomb-pme\"\naccuracy = {}\ncutoff = 1.9", accuracy)) <
              3.0 * accuracy);
}

} // namespace

TEST_CASE("periodic charges of ionic crystals have their Madelung constants") {
    check_periodic<3>({"rock-salt", 4, 0.5, 1.74756459463318});
    check_periodic<3>({"cscl", 1, std::sqrt(0.75), 1.76267477307099});
    check_periodic<3>({"zincblende", 4, std::sqrt(3.0) / 4.0, 1.63805505338879});
    check_periodic<3>({"fluorite", 4, std::sqrt(3.0) / 4.0, 5.038784879847, 2.0});
    check_periodic<2>({"checkerboard", 2, 0.5, 1.615542626713});
    check_periodic<2>({"honeycomb", 2, 1.0 / std::sqrt(3.0), 1.542219721704});
}

TEST_CASE("ionic crystals have the energies of their Madelung constants") {
    // Borwein et al., Lattice Sums Then and Now (2013), and Sakamoto, J. Chem. Phys. 28 (1958) 164.
    check_madelung<3>({"rock-salt", 4, 0.5, 1.747564594633});
    check_madelung<3>({"cscl", 1, std::sqrt(0.75), 1.762674773071});
    check_madelung<3>({"zincblende", 4, std::sqrt(3.0) / 4.0, 1.638055053389});
    check_madelung<3>({"fluorite", 4, std::sqrt(3.0) / 4.0, 5.038784879847, 2.0});
    check_madelung<2>({"checkerboard", 2, 0.5, 1.615542626713});
    check_madelung<2>({"honeycomb", 2, 1.0 / std::sqrt(3.0), 1.542219721704});
}

TEST_CASE("rock salt has the energy and pressure that LAMMPS gives it") {
    // LAMMPS (6 January 2022), pair_style coul/dsf 0.3 3.5 on ions at distance 1: its erfc is an
    // approximation to 1.5e-7 (Abramowitz and Stegun 7.1.26), of some 30 pairs an ion.
    const auto where = GENERATE(from_range(test::best_processors()));
    CAPTURE(where.name);
    const std::string input = ions<3>({"rock-salt", 4, 0.5, 0.0}, 4, damped(0.6, 1.75));
    test::World<3> world(where, test::read_setup<3>(input), input);
    const auto& values = world.measure();
    CHECK(std::abs(values.at("potential_energy").at(0) / (2.0 * 512.0) - -0.873220579158) < 5e-6);
    CHECK(std::abs(values.at("pressure").at(0) / 16.0 - -0.285765644011) < 5e-6);
}
