// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/io/toml.hpp"

#include "support/catch.hpp"
#include "support/contains.hpp"

#include "shadow/core/error.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>

using namespace shadow;
using test::contains;

namespace {

/// The message of the InputError thrown by `action`, which must keep the grammar.
std::string error_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const InputError& error) {
        const std::string text = error.what();
        INFO(text);
        CHECK(std::regex_match(text, std::regex(R"([^\n]+: [^\n]+ \([^\n]+\); [^\n]+)")));
        return text;
    }
    FAIL("no InputError was thrown");
    return {};
}

std::string error_of_text(const std::string& text) {
    return error_of([&] { (void)read_toml_text(text, "in.toml"); });
}

bool starts_with(const std::string& text, const std::string& start) {
    return text.compare(0, start.size(), start) == 0;
}

const char* const example_text = R"(title = "a test"
seed = 7

[system]
dimension = 2
box = { lengths = [10, 12.5], periodic = [true, false] }

[[force]]
type = "lennard-jones"
cutoff = inf

[[force]]
type = "morse"
pairs = [ { species = ["A", "B"], epsilon = 1.5 } ]

[integrator]
dt = 0.01
)";

} // namespace

TEST_CASE("values come back with their types") {
    const Parameters p = read_toml_text(example_text, "in.toml");
    CHECK(p.text("title") == "a test");
    CHECK(p.integer("seed") == 7);
    CHECK(p.number("seed") == 7.0);
    CHECK(p.integer("steps", 5) == 5);
    CHECK_FALSE(p.has("nothing"));
    CHECK(p.type("seed") == "integer");
    CHECK(p.type("system") == "table");
    CHECK(p.type("force") == "array");
    CHECK(p.type("absent").empty());
    const Parameters box = p.table("system").table("box");
    CHECK(box.numbers("lengths") == std::vector<double>{10.0, 12.5});
    CHECK(box.booleans("periodic") == std::vector<bool>{true, false});
    CHECK(box.numbers("origin", {0.0, 0.0}) == std::vector<double>{0.0, 0.0});
    const auto forces = p.tables("force");
    REQUIRE(forces.size() == 2);
    CHECK(std::isinf(forces[0].number_or_infinity("cutoff")));
    CHECK(forces[1].number_or_infinity("cutoff", 2.5) == 2.5);
    CHECK(forces[1].choice("type", {"morse", "wca"}) == "morse");
    CHECK(forces[1].tables("pairs").at(0).texts("species") == std::vector<std::string>{"A", "B"});
    CHECK(p.table("absent").number("x", 3.0) == 3.0);
    CHECK(p.tables("absent_too").empty());
}

TEST_CASE("keys know their place") {
    const Parameters p = read_toml_text(example_text, "in.toml");
    CHECK(p.where() == "in.toml:1:1");
    CHECK(p.where("seed") == "in.toml:2:1");
    CHECK(p.table("system").table("box").where("periodic") == "in.toml:6:31");
    CHECK(p.tables("force")[1].where("type") == "in.toml:13:1");
    CHECK(p.tables("force")[1].where() == "in.toml:12:1");
    CHECK(p.tables("force")[1].where("cutoff") == "in.toml:12:1");
    CHECK(p.table("integrator").where() == "in.toml:16:1");
    CHECK(error_of([&] { p.fail("seed", "bad (why); do"); }) == "in.toml:2:1: bad (why); do");
}

TEST_CASE("an unknown key is refused with its place and the nearest key") {
    SECTION("at the top") {
        const Parameters p = read_toml_text("seeed = 1\n", "in.toml");
        CHECK(p.integer("seed", 1) == 1);
        const auto text = error_of([&] { p.refuse_unused(); });
        CHECK(starts_with(text, "in.toml:1:1: unknown key \"seeed\""));
        CHECK(contains(text, "did you mean \"seed\"?"));
    }
    SECTION("in a table") {
        const Parameters p = read_toml_text("[run]\nsteps = 1\n  stpes = 2\n", "in.toml");
        CHECK(p.table("run").integer("steps") == 1);
        const auto text = error_of([&] { p.refuse_unused(); });
        CHECK(starts_with(text, "in.toml:3:3: "));
        CHECK(contains(text, "\"steps\""));
    }
    SECTION("in an array of tables and in an inline table") {
        const Parameters p =
            read_toml_text("[[a]]\nx = 1\n[[a]]\nb = { c = 1, zebra = 2 }\n", "in.toml");
        for (const Parameters& a : p.tables("a")) {
            CHECK(a.integer("x", 1) == 1);
            CHECK(a.table("b").integer("c", 1) == 1);
        }
        const auto text = error_of([&] { p.refuse_unused(); });
        CHECK(starts_with(text, "in.toml:4:14: "));
        CHECK(contains(text, "use \"c\""));
    }
    SECTION("none") {
        const Parameters p = read_toml_text("a = 1\n[b]\n", "in.toml");
        CHECK(p.has("a"));
        CHECK(p.type("b") == "table");
        CHECK_NOTHROW(p.refuse_unused());
    }
}

