// SPDX-License-Identifier: BSD-3-Clause
// The reference of keys is complete: inputs that use every table, force, integrator and observable
// are read, and what was asked for, as which type and with which default, is what is described.
#include "src/run/reference.hpp"

#include "src/core/parameter_node.hpp"
#include "support/catch.hpp"
#include "support/reference_inputs.hpp"
#include "support/temporary_folder.hpp"

#include "shadow/core/error.hpp"
#include "shadow/io/toml.hpp"
#include "shadow/run/catalogue.hpp"
#include "shadow/run/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace shadow;
using test::reference::input_with;
using test::reference::inputs_for_tables;

namespace {

using Node = Parameters::Node;

struct Asked {
    KeyType type = KeyType::none;
    std::set<std::string> words, defaults;
};
using Table = std::map<std::string, Asked>;

/// "x = <value>" as TOML.
std::string value_text(const std::shared_ptr<Node>& value) {
    auto table = std::make_shared<Node>();
    table->entries.push_back({"x", "", value});
    return Parameters(table).resolved();
}

/// "force[1].pairs[0]" is "force.pairs", "stage[0].integrator" is "integrator"; and for what has
/// types, "integrator verlet".
std::string place_of(const Node& table) {
    std::string path;
    for (std::size_t i = 0; i < table.path.size(); ++i)
        if (table.path[i] == '[')
            i = table.path.find(']', i);
        else
            path += table.path[i];
    if (path == "stage.until") path = "run.until";
    if (path.starts_with("step_sum")) path = "force" + path.substr(8);
    if (path == "stage.integrator" || path == "stage.barostat" || path == "stage.shear" ||
        path == "stage.boost" || path == "stage.observe")
        path = path.substr(6);
    for (const char* selector : {"type", "method"})
        if (path == "force" || path == "integrator" || path == "observe")
            if (const auto* entry = table.find(selector)) return path + " " + entry->value->text;
    return path.empty() ? "input" : path;
}

void collect(const Node& table, std::map<std::string, Table>& all) {
    for (const auto* entries : {&table.entries, &table.defaults})
        for (const Node::Entry& entry : *entries) {
            if (entry.value->kind == Node::Kind::table) collect(*entry.value, all);
            for (const auto& element : entry.value->elements)
                if (element->kind == Node::Kind::table) collect(*element, all);
        }
    Table& place = all[place_of(table)];
    for (const Node::Asked& asked : table.asked) {
        Asked& known = place[asked.key];
        known.type = known.type | asked.type;
        known.words.insert(asked.words.begin(), asked.words.end());
    }
    for (const Node::Entry& taken : table.defaults)
        if (taken.value->kind != Node::Kind::table)
            place[taken.key].defaults.insert(value_text(taken.value));
}

/// Reads all inputs; by place, what was asked for.
std::map<std::string, Table> everything_asked() {
    const TemporaryFolder folder;
    folder.write("start.xyz", "1\n\nA 0 0 0\n");
    folder.write("start.data", "four\n\n4 atoms\n1 atom types\n3 bonds\n1 bond types\n"
                               "0 9 xlo xhi\n0 9 ylo yhi\n0 9 zlo zhi\n\nMasses\n\n1 1.0\n\n"
                               "Atoms # bond\n\n1 1 1 1 1 1\n2 1 1 2 1 1\n3 1 1 3 1 1\n"
                               "4 1 1 4 1 1\n\nBonds\n\n1 1 1 2\n2 1 2 3\n3 1 3 4\n");
    folder.write("coefficients.data",
                 "two\n\n2 atoms\n1 atom types\n1 bonds\n1 bond types\n"
                 "0 9 xlo xhi\n0 9 ylo yhi\n0 9 zlo zhi\n\nMasses\n\n1 1.0\n\n"
                 "Bond Coeffs # harmonic\n\n1 1.0 1.0\n\n"
                 "Atoms # bond\n\n1 1 1 1 1 1\n2 1 1 2 1 1\n\nBonds\n\n1 1 1 2\n");
    std::string rows;
    for (double r = 0.9; r < 2.6; r += 0.02)
        rows += std::to_string(r) + " " + std::to_string(std::exp(-r)) + "\n";
    folder.write("u.dat", rows);
    folder.write("in.toml", "");
    std::map<std::string, Table> all;
    const auto read = [&](const std::string& text) {
        INFO(text);
        const Parameters root = read_toml_text(text, "in.toml");
        RunOptions options;
        options.input = folder / "in.toml";
        REQUIRE_NOTHROW(check_input(root, options));
        collect(root.node(), all);
    };
    for (const std::string& text : inputs_for_tables()) read(text);
    for (const Entry& entry : catalogue()) {
        if (entry.kind == "table") continue;
        read(input_with(entry, nullptr));
        for (const ParameterInfo& key : entry.descriptor.parameters)
            if (!key.required() && !key.name.starts_with("pairs")) read(input_with(entry, &key));
    }
    return all;
}

/// The value of a default that is one, as `value_text`; of words about it, "".
std::string default_text(const ParameterInfo& key) {
    try {
        return read_toml_text("x = " + key.default_value, "").resolved();
    } catch (const InputError&) {
        return "";
    }
}

/// A text whose words depend on what else there is.
bool has_words_of_its_own(const std::string& key) {
    return key != "type" && key != "method" && key != "quantity" && !key.ends_with("level");
}

void compare(const std::string& place, const ParameterInfo& key, const Asked& asked) {
    INFO(place << ": " << key.name << " is described as " << name(key.type) << ", read as "
               << name(asked.type));
    CHECK(key.type == asked.type);
    if (key.required()) CHECK(asked.defaults.empty());
    const std::string value = default_text(key);
    for (const std::string& taken : asked.defaults)
        if (!value.empty()) CHECK(taken == value);
    if (has_words_of_its_own(key.name))
        CHECK(std::set<std::string>(key.words.begin(), key.words.end()) == asked.words);
}

} // namespace

