// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/system/topology.hpp"

#include "src/system/molecules.hpp"
#include "support/catch.hpp"
#include "support/world.hpp"

#include "shadow/core/error.hpp"

#include <numeric>
#include <set>

using namespace shadow;
using Pairs = std::vector<std::array<std::uint32_t, 2>>;

namespace {

Topology bonds(const Pairs& pairs) {
    Topology topology;
    for (const auto& [a, b] : pairs)
        for (const std::uint32_t id : {a, b})
            topology.group(BondedKind::bond, "b").members.push_back(id);
    return topology;
}

std::string chain_input(const std::string& molecule) {
    return "[system]\ndimension = 3\nlattice = { type = \"sc\", repeat = [4, 3, 2], constant = 1.1 "
           "}\n" +
           molecule;
}

/// In the words of the message.
std::string refused(const std::string& input) {
    try {
        static_cast<void>(test::read_setup<3>(input));
    } catch (const InputError& error) {
        return error.what();
    }
    return "nothing is wrong";
}

} // namespace

TEST_CASE("pairs up to so many bonds apart are those of the shortest path") {
    // A ring of six with a tail: 0 1 2 3 4 5, and 5 - 6 - 7.
    const Topology ring = bonds({{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}, {5, 6}, {6, 7}});
    CHECK(pairs_within_bonds(ring, 8, 0).empty());
    CHECK(pairs_within_bonds(ring, 8, 1) ==
          Pairs{{0, 1}, {0, 5}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}});
    // Across the ring there are three bonds, by either way: once.
    const Pairs three = pairs_within_bonds(ring, 8, 3);
    CHECK(std::count(three.begin(), three.end(), std::array{0U, 3U}) == 1);
    CHECK(std::set(three.begin(), three.end()).size() == three.size());
    CHECK(std::count(three.begin(), three.end(), std::array{2U, 7U}) == 0); // five
    CHECK(std::count(three.begin(), three.end(), std::array{1U, 7U}) == 0); // four
    CHECK(std::count(three.begin(), three.end(), std::array{0U, 7U}) == 1);
    CHECK(pairs_within_bonds(ring, 8, 6).size() == 8 * 7 / 2);
}

TEST_CASE("a topology that cannot be is told") {
    CHECK(why_no_topology(bonds({{0, 1}, {1, 2}}), 3).empty());
    CHECK_THAT(why_no_topology(bonds({{0, 3}}), 3), Catch::Contains("bond of atoms 0, 3"));
    CHECK_THAT(why_no_topology(bonds({{1, 1}}), 3), Catch::Contains("one of them twice"));
    CHECK_THAT(why_no_topology(bonds({{0, 1}, {1, 0}}), 3), Catch::Contains("1, 0 twice"));
    Topology other = bonds({{0, 1}});
    other.group(BondedKind::bond, "other").members = {0, 1};
    CHECK_THAT(why_no_topology(other, 3), Catch::Contains("twice"));
    // Dihedrals of several types are a series.
    Topology series;
    series.group(BondedKind::dihedral, "first").members = {0, 1, 2, 3};
    series.group(BondedKind::dihedral, "second").members = {3, 2, 1, 0};
    CHECK(why_no_topology(series, 4).empty());
    series.group(BondedKind::dihedral, "first").members = {0, 1, 2, 3, 3, 2, 1, 0};
    CHECK_THAT(why_no_topology(series, 4), Catch::Contains("twice"));
}

TEST_CASE("the first bond that has changed is told") {
    const Topology was = bonds({{0, 1}, {1, 2}});
    CHECK(changed_terms(was, bonds({{2, 1}, {0, 1}})).empty());
    CHECK(changed_terms(was, bonds({{0, 1}})) == "the bond of atoms 1, 2 is not there now");
    CHECK(changed_terms(bonds({{0, 1}}), was) == "the bond of atoms 1, 2 was not there");
    CHECK(changed_terms(was, bonds({{0, 1}, {0, 2}})) == "the bond of atoms 0, 2 was not there");
    CHECK(changed_terms(was, bonds({{0, 1}, {1, 3}})) == "the bond of atoms 1, 2 is not there now");
    Topology renamed = was;
    renamed.groups[0].type = "other";
    CHECK(changed_terms(was, renamed) == "the bond of atoms 0, 1 was of type \"" +
                                             was.groups[0].type +
                                             "\" and is of type \"other\" now");
}

