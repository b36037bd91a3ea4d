// SPDX-License-Identifier: BSD-3-Clause
#include "src/io/overrides.hpp"

#include "shadow/core/error.hpp"
#include "shadow/core/text.hpp"

#include <charconv>
#include <fmt/format.h>
#include <optional>

namespace shadow {
namespace {

using Node = Parameters::Node;
using Kind = Node::Kind;

constexpr std::size_t max_parts = 32;

[[noreturn]] void malformed(const std::string& item, std::string_view why) {
    throw InputError(fmt::format("--set {}: not an override ({}); write --set "
                                 "integrator.dt=0.002 or --set force[0].cutoff=3",
                                 in_quotes(item, 80), why));
}

/// Splits "force[0].cutoff" or "force.0.cutoff" into its parts; quotes allow any characters in a
/// part.
std::vector<std::string> split_path(const std::string& item, std::size_t& end) {
    std::vector<std::string> parts;
    std::string part;
    bool closed = false; // the part ended with a quote or a bracket
    std::size_t i = 0;
    const auto finish = [&] {
        if (part.empty() && !closed) malformed(item, "a part of the key is empty");
        if (!part.empty()) parts.push_back(part);
        part.clear();
        closed = false;
    };
    for (; i < item.size() && item[i] != '='; ++i) {
        const char c = item[i];
        if (c == '.') {
            finish();
        } else if (c == '"' || c == '[') {
            const char close = c == '"' ? '"' : ']';
            const std::size_t stop = item.find(close, i + 1);
            if (stop == std::string::npos) malformed(item, fmt::format("no {} follows", close));
            if (!part.empty()) parts.push_back(part);
            part.clear();
            parts.push_back(item.substr(i + 1, stop - i - 1));
            if (c == '[' && parts.back().find_first_not_of("0123456789") != std::string::npos)
                malformed(item, "a number must stand in the brackets");
            if (parts.back().empty()) malformed(item, "a part of the key is empty");
            closed = true;
            i = stop;
        } else if (closed || c == ' ' || c == '\t' || c == '\n') {
            malformed(item, "the key has a character that does not belong there");
        } else {
            part += c;
        }
    }
    if (i == item.size()) malformed(item, "it has no =");
    finish();
    if (parts.size() > max_parts) malformed(item, "the key has too many parts");
    end = i;
    return parts;
}

std::optional<std::size_t> as_index(const std::string& part) {
    std::size_t index = 0;
    const char* stop = part.data() + part.size();
    const auto [end, error] = std::from_chars(part.data(), stop, index);
    if (error != std::errc() || end != stop) return std::nullopt;
    return index;
}

std::shared_ptr<Node> new_table(const std::string& where, const std::string& path) {
    auto node = std::make_shared<Node>();
    node->where = where;
    node->path = path;
    return node;
}

/// The pointer to the value called `part` in a table or an array; created if absent.
std::shared_ptr<Node>& slot(Node& node, const std::string& part, const std::string& where) {
    if (node.kind == Kind::table) {
        for (Node::Entry& entry : node.entries)
            if (entry.key == part) return entry.value;
        node.entries.push_back({part, where, nullptr});
        return node.entries.back().value;
    }
    const auto index = as_index(part);
    if (node.kind != Kind::array || !index)
        throw InputError(
            fmt::format("{}: {} is {} (it has no key {}); {}", where, node.path, describe(node),
                        in_quotes(part, 60),
                        node.kind == Kind::array
                            ? fmt::format("number its elements from 0, as in {}[0]", node.path)
                            : std::string("set the whole value, or another key")));
    if (*index > node.elements.size())
        throw InputError(fmt::format("{}: {} has no element {} (it has {}, counted from 0); use a "
                                     "number up to {}",
                                     where, node.path, *index, node.elements.size(),
                                     node.elements.size()));
    if (*index == node.elements.size()) node.elements.emplace_back();
    return node.elements[*index];
}

} // namespace

void relocate(Node& node, const std::string& where, const std::string& path) {
    node.where = where;
    node.path = path;
    for (Node::Entry& entry : node.entries) {
        entry.where = where;
        relocate(*entry.value, where, node.path_of(entry.key));
    }
    for (std::size_t i = 0; i < node.elements.size(); ++i)
        relocate(*node.elements[i], where, fmt::format("{}[{}]", path, i));
}

void apply_override(Node& root, const std::string& item) {
    if (!is_utf8(item)) malformed("...", "it is not UTF-8");
    std::size_t equals = 0;
    const auto parts = split_path(item, equals);
    const std::size_t first = item.find_first_not_of(" \t", equals + 1);
    if (first == std::string::npos) malformed(item, "it has no value");
    const std::string where = "--set " + item.substr(0, equals);
    Node* node = &root;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::string path = node->kind == Kind::array
                                     ? fmt::format("{}[{}]", node->path, parts[i])
                                     : node->path_of(parts[i]);
        std::shared_ptr<Node>& next = slot(*node, parts[i], where);
        if (i + 1 == parts.size()) {
            next = parse_override_value(item.substr(first), where, path);
            // Messages point at the key, which now comes from the command line.
            for (Node::Entry& entry : node->entries)
                if (entry.key == parts[i]) entry.where = where;
            return;
        }
        if (next == nullptr) {
            next = new_table(where, path);
            if (as_index(parts[i + 1])) next->kind = Kind::array;
        }
        node = next.get();
    }
}

} // namespace shadow
