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

TEST_CASE("units are spelt out") {
    const Units& akma = units_named("akma");
    CHECK(akma.express("energy/length^3") == "kcal mol-1/Angstrom^3");
    CHECK(akma.express("") == "");
    CHECK(akma.express("1/time") == "1/48.88821 fs");
    CHECK(units_named("lj").express("energy") == "epsilon");
}
