// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/core/input_table.hpp"

#include "support/catch.hpp"
#include "support/contains.hpp"

#include "shadow/core/error.hpp"
#include "shadow/io/toml.hpp"

using namespace shadow;
using test::contains;

TEST_CASE("a table made by a program reads as the same text does") {
    InputTable made;
    made.set("title", "melt").set("seed", 7);
    made.table("system")
        .set("dimension", 2)
        .set("lengths", std::vector<double>{5.0, 6.5})
        .set("periodic", std::vector<bool>{true, false});
    made.add("force").set("type", "lennard-jones").set("tail", true);
    made.add("force").set("species", std::vector<std::string>{"A", "B"});
    made.table("other")
        .set("counts", std::vector<std::int64_t>{3, 4})
        .set("rows", std::vector<std::vector<double>>{{0.0, 1.5}, {10.0, 0.5}});
    made.table("system").set("density", 0.8);

    const Parameters text = read_toml_text(R"(
title = "melt"
seed = 7
system = { dimension = 2, lengths = [5.0, 6.5], periodic = [true, false], density = 0.8 }
[[force]]
type = "lennard-jones"
tail = true
[[force]]
species = ["A", "B"]
[other]
counts = [3, 4]
rows = [[0.0, 1.5], [10.0, 0.5]]
)",
                                           "text");
    CHECK(made.parameters().resolved() == text.resolved());
    CHECK(made.parameters().table("other").rows("rows")[1][0] == 10.0);
    CHECK(made.parameters().tables("force").size() == 2);
}

TEST_CASE("messages name a key of such a table by its path") {
    InputTable made;
    made.add("force").set("type", "lennard-jones").set("cutof", 2.5);
    const auto message = [](const auto& use) {
        try {
            use();
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string("no error");
    };
    const Parameters root = made.parameters();
    const Parameters force = root.tables("force").front();
    (void)force.has("type");
    (void)force.has("cutoff");
    const std::string unknown = message([&] { root.refuse_unused(); });
    CHECK(contains(unknown, "force[0].cutof: "));
    CHECK(contains(unknown, "cutoff"));
    CHECK(contains(message([&] { (void)force.number("type"); }), "force[0].type: "));
    CHECK(contains(message([&] { (void)root.text("title"); }), "title"));
}

TEST_CASE("a key has its last value; a table is no value") {
    InputTable made;
    made.set("steps", 5).set("steps", 6.5);
    CHECK(made.parameters().number("steps") == 6.5);
    made.table("run").set("steps", 1);
    made.add("stage");
    CHECK_THROWS_AS(made.set("seed", ~std::uint64_t{0}), InputError);
    CHECK_THROWS_AS(made.set("run", 3), InputError);
    CHECK_THROWS_AS(made.set("stage", 3), InputError);
    CHECK_THROWS_AS(made.table("steps"), InputError);
    CHECK_THROWS_AS(made.table("stage"), InputError);
    CHECK_THROWS_AS(made.add("run"), InputError);
    CHECK_THROWS_AS(made.add("steps"), InputError);
}
