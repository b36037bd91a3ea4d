// SPDX-License-Identifier: BSD-3-Clause
#include "support/catch.hpp"
#include "support/oracle.hpp"
#include "support/pair_system.hpp"
#include "support/world.hpp"

#include <cmath>
#include <functional>
#include <random>

using namespace shadow;
using namespace shadow::test;

namespace {

/// A potential as input and as the oracle knows it.
struct Model {
    std::string input;
    oracle::Pair pair;
};

/// Cut where it is -0.06, so that one pair missed or counted twice shows.
Model jumping() {
    return {R"(
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = 2.0
)",
            {oracle::lennard_jones(1.0, 1.0), 2.0}};
}

/// So weak that particles fly through each other.
Model soft() {
    return {R"(
[[force]]
type = "harmonic-contact"
stiffness = 1e-3
diameter = 2.0
)",
            {oracle::harmonic_contact(1e-3, 2.0), 2.0}};
}

/// Runs and compares the energy with all pairs on the way; before each step the box gets `factor`
/// of its number times as long.
template <int Dim>
void check_no_pair_missed(const TestBackend& where, const Setup<Dim>& setup, int steps,
                          std::int64_t min_rebuilds, const Model& model = jumping(), int every = 10,
                          const std::function<double(int)>& factor = {}) {
    World<Dim> world(where, setup, model.input);
    if (factor) world.system().neighbours().may_shrink(0.5);
    const auto verlet = read_integrator("method = \"verlet\"\ndt = 0.002");
    for (int k = 0; k < steps; k += every) {
        for (int step = k; step < k + every; ++step) {
            if (factor) {
                world.system().set_scalar(Scalar::strain, factor(step));
                world.system().scale_box(Scalar::strain);
            }
            world.run(*verlet, 1);
        }
        const Snapshot<Dim> now = world.system().snapshot();
        const auto all =
            oracle::evaluate<Dim>(now.position, {}, world.system().box().view(),
                                  [&model](int, int) -> const oracle::Pair& { return model.pair; });
        double scale = 0.0;
        for (const double s : all.energy_scale) scale += s;
        CAPTURE(k);
        // Distances are rounded to 2^-53 of the coordinates.
        REQUIRE(std::abs(world.potential() - all.total_energy()) < 0x1p-53 * 100.0 * scale);
    }
    const Neighbours<Dim>& lists = world.system().neighbours();
    CHECK((lists.on_demand() ? lists.rebuilds() == 1 : lists.rebuilds() >= min_rebuilds));
}

/// n particles of one species on a lattice of spacing 1.1 from `corner` on, at a temperature.
template <int Dim>
Setup<Dim> block(int side, double corner, const Box<Dim>& box, double temperature) {
    Setup<Dim> setup{box, {}, units_named("lj")};
    const int n = static_cast<int>(std::lround(std::pow(side, Dim)));
    setup.start.position = jittered_points<Dim>(n, 1.1, 0.03, 3);
    for (auto& x : setup.start.position)
        for (double& component : x) component += corner;
    setup.start.species_table = {Species{}};
    setup.start.species.assign(setup.start.size(), 0);
    setup.start.image.assign(setup.start.size(), {});
    set_maxwell_boltzmann(setup.start, conserved_momenta(box), temperature, 4);
    return setup;
}

/// Beams against each other along one direction, with one speed: all particles have gone as far as
/// the lists allow when they are built anew, and many pairs head on.
template <int Dim>
Setup<Dim> beams(int side, std::size_t direction) {
    std::array<double, Dim> lengths;
    std::array<bool, Dim> periodic;
    lengths.fill(1.1 * side);
    periodic.fill(true);
    Setup<Dim> setup = block<Dim>(side, 0.0, Box<Dim>(lengths, periodic), 0.0);
    std::mt19937 random(6);
    std::uniform_real_distribution<double> uniform;
    for (std::size_t i = 0; i < setup.start.size(); ++i) {
        for (double& x : setup.start.position[i]) x = uniform(random) * 1.1 * side;
        setup.start.momentum[i][direction] = random() % 2 == 0 ? 4.0 : -4.0;
    }
    return setup;
}

} // namespace

