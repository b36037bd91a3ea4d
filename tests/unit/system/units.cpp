// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/system/units.hpp"

#include "support/catch.hpp"

#include "shadow/core/error.hpp"

#include <cmath>

using namespace shadow;

TEST_CASE("akma units are consistent") {
    const Units& akma = units_named("akma");
    // M11-5 of seed-002: 20.455 units of time in a picosecond; k_B and the Coulomb constant as
    // printed there agree to 1e-5 with the CODATA values.
    CHECK(std::abs(1000.0 / akma.femtoseconds - 20.455) < 5e-4);
    CHECK(std::abs(akma.boltzmann / 1.987191e-3 - 1.0) < 2e-5);
    CHECK(std::abs(akma.coulomb / 332.0637 - 1.0) < 1e-6);
    // 1 amu (Angstrom/fs)^2 = 2390.0574 kcal/mol
    CHECK(std::abs(akma.femtoseconds * akma.femtoseconds / 2390.0573613767 - 1.0) < 1e-9);
    CHECK(units_named("lj").boltzmann == 1.0);
    CHECK(units_named("lj").coulomb == 1.0);
    CHECK_THROWS_AS(units_named("si"), InputError);
}

TEST_CASE("units are spelt out in lowest terms") {
    // Everything that an observable, a fluctuation or a parameter is measured in, and more.
    const struct {
        const char *dimension, *lj, *akma;
    } rows[] = {
        {"", "", ""},
        {"1", "", ""},
        {"steps", "steps", "steps"},
        {"energy", "epsilon", "kcal mol-1"},
        {"energy^2", "epsilon^2", "(kcal mol-1)^2"},
        {"charge", "q", "e"},
        {"1/length", "1/sigma", "1/Angstrom"},
        {"1/length^3", "1/sigma^3", "1/Angstrom^3"},
        {"length^2", "sigma^2", "Angstrom^2"},
        {"temperature", "epsilon/k_B", "K"},
        {"time", "sigma sqrt(m/epsilon)", "48.88821 fs"},
        {"1/time", "sqrt(epsilon/m)/sigma", "1/(48.88821 fs)"},
        {"length/time", "sqrt(epsilon/m)", "Angstrom/(48.88821 fs)"},
        {"time/length", "sqrt(m/epsilon)", "(48.88821 fs)/Angstrom"},
        {"length^2/time", "sigma sqrt(epsilon/m)", "Angstrom^2/(48.88821 fs)"},
        {"length^2/time^2", "epsilon/m", "Angstrom^2/(48.88821 fs)^2"},
        {"mass length/time", "sqrt(m epsilon)", "u Angstrom/(48.88821 fs)"},
        {"mass length^2/time", "sigma sqrt(m epsilon)", "u Angstrom^2/(48.88821 fs)"},
        {"energy time^2", "sigma^2 m", "kcal mol-1 (48.88821 fs)^2"},
        {"energy/length^2", "epsilon/sigma^2", "kcal mol-1/Angstrom^2"},
        {"energy/length^3", "epsilon/sigma^3", "kcal mol-1/Angstrom^3"},
        {"energy time/length^3", "sqrt(epsilon m)/sigma^2", "kcal mol-1 (48.88821 fs)/Angstrom^3"},
        {"energy/(length^2 time)", "epsilon sqrt(epsilon/m)/sigma^3",
         "kcal mol-1/(Angstrom^2 (48.88821 fs))"},
        {"energy/temperature", "k_B", "kcal mol-1/K"},
        {"energy/(length^3 temperature)", "k_B/sigma^3", "kcal mol-1/(Angstrom^3 K)"},
        {"length^3/energy", "sigma^3/epsilon", "Angstrom^3/(kcal mol-1)"},
        {"energy*length", "epsilon sigma", "kcal mol-1 Angstrom"},
        {"energy/length/length", "epsilon/sigma^2", "kcal mol-1/Angstrom^2"},
        {"1/(length^2/time)^2", "m/(sigma^2 epsilon)", "(48.88821 fs)^2/Angstrom^4"},
        {"mass/(energy time^2)", "1/sigma^2", "u/((kcal mol-1) (48.88821 fs)^2)"},
    };
    for (const auto& row : rows) {
        CAPTURE(row.dimension);
        CHECK(units_named("lj").express(row.dimension) == row.lj);
        CHECK(units_named("akma").express(row.dimension) == row.akma);
    }
    CHECK(units_named("lj").express("time") == units_named("lj").time);
    CHECK(units_named("lj").express("temperature") == units_named("lj").temperature);
}