TEST_CASE("a missing key says where it belongs, and what looks like it") {
    const Parameters p = read_toml_text("[integrator]\ndtt = 0.1\n[run]\n", "in.toml");
    auto text = error_of([&] { (void)p.table("integrator").number("dt"); });
    CHECK(starts_with(text, "in.toml:2:1: integrator.dt is missing"));
    CHECK(contains(text, "\"dtt\" looks like it"));
    text = error_of([&] { (void)p.table("run").integer("steps"); });
    CHECK(starts_with(text, "in.toml:3:1: run.steps is missing"));
    text = error_of([&] { (void)p.table("system").integer("dimension"); });
    CHECK(starts_with(text, "in.toml:1:1: system.dimension is missing"));
}

TEST_CASE("a value of the wrong type says what is expected, what was found and what to do") {
    const Parameters p = read_toml_text("s = 1e5\nt = \"100\"\nh = 0.5\nn = nan\ni = inf\nb = 1\n"
                                        "z = -2\nl = [1, \"a\"]\n[tab]\n[[arr]]\n",
                                        "in.toml");
    struct Case {
        std::function<void()> action;
        std::string where;
        std::vector<std::string> parts;
    };
    const Case cases[] = {
        {[&] { (void)p.integer("s"); }, "in.toml:1:5: ", {"100000.0", "an integer", "s = 100_000"}},
        {[&] { (void)p.integer("t"); }, "in.toml:2:5: ", {"the text \"100\"", "remove the quotes"}},
        {[&] { (void)p.number("t", 1.0); }, "in.toml:2:5: ", {"a number", "t = 100"}},
        {[&] { (void)p.integer("h"); }, "in.toml:3:5: ", {"whole number"}},
        {[&] { (void)p.number("n"); }, "in.toml:4:5: ", {"nan"}},
        {[&] { (void)p.number_or_infinity("n"); }, "in.toml:4:5: ", {"nan"}},
        {[&] { (void)p.number("i"); }, "in.toml:5:5: ", {"inf", "finite"}},
        {[&] { (void)p.boolean("b", true); }, "in.toml:6:5: ", {"true or false", "integer 1"}},
        {[&] { (void)p.text("b"); }, "in.toml:6:5: ", {"a text", "quotes"}},
        {[&] { (void)p.table("b"); }, "in.toml:6:5: ", {"a table"}},
        {[&] { (void)p.tables("b"); }, "in.toml:6:5: ", {"an array"}},
        {[&] { (void)p.positive("z"); }, "in.toml:7:1: ", {"-2", "above zero"}},
        {[&] { (void)p.numbers("l"); }, "in.toml:8:9: ", {"l[1]", "a number"}},
        {[&] { (void)p.texts("l"); }, "in.toml:8:6: ", {"l[0]", "a text"}},
        {[&] { (void)p.numbers("h"); }, "in.toml:3:5: ", {"an array"}},
        {[&] { (void)p.table("arr"); }, "in.toml:10:3: ", {"there is only one", "[arr]"}},
        {[&] { (void)p.tables("tab"); }, "in.toml:9:2: ", {"[[tab]]"}},
        {[&] { (void)p.number("tab"); }, "in.toml:9:1: ", {"a table"}},
    };
    for (const Case& c : cases) {
        const std::string text = error_of(c.action);
        INFO(text);
        CHECK(starts_with(text, c.where));
        for (const auto& part : c.parts) CHECK(contains(text, part));
    }
    const auto text = error_of([&] { (void)p.choice("t", {"1000", "x"}); });
    CHECK(contains(text, "did you mean \"1000\"?"));
    CHECK_THROWS_AS(p.choice("t", {"shift", "none"}), InputError);
}

