// SPDX-License-Identifier: BSD-3-Clause
#include "src/system/molecules.hpp"
#include "support/catch.hpp"
#include "support/world.hpp"

#include "shadow/core/error.hpp"

using namespace shadow;

namespace {

/// A region of [[molecule]] whose atoms stay `distance` from those of others; periodic, open, or
/// open along the last direction.
template <int Dim>
std::string input(const std::string& kind, double length, double distance,
                  const std::string& molecules) {
    std::string lengths, periodic;
    for (int d = 0; d < Dim; ++d) {
        const bool open = kind == "open" || (kind == "slab" && d == Dim - 1);
        lengths += (d ? ", " : "") + std::to_string(length * (1.0 + 0.1 * d));
        periodic += std::string(d ? ", " : "") + (open ? "false" : "true");
    }
    return "[system]\ndimension = " + std::to_string(Dim) + "\nbox = { lengths = [" + lengths +
           "], periodic = [" + periodic +
           "] }\nlattice = { type = \"insertion\", distance = " + std::to_string(distance) +
           " }\n" + molecules;
}

/// The least distance between particles for which `counts` is true.
template <int Dim, class Counts>
double closest(const Setup<Dim>& setup, const Counts& counts) {
    double least = 1e300;
    for (std::size_t i = 0; i < setup.start.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (counts(i, j))
                least = std::min(least,
                                 test::length_of<Dim>(test::between<Dim>(
                                     setup.start.position[i], setup.start.position[j], setup.box)));
    return least;
}

template <int Dim>
double apart(const Setup<Dim>& setup, std::size_t i, std::size_t j) {
    const auto a = unwrapped(setup.start, setup.box, i), b = unwrapped(setup.start, setup.box, j);
    std::array<double, Dim> dx;
    for (std::size_t d = 0; d < Dim; ++d) dx[d] = a[d] - b[d];
    return test::length_of<Dim>(dx);
}

/// In open directions all is in the region, in periodic ones in the box, with images.
template <int Dim>
void check_inside(const Setup<Dim>& setup, double length) {
    for (std::size_t i = 0; i < setup.start.size(); ++i)
        for (std::size_t d = 0; d < Dim; ++d) {
            const double x = setup.start.position[i][d];
            CHECK((x >= 0.0 && x < length * (1.0 + 0.1 * static_cast<double>(d))));
            if (!setup.box.periodic()[d]) CHECK(setup.start.image[i][d] == 0);
        }
}

std::string words_of_refusal(const std::string& text, std::uint64_t seed = 1) {
    try {
        static_cast<void>(test::read_setup<3>(text, seed));
    } catch (const InputError& error) {
        return error.what();
    }
    return "nothing is wrong";
}

/// Chains of ten beads.
std::string chains(int count, double distance) {
    return "[[molecule]]\ncount = " + std::to_string(count) +
           "\natoms = [\"A\"]\nrepeat = 10\nbonds = [{ atoms = [0, 1] }]\nexclude = 0\n"
           "grow = { length = 0.97, distance = " +
           std::to_string(distance) + " }\n";
}

} // namespace

TEMPLATE_TEST_CASE_SIG("inserted molecules keep their shape and their distance", "",
                       ((int Dim), Dim), 1, 2, 3) {
    const std::string kind = GENERATE("periodic", "open", "slab");
    CAPTURE(kind);
    const std::string places = Dim == 1   ? "[[0.0], [0.6], [1.5]]"
                               : Dim == 2 ? "[[0.0, 0.0], [0.6, 0.0], [0.0, 1.5]]"
                                          : "[[0.0, 0.0, 0.0], [0.6, 0.0, 0.0], [0.0, 1.5, 0.0]]";
    const double length = Dim == 1 ? 700.0 : Dim == 2 ? 23.0 : 9.0;
    const std::string text = input<Dim>(kind, length, 0.8,
                                        R"(
[[species]]
name = "A"
mass = 3.0
[[species]]
name = "B"
[[molecule]]
count = 150
atoms = ["A", "B", "B"]
places = )" + places + R"(
[[molecule]]
count = 50
atoms = ["B"]
)");
    const Setup<Dim> setup = test::read_setup<Dim>(text, 3);
    REQUIRE(setup.start.size() == 500);
    check_inside(setup, length);
    const auto molecule = [](std::size_t i) { return i < 450 ? i / 3 : i - 300; };
    const double least =
        closest(setup, [&](std::size_t i, std::size_t j) { return molecule(i) != molecule(j); });
    CHECK(least >= 0.8);
    CHECK(least < 0.85); // there are many near contact at this density
    double turned = 0.0, centre = 0.0;
    for (std::size_t m = 0; m < 150; ++m) {
        const double ends = Dim == 1 ? 0.9 : std::hypot(0.6, 1.5);
        CHECK(apart(setup, 3 * m, 3 * m + 1) == Approx(0.6).epsilon(1e-11));
        CHECK(apart(setup, 3 * m, 3 * m + 2) == Approx(1.5).epsilon(1e-11));
        CHECK(apart(setup, 3 * m + 1, 3 * m + 2) == Approx(ends).epsilon(1e-11));
        CHECK(setup.start.species[3 * m] == 0);
        CHECK(setup.start.species[3 * m + 1] == 1);
        const auto a = unwrapped(setup.start, setup.box, 3 * m),
                   b = unwrapped(setup.start, setup.box, 3 * m + 2);
        turned += (b[0] - a[0]) / 1.5 / 150.0;
        centre += a[0] / length / 150.0;
    }
    // Means of 150 components of unit vectors, of variance 1/Dim, and of 150 places, 1/12.
    CHECK(std::abs(turned) < 4.0 * std::sqrt(1.0 / (150.0 * Dim)));
    CHECK(std::abs(centre - 0.5) < 4.0 * std::sqrt(1.0 / (150.0 * 12.0)));
    CHECK(test::read_setup<Dim>(text, 3).start.position == setup.start.position);
    CHECK(test::read_setup<Dim>(text, 4).start.position != setup.start.position);
}

TEMPLATE_TEST_CASE_SIG("grown chains have their bonds and bends, and avoid each other", "",
                       ((int Dim), Dim), 1, 2, 3) {
    const std::string kind = GENERATE("periodic", "open", "slab");
    const bool avoid = GENERATE(true, false);
    CAPTURE(kind, avoid);
    const double length = Dim == 1 ? 1000.0 : Dim == 2 ? 24.0 : 8.0;
    const Setup<Dim> setup =
        test::read_setup<Dim>(input<Dim>(kind, length, avoid ? 0.8 : 0.0, chains(30, 1.02)), 5);
    REQUIRE(setup.start.size() == 300);
    check_inside(setup, length);
    double cosine = 0.0;
    for (std::size_t i = 0; i + 1 < 300; ++i) {
        if (i % 10 < 9) CHECK(apart(setup, i, i + 1) == Approx(0.97).epsilon(1e-11));
        if (i % 10 >= 8) continue;
        const double second = apart(setup, i, i + 2);
        CHECK(second >= 1.02 - 1e-12);
        cosine += (0.5 * second * second / (0.97 * 0.97) - 1.0) / 240.0;
    }
    const auto far = [](std::size_t i, std::size_t j) { return i / 10 != j / 10 || i > j + 2; };
    if (avoid)
        CHECK(closest(setup, far) >= 0.8);
    else
        CHECK(closest(setup, far) < 0.2);
    if (Dim == 1) CHECK(cosine == Approx(1.0));
    // Uniform between that of 1.02 and 1, of 240: four deviations.
    const double lowest = 0.5 * 1.02 * 1.02 / (0.97 * 0.97) - 1.0;
    if (Dim == 3 && !avoid && kind == "periodic")
        CHECK(std::abs(cosine - 0.5 * (1.0 + lowest)) <
              4.0 * (1.0 - lowest) / std::sqrt(12.0 * 240.0));
}

TEST_CASE("chains of a melt and trees are grown, beside what is inserted") {
    const std::string input = "[system]\ndimension = 3\nbox = { density = 0.85 }\n"
                              "lattice = { type = \"insertion\", distance = 0.75 }\n" +
                              chains(40, 1.02) + R"([[molecule]]
count = 30
atoms = ["A", "A", "A", "A", "A"]
bonds = [{ atoms = [2, 0], type = "long", length = 1.3 }, { atoms = [2, 1] },
         { atoms = [4, 3] }, { atoms = [3, 2] }]
exclude = 0
grow = { length = 0.9, distance = 1.2 }
)";
    const Setup<3> setup = test::read_setup<3>(input, 2);
    REQUIRE(setup.start.size() == 550);
    CHECK(550.0 / setup.box.volume() == Approx(0.85));
    for (std::size_t m = 0; m < 30; ++m) {
        const std::size_t i = 400 + 5 * m;
        CHECK(apart(setup, i + 2, i) == Approx(1.3).epsilon(1e-11));
        for (const auto& [a, b] : {std::pair{2, 1}, {4, 3}, {3, 2}})
            CHECK(apart(setup, i + static_cast<std::size_t>(a), i + static_cast<std::size_t>(b)) ==
                  Approx(0.9).epsilon(1e-11));
        for (const auto& [a, b] : {std::pair{0, 1}, {0, 3}, {1, 3}, {2, 4}})
            CHECK(apart(setup, i + static_cast<std::size_t>(a), i + static_cast<std::size_t>(b)) >=
                  1.2 - 1e-12);
    }
    CHECK(closest(setup, [](std::size_t i, std::size_t j) {
              return i < 400 ? i / 10 != j / 10 || i > j + 2 : j < 400 || i / 5 != j / 5;
          }) >= 0.75);
}

