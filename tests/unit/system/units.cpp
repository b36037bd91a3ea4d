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

TEST_CASE("real and metal are akma in other units of time, energy and pressure") {
    // SI 2019: k_B, e and N_A are exact.
    constexpr double avogadro = 6.02214076e23, e = 1.602176634e-19, k = 1.380649e-23;
    constexpr double calorie = 4184.0; // of 1000
    const Units &akma = units_named("akma"), &real = units_named("real");
    const Units& metal = units_named("metal");
    const auto agree = [](double a, double b) { return std::abs(a / b - 1.0) < 1e-12; };
    CHECK(real.boltzmann == akma.boltzmann);
    CHECK(real.coulomb == akma.coulomb);
    CHECK(agree(real.boltzmann, k * avogadro / calorie));
    CHECK(agree(metal.boltzmann, k / e));
    CHECK(agree(metal.coulomb, real.coulomb * calorie / (e * avogadro)));
    // m v^2 of 1 g/mol and 1 Angstrom per unit of time, 1e-3 kg/mol (1e-10 m)^2, is `inertia`.
    CHECK(akma.inertia == 1.0);
    CHECK(agree(real.inertia, 1e-3 * 1e-20 / 1e-30 / calorie));
    CHECK(agree(real.inertia, akma.femtoseconds * akma.femtoseconds));
    CHECK(agree(metal.inertia, 1e-3 * 1e-20 / 1e-24 / (e * avogadro)));
    CHECK((real.femtoseconds == 1.0 && metal.femtoseconds == 1000.0));
    // An energy in a cubic Angstrom, 1e-30 m^3, in Pa, over 101325 Pa/atm or 1e5 Pa/bar.
    CHECK(agree(real.pressures, calorie / avogadro / 1e-30 / 101325.0));
    CHECK(akma.pressures == real.pressures);
    CHECK(agree(metal.pressures, e / 1e-30 / 1e5));
    // LAMMPS has constants of CODATA 2006 and earlier, to so many digits (src/update.cpp).
    CHECK(std::abs(real.boltzmann / 0.0019872067 - 1.0) < 2e-6);
    CHECK(std::abs(real.coulomb / 332.06371 - 1.0) < 2e-8);
    CHECK(std::abs(real.pressures / 68568.415 - 1.0) < 2e-7);
    CHECK(std::abs(metal.boltzmann / 8.617343e-5 - 1.0) < 2e-6);
    CHECK(std::abs(metal.coulomb / 14.399645 - 1.0) < 5e-8);
    CHECK(std::abs(metal.inertia / 1.0364269e-4 - 1.0) < 1e-7);
    CHECK(std::abs(metal.pressures / 1.6021765e6 - 1.0) < 1e-7);
}

TEST_CASE("pressures, and what has them in it, are converted; nothing else is") {
    const Units &real = units_named("real"), &metal = units_named("metal");
    CHECK(real.factor("pressure") == real.pressures);
    CHECK(metal.factor("pressure time") == metal.pressures);
    CHECK(metal.factor("pressure/temperature") == metal.pressures);
    CHECK(std::abs(metal.factor("1/pressure") * metal.pressures - 1.0) < 1e-15);
    for (const char* other : {"", "energy", "energy/length^2", "mass length/time", "temperature"})
        CHECK(metal.factor(other) == 1.0);
    CHECK(units_named("lj").factor("pressure") == 1.0);
    CHECK(pressure_dimension(3) == "pressure");
    CHECK(pressure_dimension(2) == "energy/length^2");
    CHECK(pressure_dimension(1) == "energy/length");
}

TEST_CASE("units of masses, times and pressures are those of LAMMPS by name") {
    const struct {
        const char *dimension, *real, *metal;
    } rows[] = {
        {"time", "fs", "ps"},
        {"length/time", "Angstrom/fs", "Angstrom/ps"},
        {"energy", "kcal mol-1", "eV"},
        {"pressure", "atm", "bar"},
        {"pressure time", "atm fs", "bar ps"},
        {"1/pressure", "1/atm", "1/bar"},
        {"pressure/temperature", "atm/K", "bar/K"},
        {"mass length/time", "kcal mol-1 fs/Angstrom", "eV ps/Angstrom"},
        {"mass length^2/time", "kcal mol-1 fs", "eV ps"},
        {"energy time^2", "kcal mol-1 fs^2", "eV ps^2"},
    };
    for (const auto& row : rows) {
        CAPTURE(row.dimension);
        CHECK(units_named("real").express(row.dimension) == row.real);
        CHECK(units_named("metal").express(row.dimension) == row.metal);
    }
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
        {"pressure", "epsilon/sigma^3", "atm"},
        {"pressure time", "sqrt(epsilon m)/sigma^2", "atm (48.88821 fs)"},
        {"pressure/temperature", "k_B/sigma^3", "atm/K"},
        {"1/pressure", "sigma^3/epsilon", "1/atm"},
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