TEST_CASE("what is not TOML is refused with its place") {
    CHECK(starts_with(error_of_text("a = 1\na = 2\n"), "in.toml:2:"));
    CHECK(contains(error_of_text("a = 1\na = 2\n"), "keep one of the two"));
    CHECK(starts_with(error_of_text("a = \n"), "in.toml:1:"));
    CHECK(starts_with(error_of_text("x = 1\n[run\n"), "in.toml:2:"));
    CHECK(contains(error_of_text("a = \"\"\"abc"), "cut short"));
    CHECK(starts_with(error_of_text("dt = 0.1.2\n"), "in.toml:1:"));
    CHECK(starts_with(error_of_text("a = 99999999999999999999\n"), "in.toml:1:"));
    CHECK(starts_with(error_of_text(std::string("\x89HDF\r\n\x1a\n\0\0\0", 11)), "in.toml:1:"));
    CHECK(starts_with(error_of_text(std::string(100, '\xff')), "in.toml:1:"));
    CHECK(starts_with(error_of_text(std::string(1, '\0')), "in.toml:1:"));
    CHECK(starts_with(error_of_text("\xff\xfe" + std::string("a\0=\0", 4)), "in.toml:1:"));
    CHECK(starts_with(error_of_text("a = " + std::string(100000, '[')), "in.toml:1:"));
    CHECK(contains(error_of_text("a = " + std::string(40, '[') + std::string(40, ']')), "deep"));
    CHECK(contains(error_of([] {
                       (void)read_toml_text("", "in",
                                            {"a.b=" + std::string(32, '[') + std::string(32, ']')});
                   }),
                   "deep"));
    CHECK(starts_with(error_of_text("a = 1\nb = \xC3\xA4\n"), "in.toml:2:5: "));
    CHECK(starts_with(error_of_text("\xC3\xA4 = 1"), "in.toml:1:1: "));
    CHECK(starts_with(error_of_text("a = 1\nb\x01 = 1\n"), "in.toml:2:2: "));
    CHECK(
        read_toml_text("# \xC3\xA4\na = \"\"\"\xC3\xA4\"\"\"\"\nb = '\xC3\xA4' # \xC3\xA4\n", "in")
            .text("a") == "\xC3\xA4\"");
    CHECK(starts_with(error_of_text("a = 1\nb = 2020-01-01\n"), "in.toml:2:5: a colon or a date"));
    CHECK(contains(error_of_text("a = \"\"\"b\\\n \xC3\xA4\"\"\"\n"), "after a backslash"));
    CHECK(starts_with(error_of_text("a = 1\"x\"\n"), "in.toml:1:6: a quote in a number"));
    CHECK(starts_with(error_of_text("device = cuda:1\n"), "in.toml:1:14: a colon"));
    std::string dotted = "b = \"..........................................\" # .................."
                         "..............................\n";
    CHECK(read_toml_text(dotted, "in.toml").text("b").size() == 42);
    for (int i = 0; i < 100000; ++i) dotted += "a.";
    CHECK(starts_with(error_of_text(dotted + "a = 1"), "in.toml:2:66: a key has more"));
    CHECK(read_toml_text("", "in.toml").resolved().empty());
    CHECK(read_toml_text("\xEF\xBB\xBF" + std::string("a = 1\r\n"), "in.toml").integer("a") == 1);
}

TEST_CASE("what is not a readable file is refused") {
    namespace fs = std::filesystem;
    const fs::path folder = fs::temp_directory_path() / "shadow_toml_test";
    fs::create_directories(folder);
    CHECK(contains(error_of([&] { (void)read_toml(folder / "none.toml"); }), "no such file"));
    CHECK(contains(error_of([&] { (void)read_toml(folder); }), "it is a folder"));
    {
        std::ofstream huge(folder / "huge.toml");
        const std::string line(1 << 16, '#');
        for (int i = 0; i < 257; ++i) huge << line << '\n';
    }
    CHECK(contains(error_of([&] { (void)read_toml(folder / "huge.toml"); }), "16 MiB"));
    std::ofstream(folder / "good.toml") << "a = 3\n";
    const Parameters p = read_toml(folder / "good.toml");
    CHECK(p.integer("a") == 3);
    CHECK(p.where("a") == (folder / "good.toml").string() + ":1:1");
    fs::remove_all(folder);
}