TEST_CASE("no pair is missed in a hot run") {
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    SECTION("gas on a line") {
        check_no_pair_missed<1>(where, block<1>(60, 0.0, Box<1>({66.0}, {true}), 4.0), 1600, 5);
    }
    SECTION("fluids") {
        check_no_pair_missed<2>(where, block<2>(14, 0.0, Box<2>({15.4, 15.4}, {true, true}), 4.0),
                                1000, 10);
        check_no_pair_missed<3>(
            where, block<3>(6, 0.0, Box<3>({6.6, 6.6, 6.6}, {true, true, true}), 4.0), 1000, 10);
    }
    SECTION("beams through each other") {
        check_no_pair_missed<1>(where, beams<1>(200, 0), 1000, 8, soft(), 2);
        for (const std::size_t direction : {0, 1})
            check_no_pair_missed<2>(where, beams<2>(20, direction), 800, 8, soft(), 2);
        for (const std::size_t direction : {0, 1, 2})
            check_no_pair_missed<3>(where, beams<3>(8, direction), 500, 5, soft(), 2);
    }
    SECTION("a droplet in the middle of a vacuum, evaporating") {
        check_no_pair_missed<2>(
            where, block<2>(12, 40.0, Box<2>({100.0, 100.0}, {true, true}), 2.0), 800, 5);
        check_no_pair_missed<3>(
            where, block<3>(6, 20.0, Box<3>({50.0, 50.0, 50.0}, {true, true, true}), 2.0), 800, 5);
        check_no_pair_missed<3>(where, block<3>(6, -3.0, Box<3>(), 2.0), 800, 5);
    }
    SECTION("all in the corner of a box, leaving through all its faces") {
        check_no_pair_missed<2>(where, block<2>(12, 0.0, Box<2>({60.0, 60.0}, {true, true}), 8.0),
                                1200, 10);
        check_no_pair_missed<3>(
            where, block<3>(6, 0.0, Box<3>({30.0, 30.0, 30.0}, {true, true, true}), 8.0), 1200, 10);
    }
    SECTION("a slab with a vacuum beside it") {
        check_no_pair_missed<3>(
            where, block<3>(6, 0.0, Box<3>({6.6, 6.6, 40.0}, {true, true, true}), 3.0), 800, 8);
        check_no_pair_missed<3>(
            where, block<3>(6, 0.0, Box<3>({6.6, 6.6, 0.0}, {true, true, false}), 3.0), 800, 8);
        check_no_pair_missed<3>(
            where, block<3>(6, 0.0, Box<3>({0.0, 6.6, 6.6}, {false, true, true}), 3.0), 800, 8);
    }
}

TEMPLATE_TEST_CASE_SIG("no pair is missed in a box that changes at every step", "",
                       ((int Dim), Dim), (1), (2), (3)) {
    const auto where = GENERATE(from_range(best_processors()));
    const bool small = GENERATE(false, true); // a GPU takes all pairs of a small one
    CAPTURE(where.name, small);
    constexpr int sides[] = {2200, 46, 13}, small_sides[] = {100, 12, 8};
    const int side = (small ? small_sides : sides)[Dim - 1];
    std::array<double, Dim> lengths;
    std::array<bool, Dim> periodic;
    lengths.fill(1.1 * side);
    periodic.fill(true);
    const Setup<Dim> setup = block<Dim>(side, 0.0, Box<Dim>(lengths, periodic), 4.0);
    const int rebuilds = Dim > 1 ? 2 : 1; // particles in a row stay where they are
    // Breathing by 4 % and slowly shrinking.
    const auto breathing = [](int k) { return 0.9998 + 0.006 * std::sin(0.3 * k); };
    check_no_pair_missed<Dim>(where, setup, 300, rebuilds, jumping(), 25, breathing);
    // Swelling, then back in one leap, by which what was out of reach comes within the cut-off.
    const auto leaping = [](int k) { return k % 10 == 9 ? std::pow(1.02, -9.0) : 1.02; };
    check_no_pair_missed<Dim>(where, setup, 300, rebuilds, jumping(), 25, leaping);
}
