// SPDX-License-Identifier: BSD-3-Clause
#include "support/world.hpp"

/// Forces and the flows that follow them run in one pass on a CPU; whoever looks in between gets
/// forces, and then flows, by themselves. The bits are the same.
namespace shadow::test {
namespace {

constexpr double h = 0.004;

const char* const pairs = R"(
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = 2.5

[[force]]
type = "yukawa"
a = 0.5
kappa = 1.0
cutoff = 2.0
)";

std::string with_gravity(const std::string& direction) {
    return pairs + std::string("[[force]]\ntype = \"uniform-field\"\nstrength = ") + direction;
}

/// A liquid, of which a cluster is a supercluster, and a gas, of which it is cut into several;
/// several batches of chunks.
Setup<3> droplet_in_gas(int side) {
    Setup<3> setup = warm_lattice<3>(side, 3.0);
    const double length = setup.box.lengths()[0];
    std::array<double, 3> lengths = {4.0 * length, length, length};
    Setup<3> all = setup;
    all.box = Box<3>(lengths, {true, true, true});
    for (std::size_t i = 0; i < setup.start.size(); i += 8) {
        const auto& x = setup.start.position[i];
        all.start.position.push_back({length * 1.1 + 2.8 * x[0], x[1], x[2]});
        all.start.momentum.push_back(setup.start.momentum[i]);
        all.start.image.push_back({});
        all.start.species.push_back(setup.start.species[i]);
    }
    return all;
}

template <int Dim>
Snapshot<Dim> after(World<Dim>& world, int steps, bool looks) {
    ParticleSystem<Dim>& system = world.system();
    const auto flow = [&](double t, auto apply) {
        apply(FlowTime{t});
        if (looks) system.flush();
    };
    const auto kick = [&](FlowTime t) { system.kick(t, all_levels); };
    for (int k = 0; k < steps; ++k) {
        flow(0.5 * h, kick);
        flow(h, [&](FlowTime t) { system.drift(t); });
        flow(0.5 * h, kick);
        system.end_step(h);
    }
    return system.snapshot();
}

template <int Dim>
void check_bits(const Setup<Dim>& setup, const std::string& input, int steps) {
    for (const bool pair_is_double : {false, true})
        for (const int threads : {1, 2}) {
            World<Dim> one(best_processor(threads), setup, input, pair_is_double);
            World<Dim> two(best_processor(), setup, input, pair_is_double);
            const Snapshot<Dim> fused = after(one, steps, false), apart = after(two, steps, true);
            CHECK(one.system().neighbours().rebuilds() > 1);
            CHECK(fused.position == apart.position);
            CHECK(fused.momentum == apart.momentum);
            CHECK(fused.image == apart.image);
            CHECK(one.potential() == two.potential());
        }
}

} // namespace

TEST_CASE("forces and flows in one pass have the bits of passes of their own") {
    check_bits(warm_lattice<1>(300, 6.0), pairs, 200);
    check_bits(warm_lattice<2>(60, 3.0), with_gravity("[0.1, 0.2]"), 100);
    check_bits(droplet_in_gas(40), with_gravity("[0.1, 0.2, 0.0]"), 40);
}

TEST_CASE("forces that wait for flows are there for whoever asks") {
    for (const TestBackend& where : few_test_backends()) {
        World<3> world(where, warm_lattice<3>(8, 1.0), pairs);
        World<3> same(where, warm_lattice<3>(8, 1.0), pairs);
        world.system().kick({0.5 * h}, all_levels);
        const Vectors<3> asked = world.forces();
        CHECK(asked == same.forces());
    }
}

} // namespace shadow::test
