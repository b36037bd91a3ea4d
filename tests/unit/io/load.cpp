// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/io/load.hpp"

#include "support/catch.hpp"
#include "support/contains.hpp"
#include "support/temporary_folder.hpp"

#include "shadow/core/error.hpp"
#include "shadow/io/atomic_file.hpp"
#include "shadow/io/h5md.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <random>

using namespace shadow;

namespace {

/// The message of the refusal; empty if there was none.
std::string refusal(const std::function<void()>& action) {
    try {
        action();
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

template <int Dim>
std::string refused_xyz(const std::string& text, const LoadOptions& options = {}) {
    return refusal([&] { (void)load_extxyz<Dim>(text, "a.xyz", options); });
}

template <int Dim>
std::string refused_data(const std::string& text, const LoadOptions& options = {}) {
    return refusal([&] { (void)load_lammps_data<Dim>(text, "a.data", options); });
}

void check_part(const std::string& text, const std::string& part) {
    INFO(text);
    CHECK(test::contains(text, part));
}

/// A system with masses that are powers of two, so that velocities are exact, in a mixed box.
template <int Dim>
std::pair<Box<Dim>, Snapshot<Dim>> particles_in_box(std::size_t particles) {
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    std::array<double, Dim> lengths{}, origin{};
    std::array<bool, Dim> periodic{};
    for (std::size_t d = 0; d < Dim; ++d) {
        periodic[d] = d != 1;
        if (periodic[d]) lengths[d] = 3.1 + double(d);
        origin[d] = periodic[d] ? -1.7 : 0.0;
    }
    Snapshot<Dim> snapshot;
    snapshot.species_table = {{"Na", 2.0, 1.0}, {"Cl", 0.5, -1.0}};
    for (std::size_t i = 0; i < particles; ++i) {
        std::array<double, Dim> q, p;
        for (std::size_t d = 0; d < Dim; ++d) {
            q[d] = origin[d] + uniform(random) * (periodic[d] ? lengths[d] : 50.0);
            p[d] = uniform(random) - 0.5;
        }
        snapshot.position.push_back(q);
        snapshot.momentum.push_back(p);
        snapshot.image.push_back({});
        snapshot.species.push_back(static_cast<std::uint16_t>(i % 2));
    }
    return {Box<Dim>(lengths, periodic, origin), snapshot};
}

/// A frame as extended XYZ that reads back exactly (velocities, physical ones, to rounding);
/// missing dimensions are 0.
template <int Dim>
void write_extxyz(const std::filesystem::path& path, const Box<Dim>& box,
                  const Snapshot<Dim>& frame) {
    std::array<double, 9> edges{};
    std::array<double, 3> origin{};
    std::string pbc;
    for (std::size_t d = 0; d < 3; ++d) {
        const bool periodic = d < Dim && box.periodic()[d];
        for (std::size_t k = 0; periodic && k < Dim; ++k) edges[3 * d + k] = box.edge(d, k);
        if (d < Dim) origin[d] = box.origin()[d];
        pbc += periodic ? "T" : "F";
        if (d < 2) pbc += ' ';
    }
    std::string text = fmt::format("{}\n", frame.size());
    if (!box.is_open())
        fmt::format_to(std::back_inserter(text), "Lattice=\"{}\" Origin=\"{}\" ",
                       fmt::join(edges, " "), fmt::join(origin, " "));
    fmt::format_to(std::back_inserter(text),
                   "Properties=species:S:1:pos:R:3:velo:R:3:mass:R:1:charge:R:1 pbc=\"{}\" "
                   "Step={} Time={}\n",
                   pbc, frame.step, frame.time);
    for (std::size_t i = 0; i < frame.size(); ++i) {
        const Species& kind = frame.species_table[frame.species[i]];
        std::array<double, 3> position{}, velocity{};
        for (std::size_t d = 0; d < Dim; ++d) {
            position[d] = frame.position[i][d];
            velocity[d] = frame.velocity(i, d);
        }
        std::string species = kind.name.empty() ? "A" : kind.name;
        std::replace(species.begin(), species.end(), ' ', '_');
        fmt::format_to(std::back_inserter(text), "{} {} {} {} {}\n", species,
                       fmt::join(position, " "), fmt::join(velocity, " "), kind.mass, kind.charge);
    }
    write_file(path, text);
}

template <int Dim>
void check_same(const LoadedSystem<Dim>& in, const Box<Dim>& box, const Snapshot<Dim>& out) {
    CHECK(in.box.lengths() == box.lengths());
    CHECK(in.box.periodic() == box.periodic());
    CHECK(in.box.origin() == box.origin());
    CHECK(in.has_velocities);
    CHECK(in.snapshot.step == 0);
    CHECK(in.snapshot.time == 0.0);
    CHECK(in.snapshot.position == out.position);
    CHECK(in.snapshot.momentum == out.momentum);
    CHECK(in.snapshot.image == out.image);
    CHECK(in.snapshot.species == out.species);
    REQUIRE(in.snapshot.species_table.size() == out.species_table.size());
    for (std::size_t k = 0; k < out.species_table.size(); ++k) {
        CHECK(in.snapshot.species_table[k].name == out.species_table[k].name);
        CHECK(in.snapshot.species_table[k].mass == out.species_table[k].mass);
        CHECK(in.snapshot.species_table[k].charge == out.species_table[k].charge);
    }
}

template <int Dim>
void check_round_trips() {
    const TemporaryFolder folder;
    const auto [box, snapshot] = particles_in_box<Dim>(101);
    write_extxyz(folder / "a.xyz", box, snapshot);
    check_same(load_system<Dim>(folder / "a.xyz"), box, snapshot);

    ResultFile results = ResultFile::create(folder / "run", {});
    results.describe_particles(box, snapshot, {});
    Snapshot<Dim> other = snapshot;
    other.position[0] = {};
    results.append_frame(box, other);
    other = snapshot;
    other.step = 1;
    results.append_frame(box, other);
    results.finish();
    check_same(load_system<Dim>(folder / "run.h5"), box, snapshot);
    const LoadedSystem<Dim> first = load_system<Dim>(folder / "run.h5", {{}, 0});
    CHECK(first.snapshot.position[0] == std::array<double, Dim>{});
    check_part(refusal([&] { (void)load_system<Dim>(folder / "run.h5", {{}, 2}); }), "has 2");
    // A file without an extension is known by its contents.
    std::filesystem::rename(folder / "run.h5", folder / "run");
    check_same(load_system<Dim>(folder / "run"), box, snapshot);
    std::filesystem::rename(folder / "a.xyz", folder / "a");
    check_same(load_system<Dim>(folder / "a"), box, snapshot);
}

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

TEST_CASE("Loading: what Shadow writes it reads back exactly", "[io]") {
    check_round_trips<1>();
    check_round_trips<2>();
    check_round_trips<3>();
}

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

TEST_CASE("Loading: files that are none of these", "[io]") {
    const TemporaryFolder folder;
    const auto refused = [&](const std::filesystem::path& path) {
        return refusal([&] { (void)load_system<3>(path); });
    };
    check_part(refused(folder / "absent.xyz"), "No such file");
    check_part(refused(folder.path()), "folder");
    check_part(refused(folder.write("binary", std::string("\x7f\0\0ELF", 6))), "binary");
    check_part(refused(folder.write("a.h5", "text")), "HDF5");
    check_part(refused(folder.write("truncated", "\x89HDF\r\n\x1a\n")), "HDF5");
}

TEST_CASE("Loading: H5MD files of other programs", "[io]") {
    const TemporaryFolder folder;
    // What a file without species, steps and ids may look like; each change breaks one thing.
    const auto make = [&](const std::function<void(hdf5::File&)>& change) {
        hdf5::File file = hdf5::File::create(folder / "f.h5");
        hdf5::Group water = file.make_group("particles/water");
        water.write<float>("position/value",
                           std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, {2, 2, 3});
        water.write<std::uint8_t>("species", std::vector<std::uint8_t>{8, 1}, {2});
        hdf5::Group box = water.make_group("box");
        box.set_attribute("boundary", std::vector<std::string>{"periodic", "none", "periodic"});
        box.write<double>("edges", std::vector<double>{20, 0, 0, 0, 20, 0, 0, 0, 20}, {3, 3});
        change(file);
        file.close();
        return folder / "f.h5";
    };
    const auto refused = [&](const std::function<void(hdf5::File&)>& change) {
        const auto path = make(change);
        return refusal([&] { (void)load_system<3>(path); });
    };
    const auto loaded = load_system<3>(make([](hdf5::File&) {}));
    CHECK(loaded.snapshot.position[1] == std::array<double, 3>{9, 10, 11});
    CHECK(loaded.box.lengths() == std::array<double, 3>{20, 0, 20});
    CHECK(loaded.snapshot.species_table[loaded.snapshot.species[0]].name == "8");
    CHECK_FALSE(loaded.has_velocities);

    const std::string p = "particles/water/";
    check_part(refused([](hdf5::File& f) { f.remove("particles"); }), "no group `particles`");
    check_part(refused([](hdf5::File& f) { f.make_group("particles/b"); }), "2 groups");
    check_part(refused([&](hdf5::File& f) { f.remove(p + "position"); }), "no positions");
    check_part(refused([&](hdf5::File& f) {
                   f.remove(p + "position");
                   f.write_text(p + "position", "here");
               }),
               "position");
    check_part(refused([&](hdf5::File& f) {
                   f.remove(p + "position/value");
                   f.write<double>(p + "position/value", std::vector<double>(4), {2, 2});
               }),
               "wrong shape");
    check_part(refused([&](hdf5::File& f) {
                   f.remove(p + "position/value");
                   f.write_appendable(p + "position/value", hdf5::Type::float64, {2, 3}, {1, 2, 3});
               }),
               "has 0");
    check_part(refused([&](hdf5::File& f) {
                   f.remove(p + "position/value");
                   f.write<double>(p + "position/value",
                                   std::vector<double>{0, 0, 0, 1, std::nan(""), 1}, {1, 2, 3});
               }),
               "finite");
    check_part(refused([&](hdf5::File& f) {
                   f.remove(p + "position/value");
                   f.write_appendable(p + "position/value", hdf5::Type::float64, {1'000'000'000, 3},
                                      {1, 1'000'000, 3})
                       .resize_rows(1);
               }),
               "absent");
    check_part(refused([&](hdf5::File& f) {
                   f.write<double>(p + "velocity/value", std::vector<double>(6), {1, 2, 3});
               }),
               "frame 1 is missing");
    check_part(refused([&](hdf5::File& f) {
                   f.remove(p + "species");
                   f.write(p + "species", std::vector<int>{1, 2, 3});
               }),
               "wrong shape");
    check_part(refused([&](hdf5::File& f) {
                   f.remove(p + "box/edges");
                   f.write<double>(p + "box/edges", std::vector<double>{9, 0, 1, 0, 9, 0, 1, 0, 9},
                                   {3, 3});
               }),
               "in a circle");
    check_part(refused([&](hdf5::File& f) { f.remove(p + "box/edges"); }), "positive");
    check_part(refused([&](hdf5::File& f) {
                   f.group(p + "box").set_attribute("boundary", std::string("wall"));
               }),
               "wall");
    check_part(refused([&](hdf5::File& f) {
                   f.write(p + "id", std::vector<int>{3, 3});
               }),
               "two particles");
    check_part(refusal([&] { (void)load_system<2>(make([](hdf5::File&) {})); }), "dimension = 2");
}
