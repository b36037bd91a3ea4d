// SPDX-License-Identifier: BSD-3-Clause
#include "support/loading.hpp"
#include "support/temporary_folder.hpp"

using namespace shadow;
using test::check_part;
using test::refused_data;

namespace {

const std::string data_file = R"(a title

3 atoms
2 atom types
-1 9 xlo xhi
0.0 20 ylo yhi
-0.5 0.5 zlo zhi
0 0 0 xy xz yz

Masses

1 2.0 # A
2 4.0

Pair Coeffs # lj/cut

1 1 1
2 1 1

Atoms # charge

7 1 0.5 1 2 0 1 0 0
2 2 -1.0 -1.5 3 0 0 0 0
5 1 0.5 4 5 0 0 0 -3

Velocities

2 1 2 0
5 3 4 0
7 5 6 0
)";

std::string changed(const std::string& from, const std::string& to) {
    std::string text = data_file;
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

} // namespace

TEST_CASE("Loading: units in the title of a LAMMPS data file", "[io]") {
    const auto units = [](const std::string& title) {
        return load_lammps_data<3>(changed("a title", title), "a", {{}, -1, "akma"}).units;
    };
    CHECK(units("LAMMPS data file, timestep = 0, units = real") == "lammps-real");
    CHECK(units("LAMMPS data file, units=metal") == "lammps-metal");
    CHECK(units("step 7 of a run of Shadow, units real") == "lammps-real");
    CHECK(units("the units are not known") == "akma");
    const LoadOptions akma{{}, -1, "akma"};
    for (const char* title : {"t, units = lj", "step 7 of a run of Shadow, units lj"})
        check_part(refused_data<3>(changed("a title", title), akma), "the file is in units lj");
    check_part(refused_data<3>(changed("a title", "t, units = si"), akma), "a.data:1");
}

TEST_CASE("Loading: names of LAMMPS types", "[io]") {
    const auto load = [](const std::string& comment) {
        return load_lammps_data<3>(changed("2 4.0\n", "2 4.0" + comment + "\n"), "a");
    };
    const auto named = load(" # B");
    CHECK(named.snapshot.species_table[0].name == "A");
    CHECK(named.snapshot.species_table[1].name == "B");
    CHECK(named.snapshot.species_table[1].charge == -1.0);
    check_part(named.notes.back(), "1 A, 2 B");
    for (const char* comment : {"", " # A", " # B c", " # B/c", " #"}) { // none, not one, no name
        const auto loaded = load(comment);
        CHECK(loaded.snapshot.species_table[0].name == "1");
        CHECK(loaded.snapshot.species_table[1].name == "2");
    }
}

TEST_CASE("Loading: Atoms of a LAMMPS data file without a style", "[io]") {
    const auto atoms = [](const std::string& lines, const char* style = "") {
        return "t\n2 atoms\n2 atom types\n0 9 xlo xhi\n0 9 ylo yhi\n0 9 zlo zhi\n\nAtoms" +
               std::string(style) + "\n\n" + lines;
    };
    const std::string either = "1 1 1 1 1 1\n2 2 2 2 2 2\n"; // charges, or molecules and types
    check_part(refused_data<3>(atoms(either)), "the style of Atoms is not known");
    check_part(refused_data<3>(atoms(either)), "a.data:8");
    check_part(refused_data<3>(atoms("1 1 1 1 1 1 0 0 0\n2 2 2 2 2 2 0 0 0\n")), "Atoms # charge");
    check_part(refused_data<3>(atoms("1 7 1 1 1 1\n2 8 2 2 2 2\n")), "molecule"); // no types 7, 8
    const auto given = load_lammps_data<3>(atoms(either, " # charge"), "a").snapshot;
    CHECK(given.species_table[1].charge == 2.0);
    for (const char* charge : {"-1", "0", "1.0", "3"}) { // none is a type
        const auto lines = "1 1 1 1 1 1\n2 2 " + std::string(charge) + " 2 2 2\n";
        const auto loaded = load_lammps_data<3>(atoms(lines), "a").snapshot;
        CHECK(loaded.species_table[1].charge == std::stod(charge));
    }
    CHECK(load_lammps_data<3>(atoms("1 1 1 1 1\n2 2 2 2 2\n"), "a").snapshot.size() == 2);
}

