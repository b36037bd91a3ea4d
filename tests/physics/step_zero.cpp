// SPDX-License-Identifier: BSD-3-Clause
#include "support/backends.hpp"
#include "support/catch.hpp"
#include "support/lennard_jones.hpp"

#include <cmath>
#include <limits>

using namespace shadow;

TEST_CASE("the melt starts with the published energy and pressure") {
    // 32,000 particles on fcc at density 0.8442, T = 1.44, cut-off 2.5: energy -6.7733680532 per
    // particle and pressure -5.0197072591 to the ten digits of the reference (LAMMPS agrees to its
    // eight).
    const auto where = GENERATE(from_range(few_test_backends()));
    const Backend backend = where.open();
    CAPTURE(where.name);
    auto values = measure<3>(backend, R"(
[system]
dimension = 3
box = { density = 0.8442 }
lattice = { type = "fcc", repeat = [20, 20, 20] }
velocity = { temperature = 1.44 }
[[observe]]
type = "thermo"
)",
                             1.0, 1.0, 2.5);
    CHECK(std::abs(values["potential_energy"].at(0) / 32000.0 - -6.7733680532) < 6e-11);
    CHECK(std::abs(values["pressure"].at(0) - -5.0197072591) < 6e-11);
    CHECK(std::abs(values["temperature"].at(0) - 1.44) < 1e-12);
    CHECK(values["total_energy"].at(0) ==
          values["potential_energy"].at(0) + values["kinetic_energy"].at(0));
    CHECK(values["conserved_energy"].at(0) == values["total_energy"].at(0));
    // Removed in double: 32,000 momenta of size 1.2 leave rounding.
    for (const double p : values["momentum"]) CHECK(std::abs(p) < 1e-9);
}

TEST_CASE("the planar cluster starts with the energy and order of the seeds") {
    // seed-002 X4.2: all pairs, eps = 0.4, r_min = 1.
    const auto where = GENERATE(from_range(few_test_backends()));
    const Backend backend = where.open();
    CAPTURE(where.name);
    const double infinity = std::numeric_limits<double>::infinity();
    auto values = measure<2>(backend, R"(
[system]
dimension = 2
box = { periodic = false }
lattice = { type = "square", repeat = [20, 20], constant = 1.0 }
[[observe]]
type = "thermo"
[[observe]]
type = "bond-order"
folds = [4, 6]
radius = 1.3
)",
                             0.4, std::pow(2.0, -1.0 / 6.0), infinity);
    CHECK(std::abs(values["total_energy"].at(0) - -393.4147223269) < 1e-9);
    CHECK(std::abs(values["bond_order_4"].at(0) - 2164.0) < 1e-9);
    CHECK(std::abs(values["bond_order_6"].at(0) - -724.0) < 1e-9);
    CHECK(values.count("pressure") == 0);
}

TEST_CASE("a periodic triangular lattice has the order of its inside everywhere") {
    const auto where = GENERATE(from_range(few_test_backends()));
    const Backend backend = where.open();
    CAPTURE(where.name);
    auto values = measure<2>(backend, R"(
[system]
dimension = 2
box = { periodic = true }
lattice = { type = "triangular", repeat = [12, 7], constant = 1.1 }
[[observe]]
type = "bond-order"
folds = [6, 4, 3]
radius = 1.5
)",
                             1.0, 1.0, 2.5);
    // 168 particles, each with six neighbours: 15 pairs; cos 4 theta and cos 3 theta sum to -3.
    CHECK(std::abs(values["bond_order_6"].at(0) - 15.0 * 168.0) < 1e-9);
    CHECK(std::abs(values["bond_order_4"].at(0) - -3.0 * 168.0) < 1e-9);
    CHECK(std::abs(values["bond_order_3"].at(0) - -3.0 * 168.0) < 1e-9);
}
