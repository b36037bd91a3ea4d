// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/system/setup.hpp"

#include "support/catch.hpp"

#include "shadow/core/error.hpp"
#include "shadow/io/toml.hpp"
#include "shadow/system/species.hpp"

#include <cmath>
#include <numeric>

using namespace shadow;

namespace {

template <int Dim>
Setup<Dim> setup_of(const std::string& text, std::optional<LoadedSystem<Dim>> loaded = {}) {
    const Parameters root = read_toml_text(text, "test.toml");
    REQUIRE(system_dimension(root) == Dim);
    auto setup = make_system<Dim>(root, 1, std::move(loaded));
    draw_velocities(root, setup, conserved_momenta(setup.box), 1);
    root.refuse_unused();
    return setup;
}

/// What the message of a wrong input says.
std::string complaint(const std::string& system, const std::string& species = "") {
    const std::string text = "[system]\ndimension = 2\n" + system + "\n" + species;
    try {
        const Parameters root = read_toml_text(text, "test.toml");
        auto setup = make_system<2>(root, 1);
        draw_velocities(root, setup, conserved_momenta(setup.box), 1);
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

bool mentions(const std::string& text, const std::string& part) {
    INFO(text);
    const bool found = text.find(part) != std::string::npos;
    CHECK(found);
    CHECK(text.find("test.toml:") == 0);
    CHECK(text.find(';') != std::string::npos);
    return found;
}

LoadedSystem<2> loaded_pair() {
    LoadedSystem<2> loaded;
    loaded.snapshot.species_table = {{"O", 16.0, -1.0}, {"H", 1.0, 0.5}};
    loaded.snapshot.position = {{1.0, 2.0}, {3.0, 4.0}, {5.0, 5.0}};
    loaded.snapshot.momentum = {{16.0, 0.0}, {2.0, 1.0}, {-3.0, 0.0}};
    loaded.snapshot.image.assign(3, {});
    loaded.snapshot.species = {0, 1, 1};
    loaded.box = Box<2>({8.0, 9.0}, {true, true});
    return loaded;
}

} // namespace

TEST_CASE("the planar cluster of the seeds is set up from its input") {
    const auto setup = setup_of<2>(R"([system]
dimension = 2
units = "lj"
box = { periodic = false }
lattice = { type = "square", repeat = [20, 20], constant = 1.0, jitter = 0.01 }
velocity = { temperature = 0.0 }
)");
    CHECK(setup.start.size() == 400);
    CHECK(setup.box.is_open());
    CHECK(setup.units.boltzmann == 1.0);
    CHECK(setup.start.species_table.size() == 1);
    CHECK(setup.start.species_table[0].name == "A");
    CHECK(std::abs(setup.start.position[21][0] - 1.0) <= 0.01);
    CHECK(std::abs(setup.start.position[21][1] - 1.0) <= 0.01);
    CHECK(setup.start.position[21][0] != 1.0);
}

TEST_CASE("a box of given density holds whole cells at exactly that density") {
    const auto fcc = setup_of<3>(R"([system]
dimension = 3
box = { density = 0.8442 }
lattice = { type = "fcc", repeat = [5, 6, 7] }
velocity = { temperature = 1.44 }
)");
    CHECK(fcc.start.size() == 840);
    CHECK(fcc.box.is_periodic());
    CHECK(std::abs(840.0 / fcc.box.volume() / 0.8442 - 1.0) < 1e-14);
    double twice_kinetic = 0.0;
    for (const auto& p : fcc.start.momentum)
        for (const double component : p) twice_kinetic += component * component;
    CHECK(std::abs(twice_kinetic / (1.44 * (3 * 840 - 3)) - 1.0) < 1e-13);

    const auto triangular = setup_of<2>(R"([system]
dimension = 2
box = { density = 0.8 }
lattice = { type = "triangular", repeat = [12, 7] }
)");
    CHECK(std::abs(168.0 / triangular.box.volume() / 0.8 - 1.0) < 1e-14);

    const auto random = setup_of<2>(R"([system]
dimension = 2
box = { density = 0.3 }
lattice = { type = "random", count = 300, min_distance = 0.9 }
)");
    CHECK(std::abs(random.box.volume() - 1000.0) < 1e-9);
    CHECK(random.start.size() == 300);
}

TEST_CASE("boxes open by direction, fit the lattice or are longer") {
    const auto slab = setup_of<3>(R"([system]
dimension = 3
box = { periodic = [true, true, false] }
lattice = { type = "sc", repeat = [3, 4, 5], constant = 2.0 }
)");
    CHECK(slab.box.lengths() == std::array<double, 3>{6.0, 8.0, 0.0});
    CHECK(slab.box.periodic() == std::array<bool, 3>{true, true, false});
    const auto roomy = setup_of<1>(R"([system]
dimension = 1
box = { lengths = [100.0] }
lattice = { type = "chain", repeat = [10], constant = 1.5 }
)");
    CHECK(roomy.box.volume() == 100.0);
    CHECK(roomy.start.position[9][0] == 13.5);
}

TEST_CASE("temperatures in kelvin use the Boltzmann constant of the units") {
    const auto argon = setup_of<3>(R"([system]
dimension = 3
units = "akma"
box = { density = 0.02 }
lattice = { type = "fcc", repeat = [3, 3, 3] }
velocity = { temperature = 120.0 }
[[species]]
name = "Ar"
mass = 39.948
)");
    double twice_kinetic = 0.0;
    for (const auto& p : argon.start.momentum)
        for (const double component : p) twice_kinetic += component * component / 39.948;
    CHECK(std::abs(twice_kinetic / (120.0 * 0.0019872042586 * (3 * 108 - 3)) - 1.0) < 1e-10);
}

TEST_CASE("species are dealt out in exact numbers and random order") {
    CHECK(species_counts(10, std::vector<double>{0.8, 0.2}) == std::vector<std::int64_t>{8, 2});
    CHECK(species_counts(7, std::vector<double>{0.5, 0.5}) == std::vector<std::int64_t>{4, 3});
    CHECK(species_counts(10, std::vector<double>{1.0 / 3, 1.0 / 3, 1.0 / 3}) ==
          std::vector<std::int64_t>{4, 3, 3});
    CHECK(species_counts(1, std::vector<double>{0.1, 0.9}) == std::vector<std::int64_t>{0, 1});
    CHECK(species_counts(5, std::vector<double>{0.0, 1.0}) == std::vector<std::int64_t>{0, 5});
    // Two are left over: one for each of two species, not both for one.
    CHECK(species_counts(101, std::vector<double>(3, 1.0 / 3.0)) ==
          std::vector<std::int64_t>{34, 34, 33});
    for (const std::int64_t n : {1, 13, 997, 1'000'003}) {
        const auto counts = species_counts(n, std::vector<double>{0.1, 0.2, 0.7});
        CHECK(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}) == n);
        CHECK(std::abs(static_cast<double>(counts[1]) - 0.2 * static_cast<double>(n)) < 1.0);
    }