TEST_CASE("messages name particles as the file of the start does") {
    Topology twice = bonds({{0, 1}, {1, 0}});
    twice.file_ids = {7, 9, 12};
    CHECK_THAT(why_no_topology(twice, 3), Catch::Contains("atoms 9, 7 twice"));
}

TEST_CASE("a chain is a unit repeated, along neighbouring sites") {
    const auto setup = test::read_setup<3>(chain_input(R"(
[[species]]
name = "A"
[[species]]
name = "B"
[[molecule]]
count = 4
atoms = ["A", "B"]
repeat = 3
exclude = 2
bonds = [{ atoms = [0, 1], type = "in" }, { atoms = [2, 1], type = "between" }]
angles = [{ atoms = [0, 1, 2] }]
)"));
    REQUIRE(setup.start.size() == 24);
    const Topology& topology = setup.topology;
    REQUIRE(topology.groups.size() == 3);
    CHECK(topology.groups[0].members == std::vector<std::uint32_t>{0,  1,  2,  3,  4,  5,  6,  7,
                                                                   8,  9,  10, 11, 12, 13, 14, 15,
                                                                   16, 17, 18, 19, 20, 21, 22, 23});
    CHECK(topology.groups[1].size() == 8); // not from the last unit
    CHECK(topology.groups[1].members[0] == 2);
    CHECK(topology.groups[1].members[4] == 8); // of the second chain
    CHECK(topology.groups[2].size() == 8);
    CHECK(topology.excluded.size() == 4 * (5 + 4));
    for (std::size_t i = 0; i < 24; ++i) {
        CHECK(setup.start.species[i] == i % 2);
        if (i == 0) continue;
        const auto step =
            test::between<3>(setup.start.position[i - 1], setup.start.position[i], setup.box);
        CHECK(test::length_of<3>(step) == Approx(1.1));
    }
}

TEST_CASE("pairs three bonds apart are scaled, but for those nearer by another way") {
    // A ring of five with a tail: within the ring none is three bonds from another.
    const std::string ring = R"(
[[molecule]]
count = 3
atoms = ["A", "A", "A", "A", "A", "A", "A", "A"]
bonds = [{ atoms = [0, 1] }, { atoms = [1, 2] }, { atoms = [2, 3] }, { atoms = [3, 4] },
    { atoms = [4, 0] }, { atoms = [0, 5] }, { atoms = [5, 6] }]
exclude = 3
)";
    const std::string scale = "scale_14 = { lj = 0.5, coulomb = 0.8333 }\n";
    const Topology topology = test::read_setup<3>(chain_input(ring + scale)).topology;
    REQUIRE(topology.scaled.size() == 3 * 4);
    const std::array<std::array<std::uint32_t, 2>, 4> expected = {{{1, 6}, {2, 5}, {3, 5}, {4, 6}}};
    for (std::size_t k = 0; k < 12; ++k) {
        const auto shift = static_cast<std::uint32_t>(8 * (k / 4));
        CHECK(topology.scaled[k].members ==
              std::array{expected[k % 4][0] + shift, expected[k % 4][1] + shift});
        CHECK(topology.scaled[k].lj == 0.5);
        CHECK(topology.scaled[k].coulomb == 0.8333);
        CHECK(std::count(topology.excluded.begin(), topology.excluded.end(),
                         topology.scaled[k].members) == 1);
    }
    CHECK(test::read_setup<3>(chain_input(ring)).topology.scaled.empty());
    using Catch::Contains;
    const auto with = [&](const std::string& keys) { return refused(chain_input(ring + keys)); };
    CHECK_THAT(with("scale_14 = { lj = 1.5, coulomb = 0.5 }\n"), Contains("lj = 1.5"));
    CHECK_THAT(with("scale_14 = { lj = 0.5, coulomb = -0.1 }\n"), Contains("coulomb = -0.1"));
    CHECK_THAT(with("scale_14 = { lj = 0.5 }\n"), Contains("coulomb"));
    std::string nearer = ring + scale;
    nearer.replace(nearer.find("exclude = 3"), 11, "exclude = 2");
    CHECK_THAT(refused(chain_input(nearer)), Contains("together with exclude = 2"));
    CHECK_THAT(refused(chain_input("[[molecule]]\ncount = 12\natoms = [\"A\", \"A\"]\nexclude = "
                                   "3\nbonds = [{ atoms = [0, 1] }]\n" +
                                   scale)),
               Contains("no atoms are three bonds apart"));
    CHECK_THAT(refused(chain_input("[[molecule]]\ncount = 24\natoms = [\"A\"]\n" + scale)),
               Contains("`scale_14` in a molecule without bonds"));
}