TEST_CASE("what cannot be inserted is refused in words") {
    using Catch::Contains;
    const std::string dimer = "[[molecule]]\ncount = 5\natoms = [\"A\", \"A\"]\n",
                      places = "places = [[0, 0, 0], [4, 0, 0]]\n",
                      bond = "bonds = [{ atoms = [0, 1] }]\nexclude = 0\n";
    const auto molecules = [&](const std::string& keys, double distance = 0.5) {
        return words_of_refusal(input<3>("periodic", 6.0, distance, keys));
    };
    CHECK(molecules(dimer + places) == "nothing is wrong");
    CHECK_THAT(molecules(dimer + places, -1.0), Contains("distance -1 "));
    CHECK_THAT(molecules(""), Contains("insertion without a [[molecule]]"));
    CHECK_THAT(molecules(dimer + bond), Contains("neither `places` nor `grow`"));
    CHECK_THAT(molecules(dimer + places, 2.5), Contains("its own image"));
    CHECK_THAT(words_of_refusal(input<3>("open", 2.0, 0.5, dimer + places)),
               Contains("a diagonal of 3.8"));
    // Spheres of 1.8 in 6 x 6.6 x 7.2 jam at less than 0.384 of it, which is 36 of them.
    const std::string full = molecules("[[molecule]]\ncount = 60\natoms = [\"A\"]\n", 1.8);
    CHECK_THAT(full, Contains("of 60 (none of 20000 random positions is free"));
    CHECK_THAT(full, Contains(" of 0.2104)"));
    CHECK_THAT(molecules(chains(60, 1.02), 1.1), Contains("10000 dead ends"));
    CHECK_THAT(words_of_refusal(
                   "[system]\ndimension = 3\nlattice = { type = \"insertion\", distance = 1 }\n" +
                   dimer + places),
               Contains("box.density"));
    CHECK_THAT(molecules("[[molecule]]\ncount = 2\natoms = [\"A\"]\nrepeat = 2_000_000_000\n"),
               Contains("ids have 31 bits"));
    const auto grown = [&](const std::string& grow, const std::string& bonds = "") {
        return molecules(dimer + (bonds.empty() ? bond : bonds) + "grow = " + grow + "\n");
    };
    CHECK(grown("{ length = 1, distance = 0 }") == "nothing is wrong");
    CHECK_THAT(grown("{ length = -1, distance = 0 }"), Contains("length"));
    CHECK_THAT(grown("{ length = nan, distance = 0 }"), Contains("nan"));
    CHECK_THAT(grown("{ length = 1, distance = -0.1 }"), Contains("distance -0.1"));
    CHECK_THAT(grown("{ distance = 0 }"), Contains("without a length"));
    CHECK_THAT(grown("{ length = 1 }"), Contains("distance"));
    CHECK_THAT(grown("{ length = 1.6, distance = 0 }"), Contains("lengthen the box"));
    CHECK_THAT(words_of_refusal(input<3>("open", 1e12, 0.5, dimer + places)),
               Contains("of the 16 digits"));
    CHECK_THAT(words_of_refusal(input<3>("open", 1e12, 0.5, chains(1, 1.02))),
               Contains("of the 16 digits"));
    CHECK_THAT(grown("{ length = 1, distance = 0 }\n" + places),
               Contains("together with `places`"));
    CHECK_THAT(grown("{ length = 1, distance = 0 }", "angles = []\n"), Contains("not a chain"));
    CHECK_THAT(
        molecules(
            "[[molecule]]\ncount = 1\natoms = [\"A\"]\ngrow = { length = 1, distance = 0 }\n"),
        Contains("single atom"));
    CHECK_THAT(
        molecules(dimer + places + "bonds = [{ atoms = [0, 1], length = 1.0 }]\nexclude = 0\n"),
        Contains("not grown"));
    const std::string trimer =
        "[[molecule]]\ncount = 1\natoms = [\"A\", \"A\", \"A\"]\nexclude = 0\n"
        "grow = { length = 1, distance = 1.99 }\n";
    CHECK_THAT(molecules(trimer + "bonds = [{ atoms = [0, 1] }, { atoms = [1, 2] }]\n"),
               Contains("reach 2 in a line"));
    CHECK_THAT(molecules(trimer +
                         "bonds = [{ atoms = [0, 1] }, { atoms = [1, 2] }, { atoms = [2, 0] }]\n"),
               Contains("does not close a ring"));
    CHECK_THAT(molecules(trimer + "bonds = [{ atoms = [0, 1], length = 1.0 }, "
                                  "{ atoms = [1, 2], length = 1.1 }]\n"),
               Contains("of lengths 1 and 1.1"));
    CHECK_THAT(
        words_of_refusal("[system]\ndimension = 3\nlattice = { type = \"sc\", repeat = [2, 1, 1], "
                         "constant = 1 }\n[[molecule]]\ncount = 1\natoms = [\"A\", \"A\"]\n" +
                         bond + "grow = { length = 1, distance = 0 }\n"),
        Contains("`grow` on a lattice"));
}