    const auto setup = setup_of<3>(R"([system]
dimension = 3
box = { density = 1.2 }
lattice = { type = "sc", repeat = [20, 20, 20] }
[[species]]
name = "A"
fraction = 0.8
[[species]]
name = "B"
mass = 2.0
charge = -1.0
fraction = 0.2
)");
    std::int64_t total = 0, first_half = 0, neighbours = 0;
    const auto& species = setup.start.species;
    for (std::size_t i = 0; i < 8000; ++i) {
        total += species[i];
        if (i < 4000) first_half += species[i];
        if (i > 0) neighbours += species[i] * species[i - 1];
    }
    CHECK(total == 1600);
    // Hypergeometric: 800 +- 17.9; pairs of neighbours 320 +- 16: five of each.
    CHECK(std::abs(static_cast<double>(first_half) - 800.0) < 90.0);
    CHECK(std::abs(static_cast<double>(neighbours) - 320.0) < 80.0);
    CHECK(setup.start.species_table[1].charge == -1.0);
}

TEST_CASE("an ordered mixture has a species on each sublattice") {
    const std::string salt = R"([system]
dimension = 3
box = { density = 0.045 }
lattice = { type = "rock-salt", repeat = [3, 4, 5])";
    const std::string ions = "[[species]]\nname = \"Na\"\ncharge = 1.0\n"
                             "[[species]]\nname = \"Cl\"\ncharge = -1.0\nmass = 1.5\n";
    for (const char* names : {" }\n", ", species = [\"Na\", \"Cl\"] }\n"}) {
        const auto setup = setup_of<3>(salt + names + ions);
        REQUIRE(setup.start.size() == 480);
        CHECK(std::abs(480.0 / setup.box.volume() / 0.045 - 1.0) < 1e-14);
        const double half = 0.5 * setup.box.lengths()[0] / 3.0; // of a cell
        for (std::size_t i = 0; i < 480; ++i) {
            long parity = 0;
            for (const double x : setup.start.position[i]) parity += std::lround(x / half);
            CHECK(setup.start.species[i] == parity % 2);
        }
    }
    const auto turned = setup_of<3>(salt + ", species = [\"Cl\", \"Na\"] }\n" + ions);
    CHECK(turned.start.species[0] == 1);
    const auto graphene = setup_of<2>(R"([system]
dimension = 2
lattice = { type = "honeycomb", repeat = [2, 3], constant = 2.46, species = ["C", "C"] }
[[species]]
name = "C"
)");
    CHECK(graphene.start.species == std::vector<std::uint16_t>(24, 0));
}