TEST_CASE("Loading: a LAMMPS data file", "[io]") {
    const auto loaded = load_lammps_data<3>(data_file, "a");
    CHECK(loaded.box.is_periodic());
    CHECK(loaded.box.lengths() == std::array<double, 3>{10, 20, 1});
    CHECK(loaded.box.origin() == std::array<double, 3>{-1, 0, -0.5});
    REQUIRE(loaded.snapshot.size() == 3); // in the order of ids: 2, 5, 7
    CHECK(loaded.snapshot.position[0] == std::array<double, 3>{8.5, 3, 0});
    CHECK(loaded.snapshot.image[0] == std::array<std::int32_t, 3>{-1, 0, 0});
    CHECK(loaded.snapshot.image[1] == std::array<std::int32_t, 3>{0, 0, -3});
    CHECK(loaded.snapshot.momentum[0] == std::array<double, 3>{4, 8, 0});
    CHECK(loaded.snapshot.momentum[2] == std::array<double, 3>{10, 12, 0});
    CHECK(loaded.snapshot.species == std::vector<std::uint16_t>{1, 0, 0});
    CHECK(loaded.snapshot.species_table[1].charge == -1.0);
    CHECK(loaded.snapshot.species_table[0].name == "1");
    CHECK(load_lammps_data<2>(data_file, "a").box.lengths() == std::array<double, 2>{10, 20});
    const auto declared = load_lammps_data<3>(data_file, "a", {{{"A", 1, 0}, {"B", 8, 0}}});
    CHECK(declared.snapshot.momentum[0] == std::array<double, 3>{8, 16, 0});
    CHECK(declared.snapshot.species_table[1].name == "B");

    const TemporaryFolder folder;
    CHECK(load_system<3>(folder.write("b.data", data_file)).snapshot.size() == 3);
    CHECK(load_system<3>(folder.write("b", data_file)).snapshot.size() == 3);
    const std::string atomic = "t\n1 atoms\n1 atom types\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n"
                               "Atom Type Labels\n\n1 Ar\n\nAtoms\n\n1 Ar 0.25 0.5 0.75";
    const auto labelled = load_lammps_data<3>(atomic, "a", {{{"B", 1, 0}, {"Ar", 39.9, 0}}});
    CHECK(labelled.snapshot.species == std::vector<std::uint16_t>{1});
    CHECK(labelled.snapshot.position[0] == std::array<double, 3>{0.25, 0.5, 0.75});
}

TEST_CASE("Loading: a bad LAMMPS data file is refused where it is bad", "[io]") {
    check_part(refused_data<3>(""), "incomplete");
    check_part(refused_data<3>("text\nof some\nother kind"), "a.data:2");
    check_part(refused_data<3>(changed("3 atoms", "4 atoms")), "columns");
    check_part(refused_data<3>(changed("3 atoms", "99999999999 atoms")), "cannot follow");
    check_part(refused_data<3>(changed("3 atoms", "0 atoms")), "than the header announces");
    check_part(refused_data<3>(changed("2 atom types", "1 atom types")), "a.data:13");
    check_part(refused_data<3>(changed("-1 9 xlo", "9 -1 xlo")), "larger");
    check_part(refused_data<3>(changed("0.0 20 ylo yhi\n", "")), "no bounds along y");
    check_part(refused_data<3>(changed("0 0 0 xy", "0.5 0 nan xy")), "a.data");
    check_part(refused_data<3>(changed("0 0 0 xy xz yz", "1 0 0 avec\n0 1 0 bvec\n0 0 1 cvec")),
               "general triclinic");
    check_part(refused_data<3>(changed("2 atom types", "2 atom types\n5 bonds")), "bonds");
    check_part(refused_data<3>(changed("Atoms # charge", "Atoms # full")), "full");
    check_part(refused_data<3>(changed("7 1 0.5 1", "7 1 0.5 nan")), "a.data:22");
    check_part(refused_data<3>(changed("7 1 0.5 1", "7 1 0.25 1")), "alike");
    check_part(refused_data<3>(changed("7 1 0.5 1", "7 3 0.5 1")), "no atom type 3");
    check_part(refused_data<3>(changed("7 1 0.5 1", "2 1 0.5 1")), "twice");
    check_part(refused_data<3>(changed("7 1 0.5 1", "7 1 0.5")), "columns");
    check_part(refused_data<3>(changed("5 3 4 0", "6 3 4 0")), "unknown");
    check_part(refused_data<3>(changed("5 3 4 0", "2 3 4 0")), "twice");
    check_part(refused_data<3>(changed("7 5 6 0\n", "")), "ends inside");
    check_part(refused_data<3>(changed("2 4.0", "2 -4.0")), "positive");
    check_part(refused_data<2>(changed("5 3 4 0", "5 3 4 1")), "moves along z");
    check_part(refused_data<3>(data_file, {{{"A", 1, 0}}}), "not declared");
    check_part(refused_data<3>(data_file, {{}, 3}), "no frame 3");
    check_part(refused_data<3>(data_file, {{}, -7}), "no frame -7");
    check_part(refused_data<3>(changed("Velocities", "Bonds")), "than the header announces");
    check_part(refused_data<3>(changed("Velocities", "Bodies")), "Bodies");
}

TEST_CASE("Loading: a LAMMPS data file is refused by its own ids", "[io]") {
    const auto bonds = [](const char* list) {
        return "t\n3 atoms\n1 atom types\n2 bonds\n1 bond types\n0 9 xlo xhi\n0 9 ylo yhi\n"
               "0 9 zlo zhi\nAtoms # molecular\n\n12 1 1 1 1 1\n7 1 1 2 1 1\n9 1 1 3 1 1\n"
               "Bonds\n\n" +
               std::string(list);
    };
    const auto loaded = load_lammps_data<3>(bonds("1 1 9 12\n2 1 7 9\n"), "a");
    CHECK(loaded.topology.file_ids == std::vector<std::int64_t>{7, 9, 12});
    CHECK(loaded.topology.groups[0].members == std::vector<std::uint32_t>{1, 2, 0, 1});
    check_part(refused_data<3>(bonds("1 1 9 12\n2 1 12 9\n")), "bond of atoms 12, 9 twice");
    check_part(refused_data<3>(bonds("1 1 7 12\n2 1 12 12\n")), "bond of atoms 12, 12");
    check_part(refused_data<3>(changed("7 1 0.5 1", "7 1 0.25 1")), "particle 5 of species '1'");
    check_part(refused_data<2>(changed("5 3 4 0", "5 3 4 1")), "particle 5 moves along z");
}
