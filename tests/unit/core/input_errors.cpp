// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/core/input_errors.hpp"

#include "support/catch.hpp"

using namespace shadow;

namespace {

std::string raised(const InputErrors& errors) {
    try {
        errors.raise();
    } catch (const InputError& error) {
        return error.what();
    }
    return "nothing";
}

} // namespace

TEST_CASE("errors of an input come together, in the order of the file, each once") {
    InputErrors errors;
    CHECK(raised(errors) == "nothing");
    CHECK(errors.attempt([] {}));
    CHECK_FALSE(errors.attempt([] { throw InputError("a:1.toml:10:2: late (b); c"); }));
    errors.add("without a place (b); c");
    errors.add("a:1.toml:9:20: early (b); c\na:1.toml:9:3: first (b); c");
    errors.add("a:1.toml:10:2: late (b); c");
    errors.add("--set x: by hand (b); c");
    CHECK(errors.count() == 5);
    CHECK(errors.has_place("a:1.toml:9:20"));
    CHECK_FALSE(errors.has_place("a:1.toml:9:2"));
    CHECK(raised(errors) == "a:1.toml:9:3: first (b); c\na:1.toml:9:20: early (b); c\n"
                            "a:1.toml:10:2: late (b); c\nwithout a place (b); c\n"
                            "--set x: by hand (b); c");
    CHECK_THROWS_AS(errors.attempt([] { throw MachineError("full"); }), MachineError);
}