TEST_CASE("a file brings particles, and the input overrides what it names") {
    const std::string head = "[system]\ndimension = 2\nfile = \"start.h5\"\n";
    const auto plain = setup_of<2>(head, loaded_pair());
    CHECK(plain.box.lengths() == std::array<double, 2>{8.0, 9.0});
    CHECK(plain.start.momentum[1] == std::array<double, 2>{2.0, 1.0});

    const auto heavy = setup_of<2>(head + "[[species]]\nname = \"H\"\nmass = 2.0\n", loaded_pair());
    CHECK(heavy.start.momentum[1] == std::array<double, 2>{4.0, 2.0});
    CHECK(heavy.start.momentum[0] == std::array<double, 2>{16.0, 0.0});
    CHECK(heavy.start.species_table[1].charge == 0.5);

    const auto open = setup_of<2>(head + "box = { periodic = false }\n", loaded_pair());
    CHECK(open.box.is_open());
    const auto cold = setup_of<2>(head + "velocity = { temperature = 0.0 }\n", loaded_pair());
    CHECK(cold.start.momentum[0] == std::array<double, 2>{0.0, 0.0});

    CHECK_THROWS_AS(setup_of<2>(head), InputError);
    CHECK_THROWS_AS(setup_of<2>(head + "[[species]]\nname = \"C\"\n", loaded_pair()), InputError);
    CHECK_THROWS_AS(setup_of<2>(head + "box = { density = 1.0 }\n", loaded_pair()), InputError);
    auto boxless = loaded_pair();
    boxless.box = {};
    CHECK(setup_of<2>(head, boxless).box.is_open());
    CHECK(setup_of<2>(head + "box = { lengths = [7.0, 7.0] }\n", boxless).box.volume() == 49.0);
}

TEST_CASE("wrong systems are refused where they are wrong") {
    const std::string square = "lattice = { type = \"square\", repeat = [4, 4], constant = 1.0 }";
    CHECK(complaint(square) == "accepted");
    mentions(complaint(""), "no particles");
    mentions(complaint("lattice = { type = \"fcc\", repeat = [4, 4], constant = 1.0 }"), "fcc");
    mentions(complaint("lattice = { type = \"square\", repeat = [4, 0], constant = 1.0 }"),
             "repeat of 0");
    mentions(complaint("lattice = { type = \"square\", repeat = [4], constant = 1.0 }"),
             "2 dimensions");
    mentions(
        complaint("lattice = { type = \"square\", repeat = [100000, 100000], constant = 1.0 }"),
        "1e+10 particles");
    mentions(complaint("lattice = { type = \"square\", repeat = [4, 4], constant = -1.0 }"),
             "above zero");
    mentions(complaint("lattice = { type = \"square\", repeat = [4, 4] }"), "constant");
    mentions(complaint("lattice = { type = \"square\", repeat = [4, 4], constant = 1.0, jitter = "
                       "-0.1 }"),
             "jitter");
    mentions(complaint("box = { density = 1.0 }\n" + square), "together with box.density");
    mentions(complaint("box = { density = 0.0 }\n" + square), "density");
    mentions(complaint("box = { lengths = [3.0, 4.0] }\n" + square), "box length 3");
    mentions(complaint("box = { lengths = [8.0, -4.0] }\n" + square), "box length -4");
    mentions(complaint("box = { lengths = [8.0] }\n" + square), "2 dimensions");
    mentions(complaint("box = { lengths = [8.0, 8.0], density = 1.0 }\n" + square),
             "a density together with lengths");
    mentions(complaint("box = { periodic = [true] }\n" + square), "2 dimensions");
    mentions(complaint(square + "\nvelocity = { temperature = -1.0 }"), "temperature -1");
    mentions(complaint("lattice = { type = \"square\", repeat = [1, 1], constant = 1.0 }\n"
                       "velocity = { temperature = 1.0 }"),
             "1 particle");
    mentions(complaint("units = \"si\"\n" + square), "si");
    mentions(complaint("file = \"a.h5\"\n" + square), "a file together with a lattice");
    mentions(complaint("lattice = { type = \"random\", count = 10, min_distance = 1.0 }"),
             "without a region");
    mentions(complaint("box = { density = 1.0 }\n"
                       "lattice = { type = \"random\", count = 500, min_distance = 1.0 }"),
             "no room for particle");
    mentions(complaint("box = { density = 1.0 }\n"
                       "lattice = { type = \"random\", count = 0, min_distance = 1.0 }"),
             "0 particles");
}

