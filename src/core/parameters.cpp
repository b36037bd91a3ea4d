// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/core/parameters.hpp"

#include "src/core/parameter_node.hpp"
#include "src/core/parameter_values.hpp"

#include "shadow/core/text.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace shadow {
namespace {

using Node = Parameters::Node;
using Kind = Node::Kind;

template <class Read>
auto as_vector(const Node& node, std::string_view key, Read&& read) {
    if (node.kind != Kind::array) wrong_type(node, key, Kind::array);
    std::vector<decltype(read(node))> values;
    values.reserve(node.elements.size());
    for (const auto& element : node.elements) values.push_back(read(*element));
    return values;
}

auto as_numbers(const Node& node, std::string_view key) {
    return as_vector(node, key, [&](const Node& n) { return as_number(n, key, false); });
}

auto as_rows(const Node& node, std::string_view key) {
    return as_vector(node, key, [&](const Node& row) { return as_numbers(row, key); });
}

auto as_integers(const Node& node, std::string_view key) {
    return as_vector(node, key, [&](const Node& n) { return as_integer(n, key); });
}

std::shared_ptr<Node> make(double x) {
    auto node = std::make_shared<Node>();
    node->kind = Kind::number;
    node->number = x;
    return node;
}
std::shared_ptr<Node> make(std::int64_t x) {
    auto node = std::make_shared<Node>();
    node->kind = Kind::integer;
    node->integer = x;
    return node;
}
std::shared_ptr<Node> make(bool x) {
    auto node = std::make_shared<Node>();
    node->kind = Kind::boolean;
    node->boolean = x;
    return node;
}
std::shared_ptr<Node> make(const std::string& x) {
    auto node = std::make_shared<Node>();
    node->kind = Kind::text;
    node->text = x;
    return node;
}
template <class T>
std::shared_ptr<Node> make(const std::vector<T>& values) {
    auto node = std::make_shared<Node>();
    node->kind = Kind::array;
    for (const auto& value : values) node->elements.push_back(make(value));
    return node;
}

/// Records the default that was used, and returns it.
template <class T>
T take_default(Node& table, std::string_view key, const T& value) {
    const auto same = [&](const Node::Entry& e) { return e.key == key; };
    if (std::none_of(table.defaults.begin(), table.defaults.end(), same))
        table.defaults.push_back({std::string(key), table.where, make(value)});
    return value;
}

std::string not_asked(const Node& table, const Node::Entry& entry) {
    std::string message = fmt::format("unknown key {} ({} has no such key); ",
                                      in_quotes(entry.key, longest_echo), table.title());
    if (table.asked.empty()) return message + "remove it, no key is expected here";
    std::vector<std::string> known;
    for (const Node::Asked& asked : table.asked) known.push_back(asked.key);
    if (const auto name = nearest(entry.key, known))
        return message + fmt::format("did you mean {}?", in_quotes(*name));
    return message + fmt::format("use {}, or remove it", quoted_list(known));
}

void collect_unknown(const Node& table, std::vector<UnknownKey>& all) {
    for (const Node::Entry& entry : table.entries) {
        if (table.find_asked(entry.key) == nullptr) {
            all.push_back({entry.where, not_asked(table, entry)});
            continue;
        }
        if (entry.value->kind == Kind::table) collect_unknown(*entry.value, all);
        for (const auto& element : entry.value->elements)
            if (element->kind == Kind::table) collect_unknown(*element, all);
    }
}

} // namespace

std::vector<UnknownKey> unknown_keys(const Node& table) {
    std::vector<UnknownKey> all;
    collect_unknown(table, all);
    return all;
}

const Node* Parameters::find(std::string_view key, KeyType type,
                             const std::vector<std::string>& words) const {
    auto& all = node_->asked;
    auto asked =
        std::find_if(all.begin(), all.end(), [&](const Node::Asked& a) { return a.key == key; });
    if (asked == all.end()) asked = all.insert(all.end(), {std::string(key), KeyType::none, {}});
    asked->type = asked->type | type;
    if (!words.empty()) asked->words = words;
    const Node::Entry* entry = node_->find(key);
    return entry == nullptr ? nullptr : entry->value.get();
}

