// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/io/checkpoint.hpp"

#include "support/catch.hpp"
#include "support/contains.hpp"
#include "support/temporary_folder.hpp"

#include "shadow/core/error.hpp"
#include "shadow/io/atomic_file.hpp"
#include "shadow/io/hdf5.hpp"
#include "shadow/system/scalar_groups.hpp"

#include <bit>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>

using namespace shadow;
using test::contains;

namespace {

template <int Dim>
Checkpoint<Dim> example_checkpoint(std::size_t particles) {
    std::mt19937_64 random(7);
    // Any bits that are a finite number, of any size.
    const auto number = [&] {
        for (;;)
            if (const double x = std::bit_cast<double>(random()); std::isfinite(x)) return x;
    };
    Checkpoint<Dim> checkpoint;
    Snapshot<Dim>& snapshot = checkpoint.state.snapshot;
    snapshot.step = 123'456'789'012;
    snapshot.time = 0.1;
    snapshot.species_table = {{"A", 1.0 / 3.0, 0.0}, {"Å B", 2.0, -1.0}};
    for (std::size_t i = 0; i < particles; ++i) {
        std::array<double, Dim> q, p, r;
        std::array<std::int32_t, Dim> image;
        for (std::size_t d = 0; d < Dim; ++d) {
            q[d] = number();
            p[d] = number();
            r[d] = number();
            image[d] = static_cast<std::int32_t>(random());
        }
        snapshot.position.push_back(q);
        snapshot.momentum.push_back(p);
        snapshot.image.push_back(image);
        snapshot.species.push_back(static_cast<std::uint16_t>(i % 2));
        checkpoint.state.reference.push_back(r);
        checkpoint.state.bath_heat.push_back(number());
    }
    checkpoint.state.rebuilds = 17;
    auto& scalars = checkpoint.state.ensemble.scalars;
    scalars.resize(Scalar::count);
    for (const ScalarGroup& group : scalar_groups())
        for (int k = 0; k < group.length; ++k)
            if (group.begins != ScalarGroup::Begins::with_each_step)
                scalars[of_row(group.first, k)] = number();
    scalars[Scalar::potential] = -0.0;
    scalars[Scalar::energy_0] = std::numeric_limits<double>::quiet_NaN();
    snapshot.s = scalars[Scalar::s];
    checkpoint.state.ensemble.time_base = 0.3;
    checkpoint.state.ensemble.steps_since_base = 99;
    checkpoint.state.ensemble.dt = 0.005;
    checkpoint.state.evaluated = {2, 1};
    std::array<double, Dim> lengths, origin;
    std::array<bool, Dim> periodic;
    for (std::size_t d = 0; d < Dim; ++d) {
        lengths[d] = 10.0 / static_cast<double>(d + 3);
        origin[d] = -0.1 * static_cast<double>(d + 1);
        periodic[d] = d != 1;
    }
    checkpoint.box = Box<Dim>(lengths, periodic, origin);
    checkpoint.input = "a = 1\ndt = 0.01\nb = 2\n";
    checkpoint.precision = "mixed";
    checkpoint.version = "0.1.0";
    checkpoint.numbers["statistics/energy"] = {0.1, 0.2};
    checkpoint.numbers["none"] = {};
    checkpoint.integers["stage"] = {std::numeric_limits<std::int64_t>::min(), 3};
    checkpoint.texts["names"] = {"x", "", "y z"};
    return checkpoint;
}

/// Comparison by bits, so that NaN equals itself and -0 differs from 0.
std::vector<std::uint64_t> bits(const std::vector<double>& numbers) {
    std::vector<std::uint64_t> result;
    for (const double x : numbers) result.push_back(std::bit_cast<std::uint64_t>(x));
    return result;
}

template <int Dim>
void check_round_trip(std::size_t particles) {
    const TemporaryFolder folder;
    const Checkpoint<Dim> out = example_checkpoint<Dim>(particles);
    write_checkpoint(folder / "c.h5", out);
    const Checkpoint<Dim> in = read_checkpoint<Dim>(folder / "c.h5", "mixed");
    CHECK(in.state.snapshot.step == out.state.snapshot.step);
    CHECK(in.state.snapshot.time == out.state.snapshot.time);
    CHECK(in.state.snapshot.s == out.state.snapshot.s);
    CHECK(in.state.snapshot.position == out.state.snapshot.position);
    CHECK(in.state.snapshot.momentum == out.state.snapshot.momentum);
    CHECK(in.state.snapshot.image == out.state.snapshot.image);
    CHECK(in.state.snapshot.species == out.state.snapshot.species);
    REQUIRE(in.state.snapshot.species_table.size() == 2);
    CHECK(in.state.snapshot.species_table[1].name == "Å B");
    CHECK(in.state.snapshot.species_table[0].mass == 1.0 / 3.0);
    CHECK(in.state.snapshot.species_table[1].charge == -1.0);
    CHECK(in.state.reference == out.state.reference);
    CHECK(in.state.rebuilds == 17);
    CHECK(bits(in.state.ensemble.scalars) == bits(out.state.ensemble.scalars));
    CHECK(bits(in.state.bath_heat) == bits(out.state.bath_heat));
    CHECK(in.state.ensemble.time_base == 0.3);
    CHECK(in.state.ensemble.steps_since_base == 99);
    CHECK(in.state.ensemble.dt == 0.005);
    CHECK(in.state.evaluated == out.state.evaluated);
    REQUIRE(in.box);
    CHECK(in.box->lengths() == out.box->lengths());
    CHECK(in.box->origin() == out.box->origin());
    CHECK(in.box->periodic() == out.box->periodic());
    CHECK(in.input == out.input);
    CHECK(in.precision == "mixed");
    CHECK(in.version == "0.1.0");
    CHECK(in.numbers == out.numbers);
    CHECK(in.integers == out.integers);
    CHECK(in.texts == out.texts);
}

template <int Dim>
std::string refusal(const std::filesystem::path& path, const std::string& precision = {}) {
    try {
        (void)read_checkpoint<Dim>(path, precision);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

/// The checkpoint as one of this format, without some of its data.
void in_format(const std::filesystem::path& path, std::uint32_t format,
               const std::vector<std::string>& absent = {}) {
    constexpr std::size_t trailer = 24;
    std::filesystem::resize_file(path, std::filesystem::file_size(path) - trailer);
    {
        hdf5::File file = hdf5::File::open_for_writing(path);
        for (const std::string& name : absent) file.remove(name);
        file.close();
    }
    const std::uint64_t bytes = std::filesystem::file_size(path);
    const std::uint32_t crc = file_crc32(path, bytes);
    std::ofstream file(path, std::ios::binary | std::ios::app);
    file.write("SHADOWCK", 8);
    file.write(reinterpret_cast<const char*>(&bytes), sizeof bytes);
    file.write(reinterpret_cast<const char*>(&crc), sizeof crc);
    file.write(reinterpret_cast<const char*>(&format), sizeof format);
}

} // namespace

TEST_CASE("Checkpoint: every bit comes back", "[io]") {
    check_round_trip<1>(3);
    check_round_trip<2>(1000);
    check_round_trip<3>(777);
    check_round_trip<3>(0);
}

TEST_CASE("Checkpoint: of another system it is refused", "[io]") {
    const TemporaryFolder folder;
    const auto path = folder / "c.h5";
    write_checkpoint(path, example_checkpoint<2>(10));
    CHECK(contains(refusal<3>(path), "dimension 2"));
    CHECK(contains(refusal<2>(path, "double"), "precision"));
    CHECK(contains(refusal<2>(folder / "absent.h5"), "no checkpoint"));
    const auto text = folder.write("text.h5", "not a checkpoint, but longer than a trailer is");
    CHECK(contains(refusal<2>(text), "not a whole checkpoint"));
    const auto empty = folder.write("empty.h5", "");
    CHECK(contains(refusal<2>(empty), "not a whole checkpoint"));
}

TEST_CASE("Checkpoint: what is observed elsewhere has a bath variable of its own", "[io]") {
    const TemporaryFolder folder;
    Checkpoint<2> out = example_checkpoint<2>(10);
    out.output = out.state.snapshot;
    out.output->s = 0.75;
    out.output->time = 0.2;
    write_checkpoint(folder / "c.h5", out);
    const Checkpoint<2> in = read_checkpoint<2>(folder / "c.h5");
    REQUIRE(in.output);
    CHECK(in.output->s == 0.75);
    CHECK(in.output->time == 0.2);
    CHECK(in.state.snapshot.s == out.state.snapshot.s);
}

TEST_CASE("Checkpoint: of a version before variables had names it is read, too", "[io]") {
    const TemporaryFolder folder;
    const auto path = folder / "c.h5";
    write_checkpoint(path, example_checkpoint<2>(10));
    in_format(path, 1, {"state/scalar_names", "state/scalar_lengths"});
    const Checkpoint<2> in = read_checkpoint<2>(path); // scalar_file.cpp has what it reads
    CHECK(in.state.ensemble.scalars.size() == Scalar::count);
    in_format(path, 3);
    CHECK(contains(refusal<2>(path), "its number is 3, those that are known are 1 to 2"));
}

TEST_CASE("Checkpoint: a torn or damaged file is noticed wherever the damage is", "[io]") {
    const TemporaryFolder folder;
    const auto path = folder / "c.h5";
    write_checkpoint(path, example_checkpoint<3>(20));
    std::ifstream file(path, std::ios::binary);
    const std::string good{std::istreambuf_iterator<char>(file), {}};
    REQUIRE(refusal<3>(path).empty());
    std::mt19937_64 random(3);
    for (int trial = 0; trial < 200; ++trial) {
        std::string bad = good;
        bad[random() % bad.size()] ^= static_cast<char>(1 << (random() % 8));
        CHECK_FALSE(refusal<3>(folder.write("bad.h5", bad)).empty());
        CHECK_FALSE(
            refusal<3>(folder.write("bad.h5", good.substr(0, random() % good.size()))).empty());
    }
    CHECK_FALSE(refusal<3>(folder.write("bad.h5", good + "x")).empty());
}

TEST_CASE("Checkpoint: it replaces the old one and leaves nothing else", "[io]") {
    const TemporaryFolder folder;
    const auto path = folder / "c.h5";
    write_checkpoint(path, example_checkpoint<2>(10));
    Checkpoint<2> next = example_checkpoint<2>(10);
    next.state.snapshot.step = 5;
    write_checkpoint(path, next);
    CHECK(read_checkpoint<2>(path).state.snapshot.step == 5);
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
        (void)entry;
        ++files;
    }
    CHECK(files == 1);
}