TEST_CASE("wrong species are refused where they are wrong") {
    const std::string square = "lattice = { type = \"square\", repeat = [4, 4], constant = 1.0 }";
    mentions(complaint(square, "[[species]]\nname = \"A\"\nmass = 0.0\n"), "above zero");
    mentions(complaint(square, "[[species]]\nname = \"A\"\nfraction = 0.5\n"), "sum to 0.5");
    mentions(complaint(square, "[[species]]\nname = \"A\"\nfraction = 0.5\n"
                               "[[species]]\nname = \"A\"\nfraction = 0.5\n"),
             "\"A\" twice");
    mentions(complaint(square, "[[species]]\nname = \"A\"\nfraction = 1.5\n"
                               "[[species]]\nname = \"B\"\nfraction = -0.5\n"),
             "fraction 1.5");
    mentions(complaint(square, "[[species]]\nname = \"A\"\n[[species]]\nname = \"B\"\n"),
             "fraction");
    mentions(complaint(square, "[[species]]\nfraction = 0.5\n[[species]]\nfraction = 0.5\n"),
             "without a name");
    mentions(complaint(square, "[[species]]\nname = \"\"\n"), "without a name");
}

TEST_CASE("species that do not fit the sublattices are refused") {
    const auto board = [](const std::string& rest) {
        return "lattice = { type = \"checkerboard\", repeat = [4, 4], constant = 1.0" + rest + " }";
    };
    const std::string a = "[[species]]\nname = \"A\"\n", b = "[[species]]\nname = \"B\"\n",
                      c = "[[species]]\nname = \"C\"\n";
    CHECK(complaint(board(""), a + b) == "accepted");
    CHECK(complaint(board(", species = [\"A\", \"A\"]"), a) == "accepted");
    mentions(complaint(board("")), "1 species for a lattice of 2 sublattices");
    mentions(complaint(board(""), a + b + c), "3 species for a lattice of 2 sublattices");
    mentions(complaint(board(", species = [\"A\"]"), a + b), "1 species for a lattice");
    mentions(complaint(board(", species = [\"A\", \"D\"]"), a + b), "\"D\"");
    mentions(complaint(board(", species = [\"A\", \"B\"]"), a + b + c), "\"C\" without");
    mentions(complaint(board(", species = [\"A\", \"A\"]"), a + b), "\"B\" without");
    mentions(complaint(board(""), a + "fraction = 0.5\n" + b + "fraction = 0.5\n"), "fraction");
    mentions(
        complaint("lattice = { type = \"rock-salt\", repeat = [4, 4], constant = 1.0 }", a + b),
        "\"rock-salt\" (it must be");
}

TEST_CASE("the dimension is 1, 2 or 3") {
    for (const char* text : {"[system]\ndimension = 4\n", "[system]\ndimension = 0\n", "[system]\n",
                             "[system]\ndimension = 2.5\n"})
        CHECK_THROWS_AS(system_dimension(read_toml_text(text, "test.toml")), InputError);
}
