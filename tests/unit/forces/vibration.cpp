// SPDX-License-Identifier: BSD-3-Clause
// The fastest vibration of molecules against normal modes that are known.
#include "shadow/forces/vibration.hpp"

#include "support/catch.hpp"
#include "support/world.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

using namespace shadow;
using namespace shadow::test;

namespace {

const char *const bonds = "[[force]]\ntype = \"harmonic-bond\"\nk = 900.0\nr0 = 1.0\n"
                          "level = \"fast\"\n",
                  *const angles = "[[force]]\ntype = \"harmonic-angle\"\nk = 80.0\n"
                                  "theta0 = 180.0\n";

std::string molecule(const char* atoms, const char* terms, double angle) {
    return fmt::format("[system]\ndimension = 3\n"
                       "lattice = {{ type = \"sc\", repeat = [3, 3, 3], constant = 3.0 }}\n"
                       "[[species]]\nname = \"H\"\nmass = 1.0\n"
                       "[[species]]\nname = \"O\"\nmass = 16.0\n"
                       "[[molecule]]\ncount = 27\nexclude = 2\natoms = {}\n"
                       "places = [[-1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [{}, {}, 0.0]]\n{}\n",
                       atoms, std::cos(angle), std::sin(angle), terms);
}

std::optional<Vibration> fastest(const Setup<3>& setup, const std::string& forces,
                                 std::size_t which = 0) {
    const Backend backend = Backend::cpu(1);
    const Parameters root = read_toml_text(forces, "test.toml");
    const ForceContext<3> context{backend, setup.box,        setup.start,    setup.units,
                                  true,    {"fast", "slow"}, &setup.topology};
    const ForcePlan plan = read_forces(root, context);
    const auto all = fast_vibrations(plan, setup.topology, setup.box, setup.start);
    return all.empty() ? std::nullopt : std::optional(all.at(std::min(which, all.size() - 1)));
}

std::optional<Vibration> fastest(const std::string& system, const std::string& forces,
                                 std::size_t which = 0) {
    return fastest(read_setup<3>(system), forces, which);
}

} // namespace

TEST_CASE("the fastest vibration of a molecule in line is its antisymmetric stretch") {
    // w^2 = k (1/m + 2/M), its bending 2 K (1/m + 2/M)/r^2, both across faces of the box too.
    const auto found = fastest(
        molecule(
            "[\"H\", \"O\", \"H\"]",
            "bonds = [{ atoms = [0, 1] }, { atoms = [1, 2] }]\nangles = [{ atoms = [0, 1, 2] }]",
            0.0),
        std::string(bonds) + angles);
    REQUIRE(found);
    CHECK(found->frequency == Approx(std::sqrt(900.0 * (1.0 + 2.0 / 16.0))).epsilon(1e-5));
    CHECK(found->share[0] == Approx(1.0).epsilon(1e-6));
    CHECK(std::abs(found->share[1]) < 1e-6);
    const auto bent = fastest(
        molecule(
            "[\"H\", \"O\", \"H\"]",
            "bonds = [{ atoms = [0, 1] }, { atoms = [1, 2] }]\nangles = [{ atoms = [0, 1, 2] }]",
            0.0),
        "[[force]]\ntype = \"harmonic-bond\"\nk = 9.0\nr0 = 1.0\n" + std::string(angles));
    REQUIRE(bent);
    CHECK(bent->frequency == Approx(std::sqrt(2.0 * 80.0 * (1.0 + 2.0 / 16.0))).epsilon(1e-5));
    CHECK(bent->share[1] == Approx(1.0).epsilon(1e-5));
}