TEST_CASE("overrides by --set create and replace keys") {
    const auto read = [](const std::vector<std::string>& set) {
        return read_toml_text(example_text, "in.toml", set);
    };
    CHECK(read({"integrator.dt=0.002"}).table("integrator").number("dt") == 0.002);
    CHECK(read({"seed=2", "seed= 3"}).integer("seed") == 3);
    CHECK(read({"compute.device=cpu"}).table("compute").text("device") == "cpu");
    CHECK(read({"compute.device=cuda:1"}).table("compute").text("device") == "cuda:1");
    CHECK(read({"output.prefix=/some/where x"}).table("output").text("prefix") == "/some/where x");
    CHECK(read({"title=\"a = b\""}).text("title") == "a = b");
    CHECK(read({"title=2020-01-01"}).text("title") == "2020-01-01");
    CHECK(read({"title=line\nseed = 4"}).text("title") == "line\nseed = 4");
    CHECK(read({"force.0.cutoff=3"}).tables("force")[0].number("cutoff") == 3.0);
    CHECK(read({"force[1].cutoff=3"}).tables("force")[1].number("cutoff") == 3.0);
    CHECK(read({"force[1].pairs[0].epsilon=2"})
              .tables("force")[1]
              .tables("pairs")[0]
              .number("epsilon") == 2.0);
    CHECK(read({"force[2].type=wca"}).tables("force").size() == 3);
    CHECK(read({"observe[0].type=thermo", "observe[1].type=x"}).tables("observe").size() == 2);
    CHECK(read({"system.box.lengths[1]=7"}).table("system").table("box").numbers("lengths")[1] ==
          7.0);
    CHECK(read({"system.box={ density = 0.5 }"}).table("system").table("box").number("density") ==
          0.5);
    CHECK(read({"\"odd key\".x=1"}).table("odd key").integer("x") == 1);
    const Parameters p = read({"integrator.dt=zero", "runn.steps=1"});
    CHECK(starts_with(error_of([&] { (void)p.table("integrator").number("dt"); }),
                      "--set integrator.dt: integrator.dt is the text \"zero\""));
    for (const char* key : {"title", "seed", "system", "force", "integrator"}) CHECK(p.has(key));
    CHECK(p.integer("run", 1) == 1);
    (void)p.table("system").has("dimension");
    CHECK_THROWS_AS(p.refuse_unused(), InputError);
}

TEST_CASE("a malformed --set is refused") {
    const std::vector<std::string> wrong = {"",
                                            "dt",
                                            "=1",
                                            "a=",
                                            "a= ",
                                            ".a=1",
                                            "a..b=1",
                                            "a.=1",
                                            "force[x].a=1",
                                            "force[0.a=1",
                                            "a b=1",
                                            "force[]=1",
                                            "force[0]x=1",
                                            "force[9].a=1",
                                            "force.9.a=1",
                                            "seed.x=1",
                                            "title=\"abc",
                                            "title=[1, 2",
                                            "force.type=1",
                                            "title='a' b",
                                            "\"a=1",
                                            "\"\"=1",
                                            "a={ x = }",
                                            "seed[0]=1",
                                            "force[99999999999999999999].a=1"};
    for (const std::string& item : wrong) {
        INFO(item);
        const auto text = error_of([&] { (void)read_toml_text(example_text, "in.toml", {item}); });
        INFO(text);
        CHECK(starts_with(text, "--set "));
    }
}

TEST_CASE("the resolved input holds the defaults and reads back to itself") {
    const Parameters p = read_toml_text(example_text, "in.toml", {"odd.\"a key\"=\"tab\\t\""});
    const auto ask = [](const Parameters& q) {
        (void)q.number("tolerance", 1e-8);
        (void)q.table("compute").text("device", "auto");
        (void)q.table("compute").integer("threads", 0);
        (void)q.table("silent").table("deep").has("nothing");
        (void)q.tables("force").at(0).number_or_infinity("inner", INFINITY);
        (void)q.tables("force").at(1).boolean("tail", false);
        (void)q.table("system").table("box").numbers("origin", {0.0, -1.5});
        (void)q.tables("force").at(1).tables("pairs").at(0).number("sigma", 1.0);
    };
    ask(p);
    ask(p); // asking twice records once
    const std::string text = p.resolved();
    INFO(text);
    const Parameters again = read_toml_text(text, "again.toml");
    CHECK(again.resolved() == text);
    CHECK(again.number("tolerance") == 1e-8);
    CHECK(again.table("compute").text("device") == "auto");
    CHECK(std::isinf(again.tables("force")[0].number_or_infinity("inner")));
    CHECK(again.table("system").table("box").numbers("origin")[1] == -1.5);
    CHECK(again.table("odd").text("a key") == "tab\t");
    CHECK_FALSE(contains(text, "silent"));
    CHECK(again.tables("force")[1].tables("pairs")[0].number("sigma") == 1.0);
}

TEST_CASE("values of every kind survive the way through resolved text") {
    const std::string text = "a = \"2020-01-01\"\nb = [[1, 2], [], [\"x\"]]\n"
                             "c = [{ d = 1 }, 2]\ne = 0x10\nf = 1e300\ng = 5e-324\n"
                             "\"\" = \"empty\"\n[h]\n[[i]]\n[[i]]\n[i.j]\nk = -0.0\n";
    const std::string once = read_toml_text(text, "in.toml").resolved();
    INFO(once);
    const Parameters p = read_toml_text(once, "again.toml");
    CHECK(p.resolved() == once);
    CHECK(p.integer("e") == 16);
    CHECK(p.number("f") == 1e300);
    CHECK(p.number("g") == 5e-324);
    CHECK(p.tables("i").size() == 2);
    CHECK(std::signbit(p.tables("i")[1].table("j").number("k")));
}
