// SPDX-License-Identifier: BSD-3-Clause
#include "support/catch.hpp"
#include "support/world.hpp"

#include "shadow/core/error.hpp"
#include "shadow/observables/self_correlation.hpp"
#include "shadow/system/molecule_list.hpp"

using namespace shadow;

namespace {

/// A chain through two faces of a periodic box, in a mixed order of ids, a triangle with a tail,
/// and a free particle. Images are as a file without them has them.
Setup<2> bonded_particles() {
    const Box<2> box({10.0, 8.0}, {true, true});
    Setup<2> setup = test::setup_of<2>({{9.5, 7.75},
                                        {1.5, 0.75},
                                        {0.5, 7.75},
                                        {0.5, 0.75},
                                        {4.0, 4.0},
                                        {5.0, 4.0},
                                        {4.0, 5.0},
                                        {3.0, 4.0},
                                        {8.0, 2.0}},
                                       box, 2);
    setup.start.species = {0, 1, 0, 0, 0, 0, 0, 0, 1}; // B has the mass 2
    setup.topology.group(BondedKind::bond, "a/b").members = {0, 2, 2, 3, 3, 1};
    setup.topology.group(BondedKind::bond, "ring").members = {4, 5, 5, 6, 6, 4, 4, 7};
    setup.topology.group(BondedKind::angle, "t").members = {0, 2, 3, 2, 3, 1, 5, 4, 7};
    return setup;
}

const std::string no_forces = "[[force]]\ntype = \"harmonic-bond\"\nk = 0.0\nr0 = 1.0\n"
                              "[[force]]\ntype = \"cosine-angle\"\nk = 0.0\n"
                              "[[force]]\ntype = \"wca\"\nepsilon = 1e-200\nsigma = 0.5\n";

std::string refused_observable(const std::string& keys, const Setup<2>& setup) {
    try {
        test::World<2> world(few_test_backends().front(), setup,
                             (setup.topology.empty() ? "" : no_forces) + "[[observe]]\n" + keys);
    } catch (const InputError& error) {
        return error.what();
    }
    return "nothing is wrong";
}

} // namespace

TEST_CASE("molecules are what bonds connect, chains from end to end and whole") {
    const Setup<2> setup = bonded_particles();
    const auto all = connected_molecules(setup.topology, setup.box, setup.start);
    REQUIRE(all.size() == 2);
    CHECK(all[0].is_chain);
    CHECK(all[0].atoms == std::vector<std::uint32_t>{0, 2, 3, 1});
    CHECK(all[0].turns == std::vector<std::array<int, 2>>{{0, 0}, {1, 0}, {1, 1}, {1, 1}});
    CHECK_FALSE(all[1].is_chain);
    CHECK(all[1].atoms == std::vector<std::uint32_t>{4, 5, 6, 7});
    // A ring that an angle ties to a chain has two ends, and is no chain.
    Topology tied;
    tied.group(BondedKind::bond, "b").members = {0, 1, 2, 3, 3, 4, 4, 2};
    tied.group(BondedKind::angle, "t").members = {0, 1, 2};
    const auto one = connected_molecules(tied, setup.box, setup.start);
    REQUIRE(one.size() == 1);
    CHECK(one[0].atoms.size() == 5);
    CHECK_FALSE(one[0].is_chain);
}

