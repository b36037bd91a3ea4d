// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/forces/direct_sum.hpp"

#include "support/catch.hpp"

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
    ForcePlan plan;
    plan.descriptions.emplace_back().potential.pairs = {{{1.0, 1.0}, 2.5}};
    return plan;
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
