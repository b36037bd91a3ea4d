// SPDX-License-Identifier: BSD-3-Clause
// A small liquid on every backend: the last of what tools/gpu-check tries first.
#include "support/catch.hpp"
#include "support/world.hpp"

using namespace shadow;
using namespace shadow::test;

TEST_CASE("a small liquid goes on as on the CPU", "[cuda][smoke][steps]") {
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    const auto setup =
        read_setup<3>("[system]\ndimension = 3\nunits = \"lj\"\nbox = { density = 0.8442 }\n"
                      "lattice = { type = \"fcc\", repeat = [4, 4, 4] }\n"
                      "velocity = { temperature = 2.0 }\n");
    const std::string force = "[[force]]\ntype = \"lennard-jones\"\nepsilon = 1.0\nsigma = 1.0\n"
                              "cutoff = 2.5\ntruncation = \"none\"\n";
    World<3> cpu({"cpu", false, available_instruction_sets().front(), 1}, setup, force);
    World<3> here(where, setup, force);
    // The melt of LAMMPS' benchmarks at its start, to the digits that are known.
    CHECK(std::abs(here.potential() / 256 - -6.7733680532) < 1e-9);
    const auto method = read_integrator("method = \"verlet\"\ndt = 0.005\n");
    // Steps enough for 16 of them to repeat, which is when one kernel does them.
    for (World<3>* world : {&cpu, &here}) world->run(*method, 100);
    // Rounding, 1e-16 of some thousand, has grown by less than 1e4 in half a unit of time.
    CHECK(std::abs(here.energy() - cpu.energy()) < 1e-9);
    CHECK(std::abs(here.potential() - cpu.potential()) < 1e-9);
}