const Node& Parameters::require(std::string_view key, KeyType type, std::string_view expected,
                                std::string_view example) const {
    if (const Node* node = find(key, type)) return *node;
    // A misspelt key is the likelier reason; it may also be valid and read later, so only hint.
    for (const Node::Entry& entry : node_->entries) {
        if (node_->find_asked(entry.key) == nullptr && nearest(entry.key, {std::string(key)}))
            fail_at(entry.where,
                    fmt::format("{} is missing ({} is required, and {} looks like it); write {} = "
                                "{} in {}",
                                node_->path_of(key), expected, in_quotes(entry.key, longest_echo),
                                key, example, node_->title()));
    }
    fail_at(node_->where, fmt::format("{} is missing ({} is required); add {} = {} to {}",
                                      node_->path_of(key), expected, key, example, node_->title()));
}

bool Parameters::has(std::string_view key) const {
    return find(key) != nullptr;
}

double Parameters::number(std::string_view key) const {
    return as_number(require(key, KeyType::number, "a number", "<number>"), key, false);
}

double Parameters::number(std::string_view key, double default_value) const {
    if (const Node* node = find(key, KeyType::number)) return as_number(*node, key, false);
    return take_default(*node_, key, default_value);
}

double Parameters::number_or_infinity(std::string_view key,
                                      std::optional<double> default_value) const {
    const Node* node = find(key, KeyType::number);
    if (node == nullptr && default_value) return take_default(*node_, key, *default_value);
    return as_number(require(key, KeyType::number, "a number or inf", "<number>"), key, true);
}

double Parameters::positive(std::string_view key) const {
    const double value = number(key);
    if (!(value > 0.0))
        fail(key, fmt::format("{} is {} (it must be above zero); give a positive number",
                              node_->path_of(key), value));
    return value;
}

double Parameters::positive(std::string_view key, double default_value) const {
    return find(key, KeyType::number) != nullptr ? positive(key)
                                                 : take_default(*node_, key, default_value);
}

std::int64_t Parameters::integer(std::string_view key) const {
    return as_integer(require(key, KeyType::integer, "an integer", "<integer>"), key);
}

std::int64_t Parameters::integer(std::string_view key, std::int64_t default_value) const {
    if (const Node* node = find(key, KeyType::integer)) return as_integer(*node, key);
    return take_default(*node_, key, default_value);
}

bool Parameters::boolean(std::string_view key, bool default_value) const {
    if (const Node* node = find(key, KeyType::boolean)) return as_boolean(*node, key);
    return take_default(*node_, key, default_value);
}

std::string Parameters::text(std::string_view key) const {
    return as_text(require(key, KeyType::text, "a text", "\"...\""), key);
}

std::string Parameters::text(std::string_view key, std::string_view default_value) const {
    if (const Node* node = find(key, KeyType::text)) return as_text(*node, key);
    return take_default(*node_, key, std::string(default_value));
}

std::string Parameters::choice(std::string_view key, const std::vector<std::string>& choices,
                               std::optional<std::string> default_value) const {
    const Node* node = find(key, KeyType::text, choices);
    if (node == nullptr && default_value) return take_default(*node_, key, *default_value);
    const Node& found = require(key, KeyType::text, "one of " + quoted_list(choices),
                                choices.empty() ? "\"...\"" : in_quotes(choices.front()));
    const std::string value = as_text(found, key);
    if (std::find(choices.begin(), choices.end(), value) != choices.end()) return value;
    const auto near = nearest(value, choices);
    fail(key, fmt::format("{} is {} (it must be {}); {}", node_->path_of(key),
                          in_quotes(value, longest_echo), quoted_list(choices),
                          near ? fmt::format("did you mean {}?", in_quotes(*near))
                               : std::string("choose one of these")));
}

std::vector<double> Parameters::numbers(std::string_view key) const {
    return as_numbers(require(key, KeyType::numbers, "an array of numbers", "[ ... ]"), key);
}

std::vector<double> Parameters::numbers(std::string_view key,
                                        const std::vector<double>& default_value) const {
    return find(key, KeyType::numbers) != nullptr ? numbers(key)
                                                  : take_default(*node_, key, default_value);
}

bool Parameters::is_table(std::string_view key) const {
    const Node* node = find(key, KeyType::table);
    return node != nullptr && node->kind == Kind::table;
}

bool Parameters::holds_rows(std::string_view key) const {
    const Node* node = find(key, KeyType::rows);
    return node != nullptr && node->kind == Kind::array && !node->elements.empty() &&
           node->elements.front()->kind == Kind::array;
}

std::vector<std::vector<double>> Parameters::number_or_rows(std::string_view key) const {
    const Node& node =
        require(key, KeyType::number | KeyType::rows, "a number or a table of numbers", "<number>");
    if (node.kind != Kind::array) return {{as_number(node, key, false)}};
    return as_rows(node, key);
}