TEST_CASE("sizes of molecules are those of whole ones, wherever they go in whatever box") {
    const auto where = GENERATE(from_range(test::best_processors()));
    const double growth = GENERATE(1.0, 1.1, 0.95); // of the box, and of all in it, at once
    CAPTURE(where.name, growth);
    Setup<2> setup = bonded_particles();
    for (auto& p : setup.start.momentum) p = {1.3, -0.9};
    setup.start.momentum[1] = {2.6, -1.8};
    setup.topology.groups.erase(setup.topology.groups.begin() + 1); // no ring
    test::World<2> world(where, setup,
                         no_forces + "[[observe]]\ntype = \"molecule-size\"\natoms = 4\n");
    world.system().neighbours().may_shrink(0.5);
    const auto integrator = test::read_integrator("method = \"verlet\"\ndt = 0.05\n");
    // At (0, 0), (1, 0), (1, 1), (2, 1), the last of twice the mass: the centre is at (6, 3)/5.
    double spread = 0.0;
    const double x[4][3] = {{0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {2, 1, 2}};
    for (const auto& atom : x)
        spread += atom[2] * (std::pow(atom[0] - 1.2, 2) + std::pow(atom[1] - 0.6, 2)) / 5.0;
    double size = 1.0;
    for (int k = 0; k < 5; ++k) {
        const auto& found = world.measure();
        const auto is = [&](const std::string& name, double square) {
            CHECK(found.at(name).back() == Approx(size * std::sqrt(square)).epsilon(1e-12));
            CHECK(found.at(name + "_squared").back() ==
                  Approx(size * size * square).epsilon(1e-12));
        };
        is("end_to_end_distance", 5.0);
        is("radius_of_gyration", spread);
        world.run(*integrator, 100); // through a face or two
        if (growth == 1.0) continue;
        world.system().set_scalar(Scalar::strain, growth);
        world.system().scale_box(Scalar::strain);
        size *= growth;
    }
}

TEST_CASE("lengths of bonds and angles are counted by type") {
    const auto where = GENERATE(from_range(test::best_processors()));
    CAPTURE(where.name);
    test::World<2> world(
        where, bonded_particles(),
        no_forces + "[[observe]]\ntype = \"bonded-distribution\"\nrange = [0.5, 1.3]\nbins = 4\n"
                    "[[observe]]\ntype = \"bonded-distribution\"\nof = \"angles\"\nbins = 4\n");
    world.measure();
    const auto arrays = world.arrays();
    // Of seven bonds six have the length 1, in the third bin, and one sqrt(2), beyond the last.
    const ArrayEstimate& lengths = arrays.at("bond_length_distribution");
    CHECK(lengths.unit == "1/length");
    const auto are = [](const std::vector<double>& found, const std::vector<double>& expected) {
        REQUIRE(found.size() == expected.size());
        for (std::size_t k = 0; k < expected.size(); ++k)
            CHECK(found[k] == Approx(expected[k]).margin(1e-14));
    };
    are(lengths.axes.at(0).values, {0.6, 0.8, 1.0, 1.2});
    const auto is = [&](const ArrayEstimate& array, const std::vector<double>& expected) {
        are(array.value, expected);
    };
    is(lengths, {0.0, 0.0, 6.0 / 7.0 / 0.2, 0.0});
    is(arrays.at("bond_length_distribution_a_b"), {0.0, 0.0, 1.0 / 0.2, 0.0});
    is(arrays.at("bond_length_distribution_ring"), {0.0, 0.0, 0.75 / 0.2, 0.0});
    // Two of 90 degrees, one of 180, which is in the last bin.
    CHECK(arrays.at("angle_distribution").unit == "1/degree");
    is(arrays.at("angle_distribution"), {0.0, 0.0, 2.0 / 3.0 / 45.0, 1.0 / 3.0 / 45.0});
}

TEST_CASE("centres of molecules move relative to that of all particles") {
    const auto where = GENERATE(from_range(test::best_processors()));
    CAPTURE(where.name);
    const Box<2> box({10.0, 10.0}, {true, true});
    Setup<2> setup =
        test::setup_of<2>({{9.8, 5.0}, {0.6, 5.0}, {3.0, 3.0}, {4.0, 3.0}, {7.0, 7.0}}, box, 2);
    setup.start.species = {0, 1, 0, 1, 1}; // A has the mass 1, B the mass 2
    setup.topology.group(BondedKind::bond, "b").members = {0, 1, 2, 3};
    // Two dimers with velocities v and -v, which turn, and a particle that makes all drift.
    const double v[2] = {7.0, -2.0}, drift[2] = {1.0, 3.0};
    for (std::size_t d = 0; d < 2; ++d) {
        setup.start.momentum[0][d] = v[d] + 0.3;
        setup.start.momentum[1][d] = 2.0 * v[d] - 0.3;
        setup.start.momentum[2][d] = -v[d] - 0.2;
        setup.start.momentum[3][d] = -2.0 * v[d] + 0.2;
        setup.start.momentum[4][d] = 8.0 * drift[d];
    }
    test::World<2> world(where, setup, no_forces.substr(0, no_forces.find("[[force]]", 2)));
    SelfCorrelationPlan<2> plan;
    plan.interval = 0.05;
    plan.conserved_mass = {{8.0, 8.0}};
    plan.ladder = LagLadder{8, 1, 8};
    plan.molecules = connected_molecules(setup.topology, box, setup.start);
    SelfCorrelation<2> observable({{"", 2}}, std::move(plan));
    Array<double> row(world.backend, observable.width());
    const auto integrator = test::read_integrator("method = \"verlet\"\ndt = 0.05\n");
    for (int k = 0; k < 9; ++k) {
        world.system().prepare_observation(false);
        observable.enqueue(world.system(), row.data());
        observable.accumulate(0.0, row.to_host());
        world.run(*integrator, 1);
    }
    const ArrayEstimate msd = observable.estimates().front();
    CHECK(msd.name == "molecule_msd");
    REQUIRE(msd.value.size() == 8);
    for (std::size_t k = 0; k < 8; ++k) {
        const double t = 0.05 * static_cast<double>(k + 1);
        CHECK(msd.value[k] == Approx((49.0 + 4.0 + 1.0 + 9.0) * t * t).epsilon(1e-12));
    }
}

TEST_CASE("what molecules there are not cannot be measured") {
    const Setup<2> setup = bonded_particles();
    Setup<2> free = setup;
    free.topology = {};
    using Catch::Contains;
    const std::string size = "type = \"molecule-size\"\n",
                      terms = "type = \"bonded-distribution\"\n";
    CHECK_THAT(refused_observable(size, free), Contains("where nothing is bonded"));
    CHECK_THAT(refused_observable(size + "atoms = 3\n", setup), Contains("bonds connect none"));
    CHECK_THAT(refused_observable(terms + "range = [0, 1]\n", free), Contains("there are none"));
    CHECK_THAT(refused_observable(terms + "of = \"dihedrals\"\n", setup),
               Contains("there are none"));
    CHECK_THAT(refused_observable(terms, setup), Contains("without a range"));
    CHECK_THAT(refused_observable(terms + "range = [1, 1]\n", setup), Contains("ascending"));
    Setup<2> two = setup;
    two.topology.groups[0].members = {0, 2, 2, 3};
    two.topology.groups[2].members = {0, 2, 3};
    CHECK_THAT(refused_observable(size, two), Contains("molecules of 3 to 4 atoms"));
}