TEST_CASE("every key that is read is described, every described key is read") {
    std::map<std::string, Table> asked = everything_asked();
    std::set<std::string> potential_numbers;
    for (const Entry& entry : catalogue())
        if (entry.kind == "force")
            for (const ParameterInfo& key : entry.descriptor.parameters)
                potential_numbers.insert(key.name);
    for (const Entry& entry : catalogue()) {
        const Descriptor& d = entry.descriptor;
        const std::string place = entry.kind == "table" ? d.name : entry.kind + " " + d.name;
        // Their other keys are those of what has a type.
        if (place == "force" || place == "step_sum" || place == "integrator" || place == "observe")
            continue;
        REQUIRE(asked.contains(place));
        Table& table = asked[place];
        if (entry.kind != "table") table.erase(entry.kind == "integrator" ? "method" : "type");
        for (const ParameterInfo& key : d.parameters) {
            INFO(place << ": not read: " << key.name);
            REQUIRE(table.contains(key.name));
            compare(place, key, table[key.name]);
            table.erase(key.name);
        }
        for (const auto& [name, about] : table) {
            INFO(place << ": " << name << " is read and not described");
            CHECK((place.starts_with("force.pairs") && potential_numbers.contains(name)));
        }
        asked.erase(place);
    }
    for (const auto& [place, table] : asked) {
        // With names that the user gives.
        if (place.ends_with(".parameters") || place.ends_with(".friction") ||
            place.ends_with(".period") || place.ends_with("integrator.time"))
            continue;
        INFO(place << " is not described");
        CHECK(table.empty());
    }
}

TEST_CASE("a key has a meaning, and an example that is one") {
    for (const Entry& entry : catalogue())
        for (const ParameterInfo& key : entry.descriptor.parameters) {
            INFO(entry.descriptor.name << " " << key.name);
            CHECK_FALSE(key.meaning.empty());
            CHECK_NOTHROW(read_toml_text(key.name + " = " + example_of(key), "in.toml"));
        }
}

TEST_CASE("what several forces, integrators or observables have in common is said in one place") {
    for (const Entry& table : catalogue()) {
        const std::string& kind = table.descriptor.name;
        if (kind != "force" && kind != "integrator" && kind != "observe") continue;
        for (const ParameterInfo& key : table.descriptor.parameters) {
            if (key.name == "type" || key.name == "method") continue;
            const auto has_it = [&](const Entry& entry) {
                const auto& keys = entry.descriptor.parameters;
                return entry.kind == kind &&
                       std::any_of(keys.begin(), keys.end(),
                                   [&](const auto& k) { return k.name == key.name; });
            };
            INFO(kind << " " << key.name);
            CHECK(std::count_if(catalogue().begin(), catalogue().end(), has_it) > 1);
        }
    }
}