TEST_CASE("scaling that gets lost is told") {
    Topology was = bonds({{0, 1}});
    was.excluded = {{0, 1}, {0, 4}, {2, 3}};
    was.scaled = {{{0, 4}, 0.5, 0.8}, {{2, 3}, 0.5, 0.25}};
    Topology now = was;
    CHECK(lost_scaling(was, now).empty());
    now.scaled[1].lj = 0.0; // says so
    CHECK(lost_scaling(was, now).empty());
    now.scaled.pop_back();
    CHECK(lost_scaling(was, now) == "atoms 2, 3 have 0.5 of their pair forces and 0.25 of their "
                                    "charges in the file, and nothing here");
    now.excluded.pop_back(); // they interact
    CHECK(lost_scaling(was, now).empty());
}

TEST_CASE("molecules with places stand around sites, turned and not bent") {
    const std::string water = R"(
[[species]]
name = "O"
mass = 16.0
[[species]]
name = "H"
[[species]]
name = "Na"
[[molecule]]
count = 20
atoms = ["O", "H", "H", "H"]
places = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [-0.3, 0.9, 0.0], [0.0, 0.0, 0.5]]
exclude = 2
bonds = [{ atoms = [0, 1] }, { atoms = [0, 2] }, { atoms = [0, 3] }]
[[molecule]]
count = 4
atoms = ["Na"]
)";
    const auto setup = test::read_setup<3>(chain_input(water), 3);
    REQUIRE(setup.start.size() == 84);
    CHECK(setup.topology.excluded.size() == 120);
    std::set<std::array<std::int64_t, 3>> sites;
    double mean[3] = {};
    for (std::size_t m = 0; m < 24; ++m) {
        const std::size_t first = m < 20 ? 4 * m : 80 + m - 20, atoms = m < 20 ? 4 : 1;
        std::array<double, 3> centre{};
        double mass = 0.0;
        for (std::size_t i = first; i < first + atoms; ++i) {
            const auto place = unwrapped(setup.start, setup.box, i);
            for (std::size_t d = 0; d < 3; ++d) {
                centre[d] += setup.start.mass(i) * place[d];
                CHECK(setup.start.position[i][d] >= 0.0);
                CHECK(setup.start.position[i][d] < setup.box.lengths()[d]);
            }
            mass += setup.start.mass(i);
        }
        std::array<std::int64_t, 3> site;
        for (std::size_t d = 0; d < 3; ++d) {
            site[d] = std::lround(centre[d] / mass / 1.1);
            CHECK(std::abs(centre[d] / mass - 1.1 * static_cast<double>(site[d])) < 1e-12);
        }
        sites.insert(site);
        if (atoms == 1) continue;
        const auto& x = setup.start.position;
        const auto a = test::between<3>(x[first], x[first + 1], setup.box);
        const auto b = test::between<3>(x[first], x[first + 2], setup.box);
        CHECK(test::length_of<3>(a) == Approx(1.0));
        CHECK(test::length_of<3>(b) == Approx(std::sqrt(0.9)));
        CHECK(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] == Approx(-0.3));
        // A left hand stays one.
        const auto c = test::between<3>(x[first], x[first + 3], setup.box);
        CHECK((a[1] * b[2] - a[2] * b[1]) * c[0] + (a[2] * b[0] - a[0] * b[2]) * c[1] +
                  (a[0] * b[1] - a[1] * b[0]) * c[2] ==
              Approx(0.45));
        for (std::size_t d = 0; d < 3; ++d) mean[d] += a[d] / 20.0;
    }
    CHECK(sites.size() == 24);
    // Means of 20 uniform components, of variance 1/3, within four deviations.
    for (const double m : mean) CHECK(std::abs(m) < 4.0 * std::sqrt(1.0 / 60.0));
}

