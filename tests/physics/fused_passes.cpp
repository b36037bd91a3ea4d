// SPDX-License-Identifier: BSD-3-Clause
#include "support/catch.hpp"
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

/// Pairs of particles so far from each other that a cluster is cut into several superclusters.
Setup<3> gas_of_pairs(int side) {
    constexpr double spacing = 12.0;
    Setup<3> setup = warm_lattice<3>(side, 3.0);
    const double scale = spacing * side / setup.box.lengths()[0];
    std::array<double, 3> lengths = setup.box.lengths();
    for (double& length : lengths) length *= scale;
    setup.box = Box<3>(lengths, {true, true, true});
    auto& x = setup.start.position;
    for (auto& place : x)
        for (double& coordinate : place) coordinate *= scale;
    for (std::size_t i = 0; i + 1 < x.size(); i += 2) x[i + 1] = {x[i][0] + 1.1, x[i][1], x[i][2]};
    return setup;
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
void check_bits(const Setup<Dim>& setup, const std::string& input, int steps,
                std::int64_t rebuilds = 2) {
    for (const bool pair_is_double : {false, true})
        for (const int threads : {1, 2}) {
            World<Dim> one(best_processor(threads), setup, input, pair_is_double);
            World<Dim> two(best_processor(), setup, input, pair_is_double);
            const Snapshot<Dim> fused = after(one, steps, false), apart = after(two, steps, true);
            CHECK(one.system().neighbours().rebuilds() >= rebuilds);
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
    check_bits(warm_lattice<3>(14, 3.0), with_gravity("[0.1, 0.2, 0.0]"), 100);
    check_bits(gas_of_pairs(10), pairs, 40, 1);
}

/// So many that sums of some batches have room while those of others are collected.
TEST_CASE("forces and flows in one pass are those of all batches") {
    const Setup<3> setup = warm_lattice<3>(54, 1.0);
    check_bits(setup, pairs, 5, 1);
    World<3> world(best_processor(), setup, pairs);
    std::array<double, 3> sum{};
    for (const auto& force : world.forces())
        for (std::size_t d = 0; d < 3; ++d) sum[d] += force[d];
    CHECK(length_of<3>(sum) < 1e-7); // of 1.6e5 forces of 30 rounded to 1e-16 each
}

TEST_CASE("forces and flows in one pass see what moves particles between two of these") {
    World<3> one(best_processor(), warm_lattice<3>(10, 3.0), pairs);
    World<3> two(best_processor(), warm_lattice<3>(10, 3.0), pairs);
    for (int k = 0; k < 20; ++k)
        for (World<3>* world : {&one, &two}) {
            ParticleSystem<3>& system = world->system();
            system.kick({h}, all_levels);
            if (world == &two) system.flush();
            system.drift({0.5 * h});
            system.flush();
            system.drift({0.5 * h});
            system.flush();
        }
    // A checkpoint gives memory back while flows are queued.
    for (int k = 0; k < 6; ++k)
        for (World<3>* world : {&one, &two}) {
            ParticleSystem<3>& system = world->system();
            system.kick({h}, all_levels);
            if (world == &two) system.flush();
            system.drift({h});
            if (world == &two) system.flush();
            if (k % 2 == 1) system.release();
        }
    const Snapshot<3> fused = one.system().snapshot(), apart = two.system().snapshot();
    CHECK(fused.position == apart.position);
    CHECK(fused.momentum == apart.momentum);
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
