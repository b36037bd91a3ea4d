// SPDX-License-Identifier: BSD-3-Clause
#include "support/loading.hpp"

using namespace shadow;
using test::check_part;
using test::refused_xyz;

TEST_CASE("Loading: extended XYZ of other programs", "[io]") {
    const auto plain = load_extxyz<3>("2\nwater, without hydrogen\nO 0 0 0\nO 1 1e0 +1.5\n", "a");
    CHECK(plain.box.is_open());
    CHECK_FALSE(plain.has_velocities);
    CHECK(plain.snapshot.position[1] == std::array<double, 3>{1, 1, 1.5});
    CHECK_FALSE(plain.has_masses);
    // Windows line ends, ASE's spellings, a column that is not read, ids out of order, several
    // frames, a position outside of the box.
    const std::string ase = "1\nfirst\nH 0 0 0\n\n2\r\n"
                            "Lattice=\"4 0 0 0 5 0 0 0 6\" pbc=\"T T F\" "
                            "Properties=id:I:1:species:S:1:pos:R:3:forces:R:3:masses:R:1 "
                            "note='a b' energy=1\r\n"
                            "9 H 4.5 1 -1 0 0 0 1.5\r\n"
                            "4 O 1 2 3 0 0 0 16\r\n\n";
    const auto loaded = load_extxyz<3>(ase, "a");
    CHECK(loaded.snapshot.position[0] == std::array<double, 3>{1, 2, 3});
    CHECK(loaded.snapshot.position[1] == std::array<double, 3>{0.5, 1, -1});
    CHECK(loaded.snapshot.image[1] == std::array<std::int32_t, 3>{1, 0, 0});
    CHECK(loaded.snapshot.species_table[loaded.snapshot.species[0]].mass == 16);
    CHECK(loaded.box.periodic() == std::array<bool, 3>{true, true, false});
    CHECK(load_extxyz<3>(ase, "a", {{}, 0}).snapshot.size() == 1);
    // A flat system in two dimensions; species as the input declares them.
    const auto flat = load_extxyz<2>("2\n\nB 0 1 7\nA 1 2 7", "a", {{{"A", 2, 0}, {"B", 3, 0}}});
    CHECK(flat.snapshot.position[1] == std::array<double, 2>{1, 2});
    CHECK(flat.snapshot.species == std::vector<std::uint16_t>{1, 0});
    CHECK(flat.snapshot.species_table[1].mass == 3);
    CHECK(load_extxyz<2>("1\nProperties=species:S:1:pos:R:2\nA 3 4", "a").snapshot.position[0] ==
          std::array<double, 2>{3, 4});
}

