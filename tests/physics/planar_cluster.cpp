// SPDX-License-Identifier: BSD-3-Clause
#include "support/catch.hpp"
#include "support/larger.hpp"
#include "support/world.hpp"

#include <algorithm>

using namespace shadow;
using namespace shadow::test;

namespace {

/// The 400 particles of Leimkuhler and Reich 2004, section 4.5.1: a square lattice at rest, all
/// pairs, eps = 0.4, r_min = 1.
const std::string cluster = R"(
[system]
dimension = 2
box = { periodic = false }
lattice = { type = "square", repeat = [20, 20], constant = 1.0, jitter = 0.01 }
[[force]]
type = "lennard-jones"
epsilon = 0.4
r_min = 1.0
cutoff = inf
[[observe]]
type = "bond-order"
folds = [4, 6]
radius = 1.3
)";

struct Outcome {
    double mu4_start, mu6_start, mu4, mu6; ///< at t = 0 and t = 10
    double lowest = 0.0, highest = 0.0;    ///< of H - H(0) up to t = 20
};

Outcome run_cluster(const TestBackend& where, bool pair_is_double, double dt) {
    World<2> world(where, read_setup<2>(cluster), cluster, pair_is_double);
    const auto verlet = read_integrator("method = \"verlet\"\ndt = " + std::to_string(dt));
    const double start = world.energy();
    const auto now = world.measure();
    Outcome out{now.at("bond_order_4").at(0), now.at("bond_order_6").at(0), 0.0, 0.0};
    for (int k = 1; k <= 400; ++k) {
        world.run(*verlet, static_cast<int>(std::lround(0.05 / dt)));
        const double deviation = world.energy() - start;
        out.lowest = std::min(out.lowest, deviation);
        out.highest = test::larger(out.highest, deviation);
        if (k != 200) continue;
        const auto later = world.measure();
        out.mu4 = later.at("bond_order_4").at(0);
        out.mu6 = later.at("bond_order_6").at(0);
    }
    return out;
}

} // namespace

TEST_CASE("the planar cluster turns from square to triangular within its energy band") {
    // Numbers of an independent program for three seeds: mu_4 = 2161 and mu_6 = -723 at the start,
    // 3530 < mu_6 < 3830 at t = 10, and a range of H of 0.06 at dt = 0.01, for which pairs in float
    // change nothing: their noise in H is N 2^-24 of the energy of a pair.
    const auto where = GENERATE(from_range(best_processors()));
    const bool pair_is_double = GENERATE(true, false);
    CAPTURE(where.name, pair_is_double);
    const Outcome coarse = run_cluster(where, pair_is_double, 0.01);
    CAPTURE(coarse.mu4_start, coarse.mu6_start, coarse.mu4, coarse.mu6);
    CAPTURE(coarse.lowest, coarse.highest);
    CHECK(coarse.mu4_start >= 2150.0);
    CHECK(coarse.mu4_start <= 2165.0);
    CHECK(coarse.mu6_start >= -725.0);
    CHECK(coarse.mu6_start <= -715.0);
    CHECK(coarse.mu4 < 0.0);
    CHECK(coarse.mu6 > 3000.0);
    CHECK(std::max(coarse.highest, -coarse.lowest) < 0.08);
    // The band shrinks with dt^2. Beyond t = 10 the two orbits are different ones of one ensemble,
    // so that their extremes agree to a few tenths only: 4 within 20 %.
    const Outcome fine = run_cluster(where, pair_is_double, 0.005);
    const double ratio = (coarse.highest - coarse.lowest) / (fine.highest - fine.lowest);
    CAPTURE(ratio);
    CHECK(ratio > 3.2);
    CHECK(ratio < 4.8);
}
