// SPDX-License-Identifier: BSD-3-Clause
#include "support/catch.hpp"
#include "support/world.hpp"

#include <vector>

using namespace shadow;
using namespace shadow::test;

namespace {

World<2> warm_world(const TestBackend& where) {
    return World<2>(
        where, warm_lattice<2>(6, 1.0),
        "[[force]]\ntype = \"lennard-jones\"\nepsilon = 1.0\nsigma = 1.0\ncutoff = 1.8\n");
}

} // namespace

TEST_CASE("a stage begins without what baths of the one before have given and had") {
    const auto where = GENERATE(from_range(few_test_backends()));
    CAPTURE(where.name);
    World<2> world = warm_world(where);
    ParticleSystem<2>& system = world.system();
    const std::vector<Scalar> of_stage = {
        Scalar::pi,           Scalar::bath_heat,
        Scalar::box_work,     Scalar::box_tried,
        Scalar::box_accepted, Scalar::shear_work,
        Scalar::box_momentum, Scalar::bath_size,
        Scalar::box_velocity, of_row(Scalar::box_velocity, max_groups - 1)};
    const std::vector<Scalar> of_run = {Scalar::work, Scalar::box_mass, Scalar::chain_position};
    for (const Scalar one : of_stage) system.set_scalar(one, 3.0);
    for (const Scalar one : of_run) system.set_scalar(one, 4.0);
    system.set_scalar(Scalar::s, 2.0);
    system.detach_bath();
    for (const Scalar one : of_stage) CHECK(system.scalar(one) == 0.0);
    for (const Scalar one : of_run) CHECK(system.scalar(one) == 4.0);
    CHECK(system.scalar(Scalar::s) == 1.0);
    CHECK(system.scalar(Scalar::one) == 1.0);
}

TEST_CASE("a snapshot has physical momenta, with the bits that the next stage has") {
    const auto where = GENERATE(from_range(few_test_backends()));
    CAPTURE(where.name);
    World<2> world = warm_world(where);
    ParticleSystem<2>& system = world.system();
    CHECK(system.snapshot().s == 1.0);
    system.set_scalar(Scalar::s, 1.7);
    Snapshot<2> snapshot = system.snapshot();
    REQUIRE(snapshot.s == 1.7);
    system.detach_bath();
    const Snapshot<2> next = system.snapshot();
    bool same = true;
    for (std::size_t i = 0; i < next.size(); ++i)
        for (std::size_t d = 0; d < 2; ++d)
            same = same && snapshot.physical_momentum(i, d) == next.momentum[i][d] &&
                   snapshot.velocity(i, d) == next.momentum[i][d] / next.mass(i) &&
                   next.physical_momentum(i, d) == next.momentum[i][d];
    CHECK(same);
    CHECK(snapshot.momentum != next.momentum);
    snapshot.detach_bath();
    CHECK(snapshot.momentum == next.momentum);
    CHECK(snapshot.s == 1.0);
}
