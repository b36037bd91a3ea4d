// SPDX-License-Identifier: BSD-3-Clause
// Periodic charges on a GPU: what a library transforms, and steps that are replayed.
#include "support/catch.hpp"
#include "support/environment.hpp"
#include "support/world.hpp"

#include "shadow/core/error.hpp"
#include "shadow/core/gpus.hpp"

#include "kernels/cuda/runtime.hpp"

using namespace shadow;
using namespace shadow::test;

namespace {

/// Rock salt of 512 warm ions.
World<3> salt(bool pair_is_double = true) {
    const TestBackend where{"cuda:0", true, {}, 1};
    return World<3>(where, read_setup<3>(R"(
[system]
dimension = 3
units = "lj"
box = { density = 0.6 }
lattice = { type = "rock-salt", repeat = [4, 4, 4], species = ["A", "B"], jitter = 0.02 }
velocity = { temperature = 1.0 }
[[species]]
name = "A"
charge = 1.5
[[species]]
name = "B"
charge = -1.5
)"),
                    R"(
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = 2.0
truncation = "shift"
[[force]]
type = "coulomb-pme"
accuracy = 1e-4
)",
                    pair_is_double);
}

} // namespace

TEST_CASE("forces do not depend on what transforms the mesh of a GPU", "[cuda]") {
    if (!is_wanted("cuda")) return;
    for (const bool pair_is_double : {true, false}) {
        World<3> world = salt(pair_is_double);
        const auto forces = world.forces();
        const double energy = world.potential();
        const auto virial = world.virial();
        const Environment stages("SHADOW_TRANSFORMS", "stages");
        World<3> other = salt(pair_is_double);
        // Of the largest force, by the rounding of some 20 stages there and back, in single
        // precision of 2e-6 at most.
        double largest = 0.0, difference = 0.0;
        const auto others = other.forces();
        for (std::size_t i = 0; i < forces.size(); ++i)
            for (std::size_t d = 0; d < 3; ++d) {
                largest = std::max(largest, std::abs(forces[i][d]));
                difference = std::max(difference, std::abs(forces[i][d] - others[i][d]));
            }
        const double rounding = pair_is_double ? 1e-14 : 2e-6;
        CHECK(difference < 10.0 * rounding * largest);
        // Else both took the same way, as they do on a machine without cuFFT.
        const bool emulated = find_gpus().all.front().name == "emulated by this processor";
        CHECK((difference > 0.0 || !emulated));
        CHECK(std::abs(other.potential() - energy) < rounding * std::abs(energy));
        const auto there = other.virial();
        for (int c = 0; c < tensor_size<3>; ++c)
            CHECK(std::abs(there.component[c] - virial.component[c]) <
                  10.0 * rounding * std::abs(energy));
    }
}

TEST_CASE("steps with transforms are replayed with the same bits", "[cuda]") {
    if (!is_wanted("cuda")) return;
    const char* const way = GENERATE("library", "stages");
    CAPTURE(way);
    const Environment transforms("SHADOW_TRANSFORMS", way);
    const auto run = [](cuda::ReplayMode mode) {
        World<3> world = salt();
        cuda::set_replay(world.backend.stream(), mode);
        const auto method = read_integrator("dt = 0.002\nmethod = 'verlet'\n");
        world.run(*method, 100);
        const cuda::ReplayReport report = cuda::replay_report(world.backend.stream());
        CHECK(report.problems.empty());
        CHECK((report.graphs > 0) == (mode == cuda::ReplayMode::graphs));
        if (mode == cuda::ReplayMode::graphs) CHECK(report.launches < 60 * 100);
        return world.system().snapshot();
    };
    const auto a = run(cuda::ReplayMode::graphs), b = run(cuda::ReplayMode::launches);
    CHECK(a.position == b.position);
    CHECK(a.momentum == b.momentum);
}

TEST_CASE("what transforms the mesh of a GPU is one of two, or refused", "[cuda]") {
    if (!is_wanted("cuda")) return;
    const Environment misspelt("SHADOW_TRANSFORMS", "stage");
    CHECK_THROWS_WITH(salt(), "SHADOW_TRANSFORMS is \"stage\" in the environment (it says by what "
                              "a GPU transforms meshes: library or stages); set one of these, or "
                              "unset it");
}
