// SPDX-License-Identifier: BSD-3-Clause
#include "src/run/start.hpp"

#include "support/catch.hpp"
#include "support/contains.hpp"

#include <cmath>

using namespace shadow;
using test::contains;

namespace {

Start argon(double temperature, const std::string& file_units) {
    Start start;
    start.particles = 4;
    start.species = {{"Ar", 4, 39.948, 0.0}};
    start.lengths = {5.0, 5.0, 5.0};
    start.temperature = temperature;
    start.file_units = file_units;
    return start;
}

std::string warning(const Start& start, const char* units) {
    std::string all;
    for (const std::string& line : start_warnings(start, units_named(units))) all += line + "\n";
    return all;
}

} // namespace

TEST_CASE("velocities in other units give a warning, and units that fit are named") {
    // 300 K, whose velocities were taken for Angstrom per 48.88821 fs.
    const double akma = 48.88821290839616;
    const std::string real = warning(argon(300.0 / (akma * akma), "akma"), "akma");
    CHECK(contains(real, "0.1255 K"));
    CHECK(contains(real, "\"lammps-real\" it is 300 K"));
    const std::string metal = warning(argon(300.0 * std::pow(1000.0 / akma, 2), "akma"), "akma");
    CHECK(contains(metal, "\"lammps-metal\" it is 300 K"));
    CHECK(contains(warning(argon(300.0 * std::pow(10.1805057 / akma, 2), "akma"), "akma"),
                   "\"ase\" it is 300 K"));
    CHECK(warning(argon(300.0, "akma"), "akma").empty());
    CHECK(warning(argon(0.0, "akma"), "akma").empty());
    CHECK(warning(argon(0.1, ""), "akma").empty()); // drawn
    CHECK(warning(argon(0.1, "lj"), "lj").empty());
}

TEST_CASE("charges that do not act, or do not cancel where they should, are said") {
    Start start = argon(300.0, "");
    start.species = {{"A", 3, 1.0, 1.0}, {"B", 1, 1.0, -1.0}};
    CHECK(contains(warning(start, "lj"), "nothing acts"));
    start.charges_act = true;
    CHECK(warning(start, "lj").empty());
    start.c_rf = 0.5;
    CHECK(contains(warning(start, "lj"), "total charge of 2 q (a reaction field"));
    start.lengths = {INFINITY, INFINITY, INFINITY};
    CHECK(warning(start, "lj").empty());
    start.lengths = {5.0, 5.0, 5.0};
    start.c_rf = 0.0;
    start.charges_are_bare = true;
    CHECK(contains(warning(start, "lj"), "opposite charges"));
    start.opposites_meet = false;
    CHECK(warning(start, "lj").empty());
    start.charges_are_damped = true;
    CHECK(contains(warning(start, "lj"), "total charge of 2 q"));
    start.species[1].particles = 3;
    CHECK(warning(start, "lj").empty());
    start.species[1].charge = -1.0001; // digits
    CHECK(warning(start, "lj").empty());
    start.species = {{"A", 4, 1.0, 0.0}, {"B", 0, 1.0, 1.0}}; // no particles
    start.charges_act = start.charges_are_damped = false;
    CHECK(warning(start, "lj").empty());
}

TEST_CASE("a start is told in the units of the run") {
    Start start = argon(300.0, "");
    start.density = 0.032;
    start.degrees_of_freedom = 9;
    start.potential_energy = -0.5;
    start.largest_force = 2.0;
    start.frames = 11;
    start.trajectory_bytes = 1024.0 * 1024.0 * 1.5;
    std::string all;
    for (const std::string& line : start_lines(start, units_named("akma"))) all += line + "\n";
    CHECK(contains(all, "4 particles: 4 Ar (mass 39.948, charge 0)"));
    CHECK(contains(all, "box 5 x 5 x 5 Angstrom, density 0.032 1/Angstrom^3"));
    CHECK(contains(all, "T = 300 K of 9 degrees of freedom, U/N = -0.5 kcal mol-1"));
    CHECK(contains(all, "2 kcal mol-1/Angstrom"));
    CHECK(contains(all, "trajectory 1.5 MiB in 11 frames"));
    CHECK_FALSE(contains(all, "total charge"));
    start.species.resize(20, {"B", 1, 1.0, 0.5});
    start.lengths[2] = INFINITY;
    all.clear();
    for (const std::string& line : start_lines(start, units_named("lj"))) all += line + "\n";
    CHECK(contains(all, "and 12 more species"));
    CHECK(contains(all, "5 x 5 x open sigma"));
    CHECK(contains(all, "total charge 9.5 q"));
}
