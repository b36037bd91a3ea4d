// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/core/described_table.hpp"

#include "support/catch.hpp"

#include "shadow/core/error.hpp"
#include "shadow/io/toml.hpp"

#include <stdexcept>

using namespace shadow;

TEST_CASE("a key that is left out has the default of its description") {
    using enum KeyType;
    const Descriptor descriptor{"thing",
                                "",
                                "",
                                "",
                                {{"bins", integer, "", "200", ""},
                                 {"accuracy", number, "", "0.001", ""},
                                 {"global", boolean, "", "false", ""},
                                 {"all", boolean, "", "true", ""},
                                 {"method", text, "", "\"direct\"", "", "", {"direct", "fft"}},
                                 {"direction", text, "", "", "", "", {"x", "y"}},
                                 {"folds", integers, "", "[4, 6]", ""},
                                 {"wavenumbers", numbers, "", "[]", ""},
                                 {"range", numbers, "", "[0.5, -1e3]", ""},
                                 {"axes", texts, "", "[\"x\", \"y\"]", ""},
                                 {"sizes", integer, "", "100, or all", ""},
                                 {"radius", number, "length", "half the box", ""}}};
    const auto read = [&descriptor](const char* text) {
        return DescribedTable(read_toml_text(text, "t"), descriptor);
    };
    const DescribedTable empty = read("");
    CHECK(empty.integer("bins") == 200);
    CHECK(empty.positive("accuracy") == 0.001);
    CHECK_FALSE(empty.boolean("global"));
    CHECK(empty.boolean("all"));
    CHECK(empty.choice("method") == "direct");
    CHECK(empty.integers("folds") == std::vector<std::int64_t>{4, 6});
    CHECK(empty.numbers("wavenumbers").empty());
    CHECK(empty.numbers("range") == std::vector{0.5, -1e3});
    CHECK(empty.texts("axes") == std::vector<std::string>{"x", "y"});
    // Words are no value, nor is what begins with a number.
    CHECK_THROWS_AS(empty.choice("direction"), InputError);
    CHECK_THROWS_AS(empty.integer("sizes"), InputError);
    CHECK_THROWS_AS(empty.positive("radius"), InputError);
    CHECK(empty.positive("radius", 2.5) == 2.5);
    CHECK_THROWS_AS(empty.integer("bin"), std::logic_error);

    const DescribedTable given = read("bins = 3\nmethod = \"fft\"\nglobal = true\nfolds = [5]");
    CHECK(given.integer("bins") == 3);
    CHECK(given.choice("method") == "fft");
    CHECK(given.boolean("global"));
    CHECK(given.integers("folds") == std::vector<std::int64_t>{5});
    CHECK_THROWS_AS(read("method = \"slow\"").choice("method"), InputError);

    CHECK(given.integer_within("bins", 3, 3, "{} bins (few)") == 3);
    for (const auto& [least, most] : {std::pair(4, 9), std::pair(0, 2)}) try {
            static_cast<void>(given.integer_within("bins", least, most, "{} bins (few)"));
            FAIL("it is outside");
        } catch (const InputError& error) {
            const std::string expected =
                "3 bins (few); give " + std::to_string(least) + " to " + std::to_string(most);
            CHECK(std::string(error.what()).find(expected) != std::string::npos);
        }
}
