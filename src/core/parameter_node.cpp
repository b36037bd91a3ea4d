// SPDX-License-Identifier: BSD-3-Clause
#include "src/core/parameter_node.hpp"

#include "shadow/core/text.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace shadow {

using Node = Parameters::Node;
using Kind = Node::Kind;

const Node::Entry* Node::find(std::string_view key) const {
    for (const Entry& entry : entries)
        if (entry.key == key) return &entry;
    return nullptr;
}

const Node::Asked* Node::find_asked(std::string_view key) const {
    for (const Asked& known : asked)
        if (known.key == key) return &known;
    return nullptr;
}

std::string Node::path_of(std::string_view key) const {
    return path.empty() ? key_text(key) : path + "." + key_text(key);
}

std::string Node::title() const {
    return path.empty() ? "the top level" : "[" + path + "]";
}

std::string kind_name(Kind kind) {
    switch (kind) {
    case Kind::table:
        return "a table";
    case Kind::array:
        return "an array";
    case Kind::integer:
        return "an integer";
    case Kind::number:
        return "a number";
    case Kind::boolean:
        return "true or false";
    case Kind::text:
        return "a text";
    }
    return {};
}

std::string describe(const Node& node) {
    switch (node.kind) {
    case Kind::integer:
        return fmt::format("the integer {}", node.integer);
    case Kind::number:
        return "the number " + float_text(node.number);
    case Kind::boolean:
        return node.boolean ? "true" : "false";
    case Kind::text:
        return "the text " + in_quotes(node.text, longest_echo);
    default:
        return kind_name(node.kind);
    }
}

std::string key_text(std::string_view key) {
    constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
    const auto is_bare_character = [&](char c) {
        return letters.find(c) != std::string_view::npos || (c >= '0' && c <= '9') || c == '-';
    };
    // A key that begins like a number may be bare, too, but is easily mistaken for one.
    const bool is_bare = !key.empty() && letters.find(key.front()) != std::string_view::npos &&
                         std::all_of(key.begin(), key.end(), is_bare_character);
    return is_bare ? std::string(key) : in_quotes(key);
}

} // namespace shadow
