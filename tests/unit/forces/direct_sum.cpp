// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/forces/direct_sum.hpp"

#include "support/bonded_chain.hpp"
#include "support/catch.hpp"
#include "support/pair_system.hpp"

#include <cmath>
#include <limits>

using namespace shadow;

namespace {

/// Two particles at the distance `r`, and one that is far away.
Snapshot<3> pair_in_space(double r, double far) {
    Snapshot<3> s;
    s.species_table = {{"A", 1.0, 0.0}};
    s.position = {{0.0, 0.0, 0.0}, {r, 0.0, 0.0}, {0.0, far, 0.0}};
    s.momentum.assign(3, {});
    s.image.assign(3, {});
    s.species.assign(3, 0);
    return s;
}

ForcePlan lennard_jones() {
    PairForceDescription force;
    force.potential.pairs = {{{1.0, 1.0}, 2.5}};
    return {{force}};
}

} // namespace

TEST_CASE("the direct sum knows how far coordinates are rounded") {
    const double r = 1.05;
    const auto force = [](double x) { return 48.0 * std::pow(x, -13) - 24.0 * std::pow(x, -7); };
    const double slope = (force(r + 1e-5) - force(r - 1e-5)) / 2e-5;
    for (const double far : {10.0, 1000.0})
        for (const bool pair_is_double : {true, false}) {
            CAPTURE(far, pair_is_double);
            const double epsilon = pair_is_double
                                       ? std::numeric_limits<double>::epsilon()
                                       : static_cast<double>(std::numeric_limits<float>::epsilon());
            const Box<3> box;
            const Snapshot<3> particles = pair_in_space(r, far);
            const auto found = DirectSum<3>(lennard_jones(), box, particles, pair_is_double)(0);
            CHECK(std::abs(found.value.force[0] + force(r)) < 1e-12 * std::abs(force(r)));
            // Coordinates relative to a centre, of the extent of the system: the distance is wrong
            // by up to 4 of their roundings, and so the force by its slope times that, and not by
            // much more.
            const double moved = 4.0 * epsilon * far * std::abs(slope);
            CHECK(found.rounding.force[0] > 0.99 * moved);
            CHECK(found.rounding.force[0] < 1.2 * moved + 1000.0 * epsilon * std::abs(force(r)));
        }
}

/// Forces and energy of a world against the direct sum of its plan.
void compare(const Setup<3>& setup, const std::string& input) {
    test::World<3> world(test::best_processors().front(), setup, input);
    const DirectSum<3> sum(world.plan(), setup.box, setup.start, true);
    const auto forces = world.forces();
    double energy = 0.0;
    for (std::size_t i = 0; i < setup.start.size(); ++i) {
        const auto found = sum(i);
        energy += found.value.energy;
        for (std::size_t d = 0; d < 3; ++d)
            CHECK(std::abs(found.value.force[d] - forces[i][d]) < found.rounding.force[d]);
    }
    CHECK(energy == Approx(world.potential()).epsilon(1e-12));
}

TEST_CASE("the direct sum has bonded terms, and leaves excluded pairs out") {
    const Box<3> box({6.6, 6.6, 6.6}, {true, true, true});
    const auto points = jittered_points<3>(216, 1.1, 0.1, 3);
    Setup<3> setup = test::setup_of<3>(points, box);
    setup.topology = test::chains<3>(points, box, 60, 6, {BondedKind::bond, BondedKind::angle});
    setup.topology.excluded = pairs_within_bonds(setup.topology, 216, 2);
    compare(setup, "[[force]]\ntype = \"lennard-jones\"\nepsilon = 1.0\nsigma = 1.0\n"
                   "cutoff = 2.5\n[[force]]\ntype = \"harmonic-bond\"\nk = 30.0\nr0 = "
                   "1.0\n[[force]]\ntype = \"cosine-angle\"\nk = 2.0\n");
}

TEST_CASE("the direct sum has the waves of charges, and fields where images are undone") {
    const Box<3> box({6.6, 6.6, 6.6}, {true, true, true});
    Setup<3> setup = test::setup_of<3>(jittered_points<3>(216, 1.1, 0.1, 3), box, 2);
    setup.start.species_table[0].charge = 0.6;
    setup.start.species_table[1].charge = -0.6;
    setup.start.image[3] = {2, 0, -1};
    compare(setup, "[[force]]\ntype = \"coulomb-pme\"\ncutoff = 3.0\naccuracy = 1e-4\n"
                   "[[force]]\ntype = \"uniform-field\"\nstrength = [0.3, 0.2, -0.1]\n"
                   "coupling = \"charge\"\n");
}