TEST_CASE("the path of a chain goes from neighbour to neighbour") {
    const std::array<std::int64_t, 3> repeat = {3, 4, 5};
    const auto order = serpentine<3>(repeat);
    std::vector<std::size_t> sorted = order, all(60);
    std::sort(sorted.begin(), sorted.end());
    std::iota(all.begin(), all.end(), std::size_t{0});
    CHECK(sorted == all);
    const auto cell = [](std::size_t k) {
        return std::array<std::int64_t, 3>{static_cast<std::int64_t>(k / 20),
                                           static_cast<std::int64_t>(k / 5 % 4),
                                           static_cast<std::int64_t>(k % 5)};
    };
    for (std::size_t k = 1; k < order.size(); ++k) {
        std::int64_t steps = 0;
        for (std::size_t d = 0; d < 3; ++d)
            steps += std::abs(cell(order[k])[d] - cell(order[k - 1])[d]);
        CHECK(steps == 1);
    }
}

TEST_CASE("molecules that do not fit are refused in words") {
    const auto molecule = [](const std::string& keys) {
        return refused(chain_input("[[molecule]]\n" + keys));
    };
    using Catch::Contains;
    const std::string bond = "bonds = [{ atoms = [0, 1] }]\n";
    CHECK_THAT(molecule("count = 12\natoms = [\"A\", \"A\"]\n" + bond), Contains("`exclude`"));
    CHECK_THAT(molecule("count = 11\natoms = [\"A\", \"A\"]\nexclude = 1\n" + bond),
               Contains("24 places for 22 atoms"));
    // At once, however many there are.
    CHECK_THAT(molecule("count = 1\natoms = [\"A\"]\nrepeat = 2_000_000_000\nexclude = 1\n" + bond),
               Contains("1 molecules of 2000000000 atoms for 24 places"));
    CHECK_THAT(molecule("count = 25\natoms = [\"A\"]\nplaces = [[0, 0, 0]]\n"),
               Contains("25 molecules of 1 atom for 24 places"));
    CHECK_THAT(
        molecule("count = 1\natoms = [\"A\"]\nrepeat = 2_000_000_000\nplaces = [[0, 0, 0]]\n"),
        Contains("1 places of 2000000000 atoms"));
    CHECK_THAT(molecule("count = 12\natoms = [\"A\", \"X\"]\n"), Contains("atom \"X\""));
    CHECK_THAT(molecule("count = 24\natoms = [\"A\"]\nexclude = 0\n"),
               Contains("in a molecule without bonds"));
    CHECK_THAT(molecule("count = 0\natoms = [\"A\"]\n"), Contains("count = 0"));
    CHECK_THAT(molecule("count = 24\natoms = []\n"), Contains("without atoms"));
    CHECK_THAT(molecule("count = 12\natoms = [\"A\", \"A\"]\nexclude = 1\n"
                        "bonds = [{ atoms = [0, 2] }]\n"),
               Contains("counted from 0, of 2"));
    CHECK_THAT(molecule("count = 12\natoms = [\"A\", \"A\"]\nexclude = 9\n" + bond),
               Contains("exclude = 9"));
    CHECK_THAT(molecule("count = 12\natoms = [\"A\", \"A\"]\nexclude = 1\n"
                        "bonds = [{ atoms = [0, 1, 1] }]\n"),
               Contains("bond of 3 atoms"));
    CHECK_THAT(molecule("count = 12\natoms = [\"A\", \"A\"]\nplaces = [[0, 0, 0]]\n"),
               Contains("1 places of 2 atoms"));
    CHECK_THAT(refused(chain_input("[[species]]\nname = \"A\"\n[[species]]\nname = \"B\"\n"
                                   "[[molecule]]\ncount = 24\natoms = [\"A\"]\n")),
               Contains("\"B\" in no molecule"));
    CHECK_THAT(refused("[system]\ndimension = 3\nlattice = { type = \"fcc\", repeat = [2, 2, 2], "
                       "constant = 1.5 }\n[[molecule]]\ncount = 4\natoms = [\"A\"]\nrepeat = 8\n"),
               Contains("path from neighbour to neighbour"));
}