TEST_CASE("particles by themselves vibrate in what says how stiff it is") {
    // w^2 = a k^2/m of a wave of amplitude a, of the lightest species on which it acts.
    const std::string system = "[system]\ndimension = 3\n"
                               "lattice = { type = \"sc\", repeat = [3, 3, 3], constant = 3.0 }\n"
                               "[[species]]\nname = \"O\"\nmass = 16.0\nfraction = 0.5\n"
                               "[[species]]\nname = \"H\"\nmass = 1.0\nfraction = 0.5\n";
    const auto in = [&](const std::string& field) {
        return fastest(system, "[[force]]\n" + field);
    };
    const std::string wave = "type = \"cosine-field\"\namplitude = 2.0\nperiods = [0, 3, 0]\n";
    const double k = 2.0 * std::numbers::pi * 3.0 / 9.0;
    auto found = in(wave);
    REQUIRE(found);
    CHECK(found->frequency == Approx(std::sqrt(2.0) * k));
    CHECK(found->species == "H");
    CHECK(found->forces == std::vector<std::string>{"cosine-field"});
    CHECK(found->share == std::vector{0.0, 1.0});
    found = in(wave + "species = [\"O\"]\nlevel = \"fast\"\n");
    REQUIRE(found);
    CHECK(found->frequency == Approx(std::sqrt(2.0 / 16.0) * k));
    CHECK(found->species == "O");
    CHECK(found->share == std::vector{1.0, 0.0});
    Setup<3> heavy = read_setup<3>(system);
    std::fill(heavy.start.species.begin(), heavy.start.species.end(), std::uint16_t{0});
    found = fastest(heavy, "[[force]]\n" + wave);
    REQUIRE(found);
    CHECK(found->species == "O"); // there is no H
    // With the largest factor that there will be, also of one that pushes.
    for (const auto& [factors, largest] :
         {std::pair{"period = 1.0", 1.0},
          std::pair{"points = [[0.0, 1.0], [5.0, 9.0], [6.0, 0.0]]", 9.0},
          std::pair{"points = [[0.0, -4.0], [5.0, 1.0]]", 4.0}}) {
        found = in(wave + fmt::format("modulation = {{ {} }}\n", factors));
        REQUIRE(found);
        CHECK(found->frequency == Approx(std::sqrt(2.0 * largest) * k));
    }
    CHECK_FALSE(in("type = \"uniform-field\"\nstrength = [1.0, 0.0, 0.0]\n"));
}

TEST_CASE("what holds a particle adds up, along the same direction alone") {
    const std::string system = "[system]\ndimension = 3\nbox = { periodic = false }\n"
                               "lattice = { type = \"sc\", repeat = [3, 3, 3], constant = 3.0 }\n"
                               "[[species]]\nname = \"O\"\nmass = 4.0\n";
    const std::string wall = "[[force]]\ntype = \"wall-harmonic\"\nstiffness = 5.0\nlevel = "
                             "\"fast\"\npoint = [0.0, 0.0, 0.0]\nnormal = [0.6, 0.8, 0.0]\n";
    const auto trap = [](const char* stiffness, const char* more = "") {
        return fmt::format("[[force]]\ntype = \"harmonic-trap\"\nstiffness = {}\n{}", stiffness,
                           more);
    };
    auto found = fastest(system, trap("[7.0, 0.0, 0.0]") + trap("[9.0, 2.0, 0.0]"));
    REQUIRE(found);
    CHECK(found->frequency == Approx(std::sqrt(16.0 / 4.0)));
    CHECK(found->forces == std::vector<std::string>{"harmonic-trap"});
    CHECK(fastest(system, trap("[7.0, 0.0, 0.0]") + trap("[9.0, 2.0, 0.0]"), 1)->frequency ==
          Approx(std::sqrt(2.0 / 4.0)));
    // Half of each, as a wall and its trap say together: 5 n n + 5.
    found = fastest(system, trap("[5.0, 5.0, 5.0]") + wall);
    REQUIRE(found);
    CHECK(found->frequency == Approx(std::sqrt(10.0 / 4.0)));
    CHECK(found->forces == std::vector<std::string>{"harmonic-trap", "wall-harmonic"});
    CHECK(found->share[0] == Approx(0.5));
    CHECK(found->share[1] == Approx(0.5));
    // One that pushes away takes something off.
    found =
        fastest(system, trap("[7.0, 0.0, 0.0]") +
                            trap("[3.0, 0.0, 0.0]", "modulation = { points = [[0.0, -1.0]] }\n"));
    REQUIRE(found);
    CHECK(found->frequency == Approx(std::sqrt(4.0 / 4.0)));
}

