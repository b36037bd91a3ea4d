// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/core/input_table.hpp"

#include "src/core/parameter_node.hpp"

#include "shadow/core/error.hpp"

#include <fmt/format.h>

namespace shadow {
namespace {

using Node = Parameters::Node;
using Kind = Node::Kind;

void put(Node& node, bool value) {
    node.kind = Kind::boolean;
    node.boolean = value;
}
void put(Node& node, double value) {
    node.kind = Kind::number;
    node.number = value;
}
void put(Node& node, std::int64_t value) {
    node.kind = Kind::integer;
    node.integer = value;
}
void put(Node& node, std::string_view value) {
    node.kind = Kind::text;
    node.text = value;
}

std::shared_ptr<Node> node_at(std::string path) {
    auto node = std::make_shared<Node>();
    node->where = path;
    node->path = std::move(path);
    return node;
}

Node& append(Node& array) {
    array.kind = Kind::array;
    array.elements.push_back(node_at(fmt::format("{}[{}]", array.path, array.elements.size())));
    return *array.elements.back();
}

template <class T>
void put(Node& node, const std::vector<T>& values) {
    node.kind = Kind::array;
    for (const auto& value : values) {
        if constexpr (std::is_same_v<T, bool>)
            put(append(node), static_cast<bool>(value));
        else
            put(append(node), value);
    }
}

[[noreturn]] void refuse_other_kind(const Node& node, const char* wanted) {
    throw InputError(fmt::format("{}: {} (it is {} already); use one of them", node.path, wanted,
                                 describe(node)));
}

bool is_array_of_tables(const Node& node) {
    return node.kind == Kind::array && !node.elements.empty() &&
           node.elements.front()->kind == Kind::table;
}

} // namespace

InputTable::InputTable() : node_(node_at("")) {
    node_->where = "the input";
}

Node& InputTable::value(std::string_view key) {
    for (Node::Entry& entry : node_->entries)
        if (entry.key == key) {
            if (entry.value->kind == Kind::table || is_array_of_tables(*entry.value))
                refuse_other_kind(*entry.value, "a value");
            entry.value = node_at(node_->path_of(key));
            return *entry.value;
        }
    auto made = node_at(node_->path_of(key));
    node_->entries.push_back({std::string(key), made->where, made});
    return *made;
}

InputTable& InputTable::set(std::string_view key, bool of) {
    put(value(key), of);
    return *this;
}
InputTable& InputTable::set(std::string_view key, double of) {
    put(value(key), of);
    return *this;
}
void InputTable::refuse_integer(std::string_view key, const std::string& of) const {
    throw InputError(fmt::format("{}: {} (integers of an input go up to 2^63 - 1); give a smaller "
                                 "one",
                                 node_->path_of(key), of));
}
InputTable& InputTable::set_integer(std::string_view key, std::int64_t of) {
    put(value(key), of);
    return *this;
}
InputTable& InputTable::set(std::string_view key, std::string_view of) {
    put(value(key), of);
    return *this;
}
InputTable& InputTable::set(std::string_view key, const std::vector<bool>& values) {
    put(value(key), values);
    return *this;
}
InputTable& InputTable::set(std::string_view key, const std::vector<double>& values) {
    put(value(key), values);
    return *this;
}
InputTable& InputTable::set(std::string_view key, const std::vector<std::int64_t>& values) {
    put(value(key), values);
    return *this;
}
InputTable& InputTable::set(std::string_view key, const std::vector<std::string>& values) {
    put(value(key), values);
    return *this;
}
InputTable& InputTable::set(std::string_view key, const std::vector<std::vector<double>>& rows) {
    put(value(key), rows);
    return *this;
}

InputTable InputTable::table(std::string_view key) {
    for (const Node::Entry& entry : node_->entries)
        if (entry.key == key) {
            if (entry.value->kind != Kind::table) refuse_other_kind(*entry.value, "a table");
            return InputTable(entry.value);
        }
    auto made = node_at(node_->path_of(key));
    node_->entries.push_back({std::string(key), made->where, made});
    return InputTable(made);
}

InputTable InputTable::add(std::string_view key) {
    for (const Node::Entry& entry : node_->entries)
        if (entry.key == key) {
            if (!is_array_of_tables(*entry.value))
                refuse_other_kind(*entry.value, "an array of tables");
            append(*entry.value);
            return InputTable(entry.value->elements.back());
        }
    auto made = node_at(node_->path_of(key));
    node_->entries.push_back({std::string(key), made->where, made});
    append(*made);
    return InputTable(made->elements.back());
}

} // namespace shadow