std::vector<std::vector<double>> Parameters::numbers_or_rows(std::string_view key) const {
    const Node& node = require(key, KeyType::numbers | KeyType::rows,
                               "an array of numbers or of rows of numbers", "[ ... ]");
    return holds_rows(key) ? as_rows(node, key)
                           : std::vector<std::vector<double>>{as_numbers(node, key)};
}

std::vector<std::vector<double>> Parameters::rows(std::string_view key) const {
    return as_rows(require(key, KeyType::rows, "a table of numbers", "[[ ... ]]"), key);
}

std::vector<std::int64_t> Parameters::integer_or_integers(std::string_view key) const {
    const Node& node = require(key, KeyType::integer | KeyType::integers,
                               "an integer or an array of integers", "<integer>");
    if (node.kind != Kind::array) return {as_integer(node, key)};
    return as_integers(node, key);
}

std::vector<std::int64_t> Parameters::integers(std::string_view key) const {
    return as_integers(require(key, KeyType::integers, "an array of integers", "[ ... ]"), key);
}

std::vector<std::int64_t>
Parameters::integers(std::string_view key, const std::vector<std::int64_t>& default_value) const {
    return find(key, KeyType::integers) != nullptr ? integers(key)
                                                   : take_default(*node_, key, default_value);
}

std::vector<bool> Parameters::booleans(std::string_view key) const {
    return as_vector(require(key, KeyType::booleans, "an array of true and false", "[ ... ]"), key,
                     [&](const Node& n) { return as_boolean(n, key); });
}

std::vector<std::string> Parameters::texts(std::string_view key) const {
    return as_vector(require(key, KeyType::texts, "an array of texts", "[ ... ]"), key,
                     [&](const Node& n) { return as_text(n, key); });
}

std::vector<std::string> Parameters::texts(std::string_view key,
                                           const std::vector<std::string>& default_value) const {
    return find(key, KeyType::texts) != nullptr ? texts(key)
                                                : take_default(*node_, key, default_value);
}

std::vector<std::string> Parameters::names() const {
    std::vector<std::string> all;
    for (const Node::Entry& entry : node_->entries) all.push_back(entry.key);
    return all;
}

std::string Parameters::type(std::string_view key) const {
    const Node* node = find(key);
    if (node == nullptr) return {};
    switch (node->kind) {
    case Kind::table:
        return "table";
    case Kind::array:
        return "array";
    case Kind::integer:
        return "integer";
    case Kind::number:
        return "number";
    case Kind::boolean:
        return "boolean";
    case Kind::text:
        return "text";
    }
    return {};
}

Parameters Parameters::table(std::string_view key) const {
    if (find(key, KeyType::table) != nullptr) {
        const auto& node = node_->find(key)->value;
        if (node->kind == Kind::array && !node->elements.empty() &&
            node->elements.front()->kind == Kind::table)
            fail(key,
                 fmt::format("{} is an array of tables (there is only one); write [{}] or {} = "
                             "{{ ... }}",
                             node->path, node->path, key));
        if (node->kind != Kind::table) wrong_type(*node, key, Kind::table);
        return Parameters(node);
    }
    for (const Node::Entry& entry : node_->defaults)
        if (entry.key == key && entry.value->kind == Kind::table) return Parameters(entry.value);
    auto node = std::make_shared<Node>();
    node->present = false;
    node->where = node_->where;
    node->path = node_->path_of(key);
    node_->defaults.push_back({std::string(key), node_->where, node});
    return Parameters(node);
}

std::vector<Parameters> Parameters::tables(std::string_view key) const {
    std::vector<Parameters> result;
    const Node* array = find(key, KeyType::tables);
    if (array == nullptr) return result;
    if (array->kind == Kind::table)
        fail(key, fmt::format("{} is one table (there may be several, so it is an array); write "
                              "[[{}]] or {} = [{{ ... }}]",
                              array->path, array->path, key));
    if (array->kind != Kind::array) wrong_type(*array, key, Kind::array);
    for (const auto& element : array->elements) {
        if (element->kind != Kind::table) wrong_type(*element, key, Kind::table);
        result.emplace_back(element);
    }
    return result;
}

void Parameters::refuse_unused() const {
    for (const UnknownKey& key : unknown_keys(*node_)) fail_at(key.where, key.message);
}

std::string Parameters::where(std::string_view key) const {
    const Node::Entry* entry = key.empty() ? nullptr : node_->find(key);
    return entry == nullptr ? node_->where : entry->where;
}

void Parameters::fail(std::string_view key, const std::string& message) const {
    fail_at(where(key), message);
}

} // namespace shadow
