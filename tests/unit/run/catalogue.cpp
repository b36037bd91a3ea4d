// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/run/catalogue.hpp"

#include "support/catch.hpp"
#include "support/contains.hpp"

#include "shadow/core/backend.hpp"
#include "shadow/core/error.hpp"

#include <string>

using namespace shadow;
using test::contains;

TEST_CASE("the catalogue lists each kind") {
    const std::string all = list_text();
    for (const char* heading : {"force\n", "integrator\n", "observe\n"})
        CHECK(contains(all, heading));
    CHECK(contains(list_text("integrator"), "  verlet "));
    CHECK(contains(list_text("observe"), "  thermo "));
    CHECK_FALSE(contains(list_text("integrator"), "observe\n"));
    CHECK_THROWS_AS(list_text("integrators"), InputError);
    CHECK_THROWS_AS(list_text("nonsense"), InputError);
}

TEST_CASE("an entry is described with its parameters; a near miss is named") {
    const std::string text = describe_text("verlet");
    CHECK(contains(text, "verlet (integrator)\n"));
    CHECK(contains(text, "reference"));
    try {
        (void)describe_text("verlt");
        FAIL("no error");
    } catch (const InputError& error) {
        CHECK(contains(error.what(), "did you mean \"verlet\"?"));
    }
    CHECK_THROWS_AS(describe_text(""), InputError);
}

TEST_CASE("no line of the catalogue is wider than 100 columns unless a word is") {
    const std::string all = list_text() + describe_text("verlet");
    std::size_t begin = 0;
    while (begin < all.size()) {
        const std::size_t end = all.find('\n', begin);
        CHECK(end - begin <= 100);
        begin = end + 1;
    }
}

TEST_CASE("the devices include the CPU and what auto takes") {
    const std::string text = devices_text();
    CHECK(contains(text, "cpu "));
    CHECK(contains(text, name(available_instruction_sets().front())));
    CHECK(contains(text, "auto     takes "));
}
