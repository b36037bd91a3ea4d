// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/io/hdf5.hpp"

#include "support/catch.hpp"
#include "support/contains.hpp"
#include "support/temporary_folder.hpp"

#include "shadow/core/error.hpp"

#include <cstdint>
#include <limits>

using namespace shadow;
using test::contains;

namespace {

std::string message_of(auto action) {
    try {
        action();
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

} // namespace

TEST_CASE("HDF5: arrays, texts and attributes come back as they were", "[io]") {
    const TemporaryFolder folder;
    const std::vector<double> numbers{0.1,
                                      -0.0,
                                      std::numeric_limits<double>::denorm_min(),
                                      std::numeric_limits<double>::infinity(),
                                      1e308,
                                      2.0};
    const std::vector<std::uint64_t> large{0, ~std::uint64_t{0}};
    const std::vector<std::string> words{"", "Å", "two words"};
    {
        hdf5::File file = hdf5::File::create(folder / "a.h5");
        file.write<double>("deep/in/here", numbers, {2, 3}).set_attribute("unit", "energy");
        file.write("large", large);
        file.write_scalar("scalar", std::int32_t{-7});
        file.write_texts("words", words);
        file.write_text("text", "line\nline");
        file.make_group("g").set_attribute("boundary", words);
        file.link("deep/in/here", "same");
        file.write("nothing", std::vector<double>{});
        file.close();
    }
    const hdf5::File file = hdf5::File::open(folder / "a.h5");
    const hdf5::Dataset here = file.dataset("deep/in/here");
    CHECK(here.shape() == hdf5::Shape{2, 3});
    const std::vector<double> back = here.read<double>();
    REQUIRE(back == numbers);
    CHECK(std::signbit(back[1]));
    CHECK(here.read_rows<double>(1, 1) == std::vector<double>(numbers.begin() + 3, numbers.end()));
    CHECK(here.text_attribute("unit") == std::vector<std::string>{"energy"});
    CHECK(file.dataset("large").read<std::uint64_t>() == large);
    CHECK(file.dataset("scalar").read<std::int32_t>() == std::vector<std::int32_t>{-7});
    CHECK(file.dataset("scalar").read<double>() == std::vector<double>{-7.0});
    CHECK(file.texts("words") == words);
    CHECK(file.texts("text") == std::vector<std::string>{"line\nline"});
    CHECK(file.group("g").text_attribute("boundary") == words);
    CHECK(file.dataset("same").read<double>() == numbers);
    CHECK(file.dataset("nothing").read<double>().empty());
    CHECK(file.names() == std::vector<std::string>{"deep", "g", "large", "nothing", "same",
                                                   "scalar", "text", "words"});
    CHECK(file.has("deep/in"));
    CHECK_FALSE(file.has("deep/out/here"));
    CHECK_FALSE(file.has_group("large"));
    CHECK_FALSE(file.has_dataset("g"));
}

TEST_CASE("HDF5: rows are appended and cut off", "[io]") {
    const TemporaryFolder folder;
    {
        hdf5::File file = hdf5::File::create(folder / "a.h5");
        hdf5::Dataset rows = file.write_appendable("rows", hdf5::Type::float64, {2}, {4, 2});
        for (int i = 0; i < 11; ++i)
            rows.append<double>(std::vector<double>{double(i), double(-i)});
        rows.append<double>(std::vector<double>{11, -11, 12, -12});
        CHECK(rows.rows() == 13);
        rows.resize_rows(7);
        rows.append<double>(std::vector<double>{70, -70});
        file.close();
    }
    const hdf5::Dataset rows = hdf5::File::open(folder / "a.h5").dataset("rows");
    REQUIRE(rows.shape() == hdf5::Shape{8, 2});
    const std::vector<double> values = rows.read<double>();
    for (std::size_t i = 0; i < 7; ++i) CHECK(values[2 * i + 1] == -double(i));
    CHECK(values[14] == 70);
}

TEST_CASE("HDF5: what cannot be read is refused with a reason", "[io]") {
    const TemporaryFolder folder;
    CHECK(contains(message_of([&] { (void)hdf5::File::open(folder / "absent.h5"); }),
                   "No such file"));
    const auto text = folder.write("text.h5", std::string(5000, 'x'));
    CHECK(contains(message_of([&] { (void)hdf5::File::open(text); }), "text.h5"));
    const auto empty = folder.write("empty.h5", "");
    CHECK(contains(message_of([&] { (void)hdf5::File::open(empty); }), "empty.h5"));
    {
        hdf5::File file = hdf5::File::create(folder / "a.h5");
        file.write("numbers", std::vector<double>(10'000, 1.0));
        file.write_text("text", "words");
        file.close();
    }
    {
        const hdf5::File file = hdf5::File::open(folder / "a.h5");
        CHECK(contains(message_of([&] { (void)file.dataset("nothing"); }), "no such array"));
        CHECK(contains(message_of([&] { (void)file.group("numbers"); }), "no such group"));
        CHECK(contains(message_of([&] { (void)file.dataset("text").read<double>(); }), "numbers"));
        CHECK(contains(message_of([&] { (void)file.texts("numbers"); }), "not text"));
        CHECK(
            contains(message_of([&] { (void)file.dataset("numbers").read_rows<double>(9'999, 2); }),
                     "10000"));
        CHECK(contains(message_of([&] { (void)file.text_attribute("none"); }), "none"));
    }
    std::filesystem::resize_file(folder / "a.h5", 40'000);
    CHECK(contains(message_of([&] { (void)hdf5::File::open(folder / "a.h5"); }), "truncated"));
}