TEST_CASE("Loading: bad extended XYZ is refused where it is bad", "[io]") {
    check_part(refused_xyz<3>(""), "no frame");
    check_part(refused_xyz<3>("0\n\n"), "no particles");
    check_part(refused_xyz<3>("-1\n\n"), "cannot follow");
    check_part(refused_xyz<3>("99999999999\n\nA 0 0 0"), "cannot follow");
    check_part(refused_xyz<3>("999999999999999999999\n\nA 0 0 0"), "a.xyz:1");
    check_part(refused_xyz<3>("x\n\nA 0 0 0"), "a.xyz:1");
    check_part(refused_xyz<3>("3\n\nA 0 0 0\nA 1 1 1"), "ends inside");
    check_part(refused_xyz<3>("2\n\nA 0 0 0\nA 1 1"), "a.xyz:4");
    check_part(refused_xyz<3>("1\n\nA 0 nan 0"), "not finite");
    check_part(refused_xyz<3>("1\n\nA 0 -inf 0"), "not finite");
    check_part(refused_xyz<3>("1\n\nA 0 1.2.3 0"), "1.2.3");
    check_part(refused_xyz<3>("1\n\nA 0 1e999 0"), "a.xyz:3");
    check_part(refused_xyz<3>("1\nLattice=\"1 2 0 1 1 0 0 0 1\"\nA 0 0 0"), "in a circle");
    check_part(refused_xyz<3>("1\nLattice=\"1 0 0 1 1 0 0 0 1\" pbc=\"T F T\"\nA 0 0 0"),
               "not periodic along y");
    check_part(refused_xyz<2>("1\nLattice=\"1 0 0 0 1 0 0 1 1\"\nA 0 0 0"), "not periodic along z");
    check_part(refused_xyz<3>("1\nLattice=\"1 0 0 1e9 1 0 0 0 1\"\nA 0 0 0"), "too far");
    check_part(refused_xyz<3>("1\nLattice=\"1 0 0\"\nA 0 0 0"), "it needs 9");
    check_part(refused_xyz<3>("1\nLattice=\"0 0 0 0 1 0 0 0 1\"\nA 0 0 0"), "positive");
    check_part(refused_xyz<3>("1\nLattice=\"0 1 1 1 0 1 1 1 0\"\nA 0 0 0"),
               "edge 1 of the box does not point along x");
    check_part(refused_xyz<3>("1\npbc=\"T T T\"\nA 0 0 0"), "no Lattice");
    check_part(refused_xyz<3>("1\nLattice=\"1 0 0 0 1 0 0 0 1\" pbc=\"T T maybe\"\nA 0 0 0"),
               "maybe");
    check_part(refused_xyz<3>("1\nProperties=species:S:1\nA"), "no positions");
    check_part(refused_xyz<3>("1\nProperties=species:S\nA"), "threes");
    check_part(refused_xyz<3>("1\nProperties=species:S:9999999\nA"), "1000");
    check_part(refused_xyz<3>("1\nProperties=species:S:1:pos:R:2\nA 0 0"), "2 dimensions");
    check_part(refused_xyz<3>("1\nLattice=\"1 0 0 0 1 0 0 0 1\"\nA 1e300 0 0"), "1e+300");
    check_part(refused_xyz<2>("2\n\nA 0 0 0\nA 0 0 1"), "dimension = 2");
    check_part(refused_xyz<2>("1\nProperties=pos:R:3:vel:R:3\n0 0 0 0 0 1"), "moves along z");
    check_part(refused_xyz<3>("1\n\nC 0 0 0", {{{"A", 1, 0}, {"B", 1, 0}}}), "'A', 'B'");
    const std::string lattice = "Lattice=\"1 0 0 0 1 0 0 0 1\"", place = "\nA 0 0 0";
    for (const char* open : {"Lattice=\"1 0 0 0 1 0 0 0 1", "note='", "note=\"a b"}) {
        check_part(refused_xyz<3>("1\n" + std::string(open) + place), "not closed");
        check_part(refused_xyz<3>("1\n" + std::string(open) + place), "a.xyz:2");
    }
    check_part(refused_xyz<3>("1\n" + lattice + " lattice" + lattice.substr(7) + place), "twice");
    check_part(refused_xyz<3>("1\nt=1 t=2" + place), "\"t\" is there twice");
    CHECK(refused_xyz<3>("1\n" + lattice + " T=1 t=2 T t isn't twice" + place).empty());
    const std::string masses = "2\nProperties=species:S:1:pos:R:3:mass:R:1\nA 0 0 0 1\nA 1 1 1 2";
    check_part(refused_xyz<3>(masses), "alike");
    CHECK(refused_xyz<3>(masses, {{{"A", 1, 0}}}).empty());
    check_part(refused_xyz<3>("1\nProperties=species:S:1:pos:R:3:mass:R:1\nA 0 0 0 -1"),
               "positive");
    check_part(refused_xyz<3>("2\nProperties=id:I:1:pos:R:3\n1 0 0 0\n1 1 1 1"), "two particles");
}

TEST_CASE("Loading: units of extended XYZ", "[io]") {
    const auto text = [](const std::string& key) {
        return "1\nProperties=species:S:1:pos:R:3:velo:R:3 " + key + "\nA 0 0 0 1 2 3\n";
    };
    const LoadOptions lj{{}, -1, "lj"}, akma{{}, -1, "akma"}, told{{}, -1, "akma", "lammps-real"};
    CHECK(load_extxyz<3>(text("units=lj"), "a", lj).units == "lj");
    CHECK(load_extxyz<3>(text("Time=0 units=akma"), "a", akma).snapshot.momentum[0][2] == 3.0);
    check_part(refused_xyz<3>(text("units=lj"), akma), "the file is in units lj");
    check_part(refused_xyz<3>(text("units=akma"), lj), "the file is in units akma");
    check_part(refused_xyz<3>(text("units=akma"), told), "remove file_units");
    CHECK(load_extxyz<3>(text("units=\"real\""), "a", akma).units == "lammps-real");
    check_part(refused_xyz<3>(text("units=SI"), akma), "a.xyz:2");
    check_part(refused_xyz<3>(text("units=SI"), akma), "file_units");
    CHECK(load_extxyz<3>(text("units=SI"), "a", told).units == "lammps-real");
}
