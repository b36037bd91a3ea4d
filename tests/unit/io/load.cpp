// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/io/load.hpp"

#include "support/catch.hpp"
#include "support/loading.hpp"
#include "support/temporary_folder.hpp"

#include "shadow/io/atomic_file.hpp"
#include "shadow/io/h5md.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <random>

using namespace shadow;
using test::check_part;
using test::refusal_of;

namespace {

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
    check_part(refusal_of([&] { (void)load_system<Dim>(folder / "run.h5", {{}, 2}); }), "has 2");
    // A file without an extension is known by its contents.
    std::filesystem::rename(folder / "run.h5", folder / "run");
    check_same(load_system<Dim>(folder / "run"), box, snapshot);
    std::filesystem::rename(folder / "a.xyz", folder / "a");
    check_same(load_system<Dim>(folder / "a"), box, snapshot);
}

} // namespace

TEST_CASE("Loading: what Shadow writes it reads back exactly", "[io]") {
    check_round_trips<1>();
    check_round_trips<2>();
    check_round_trips<3>();
}

TEST_CASE("Loading: files that are none of these", "[io]") {
    const TemporaryFolder folder;
    const auto refused = [&](const std::filesystem::path& path) {
        return refusal_of([&] { (void)load_system<3>(path); });
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
        return refusal_of([&] { (void)load_system<3>(path); });
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
    check_part(refusal_of([&] { (void)load_system<2>(make([](hdf5::File&) {})); }),
               "dimension = 2");
}