TEST_CASE("a trap adds to bonds what it holds of their atoms") {
    // Atoms of the mass 16 in a trap of k' = 160 along x beside a bond of k: w^2 = 2 k/m + k'/m; of
    // a trap for one of both (k + k'/2 + sqrt(k^2 + k'^2/4))/m.
    const auto dumbbells = [](const std::string& other, std::size_t first_along_x) {
        Setup<3> setup = read_setup<3>(fmt::format(
            "[system]\ndimension = 3\nbox = {{ periodic = false }}\n"
            "lattice = {{ type = \"sc\", repeat = [3, 3, 3], constant = 3.0 }}\n"
            "[[species]]\nname = \"O\"\nmass = 16.0\n{}"
            "[[molecule]]\ncount = 27\nexclude = 2\natoms = [\"{}\", \"O\"]\n"
            "places = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]\nbonds = [{{ atoms = [0, 1] }}]\n",
            other == "O" ? "" : "[[species]]\nname = \"P\"\nmass = 16.0\n", other));
        auto& place = setup.start.position;
        for (std::size_t k = 0; k < place.size(); k += 2) {
            place[k + 1] = place[k];
            place[k + 1][k / 2 < first_along_x ? 1 : 0] += 1.0;
        }
        return setup;
    };
    const std::string trap = "[[force]]\ntype = \"harmonic-trap\"\nstiffness = "
                             "[160.0, 0.0, 0.0]\nlevel = \"slow\"\n";
    const std::size_t first = GENERATE(0UL, 26UL); // all of them along x, or the last one
    const Setup<3> same = dumbbells("O", first);
    auto found = fastest(same, bonds + trap);
    REQUIRE(found);
    CHECK(found->frequency == Approx(std::sqrt((2.0 * 900.0 + 160.0) / 16.0)).epsilon(1e-4));
    CHECK(found->forces == std::vector<std::string>{Vibration::bonded, "harmonic-trap"});
    CHECK(found->share[1] == Approx(160.0 / 1960.0).epsilon(1e-3));
    found = fastest(dumbbells("O", 27), bonds + trap); // none is along x
    CHECK(found->frequency == Approx(std::sqrt(2.0 * 900.0 / 16.0)).epsilon(1e-4));
    CHECK(found->has_bonds_alone());
    const double one = 900.0 + 80.0 + std::sqrt(900.0 * 900.0 + 80.0 * 80.0);
    found = fastest(dumbbells("P", first), bonds + trap + "species = [\"O\"]\n");
    CHECK(found->frequency == Approx(std::sqrt(one / 16.0)).epsilon(1e-4));
}

TEST_CASE("the fastest vibration is that of the stiffest bond and the lightest atoms") {
    const auto found = fastest(
        molecule(
            "[\"H\", \"O\", \"O\"]",
            "bonds = [{ atoms = [0, 1], type = \"stiff\" }, { atoms = [1, 2], type = \"weak\" }]",
            1.9),
        std::string(bonds) + "of = \"stiff\"\n[[force]]\ntype = \"harmonic-bond\"\nk = 1.0\n"
                             "r0 = 1.0\nof = \"weak\"\n");
    REQUIRE(found);
    CHECK(found->frequency == Approx(std::sqrt(900.0 * (1.0 + 1.0 / 16.0))).epsilon(1e-3));
    CHECK(found->atoms[0] % 3 == 0);
    CHECK(found->atoms[1] == found->atoms[0] + 1);
    CHECK_FALSE(fastest(
        molecule("[\"H\", \"O\", \"O\"]", "bonds = [{ atoms = [0, 1] }, { atoms = [1, 2] }]", 1.9),
        "[[force]]\ntype = \"harmonic-bond\"\nk = 0.0\nr0 = 1.0\n"));
}

TEST_CASE("slower vibrations are found too, each once") {
    const std::string system = molecule(
        "[\"H\", \"O\", \"H\"]",
        "bonds = [{ atoms = [0, 1] }, { atoms = [1, 2] }]\nangles = [{ atoms = [0, 1, 2] }]", 0.0);
    const std::string forces = std::string(bonds) + angles;
    CHECK(fastest(system, forces, 1)->frequency == Approx(std::sqrt(900.0)).epsilon(1e-4));
    CHECK(fastest(system, forces, 2)->frequency ==
          Approx(std::sqrt(2.0 * 80.0 * (1.0 + 2.0 / 16.0))).epsilon(1e-3));
    CHECK(fastest(system, forces, 3)->frequency == fastest(system, forces, 2)->frequency);
}

TEST_CASE("a bond under pressure hides no vibration") {
    // Half as long as at rest it bends outwards, -k a square, faster than it vibrates.
    const std::string system =
        molecule("[\"H\", \"O\", \"H\"]", "bonds = [{ atoms = [0, 1] }, { atoms = [1, 2] }]", 0.0);
    const auto found =
        fastest(system, "[[force]]\ntype = \"harmonic-bond\"\nk = 900.0\nr0 = 3.0\n");
    REQUIRE(found);
    CHECK(found->frequency == Approx(std::sqrt(900.0 * (1.0 + 2.0 / 16.0))).epsilon(1e-4));
}
