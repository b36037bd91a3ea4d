// SPDX-License-Identifier: BSD-3-Clause
#include "src/core/parameter_node.hpp"

#include "shadow/core/parameters.hpp"
#include "shadow/core/text.hpp"

namespace shadow {
namespace {

using Node = Parameters::Node;
using Kind = Node::Kind;

bool is_array_of_tables(const Node& node) {
    if (node.kind != Kind::array || node.elements.empty()) return false;
    for (const auto& element : node.elements)
        if (element->kind != Kind::table) return false;
    return true;
}

/// An absent table of which no default was used is left out.
bool is_silent(const Node& node) {
    if (node.kind != Kind::table || node.present) return false;
    for (const Node::Entry& entry : node.defaults)
        if (!is_silent(*entry.value)) return false;
    return true;
}

std::vector<Node::Entry> all_entries(const Node& table) {
    std::vector<Node::Entry> entries = table.entries;
    for (const Node::Entry& entry : table.defaults)
        if (!is_silent(*entry.value)) entries.push_back(entry);
    return entries;
}

std::string inline_text(const Node& node) {
    switch (node.kind) {
    case Kind::integer:
        return std::to_string(node.integer);
    case Kind::number:
        return float_text(node.number);
    case Kind::boolean:
        return node.boolean ? "true" : "false";
    case Kind::text:
        return in_quotes(node.text);
    case Kind::array: {
        std::string text;
        for (const auto& element : node.elements)
            text += (text.empty() ? "" : ", ") + inline_text(*element);
        return "[" + text + "]";
    }
    case Kind::table: {
        std::string text;
        for (const Node::Entry& entry : all_entries(node))
            text += (text.empty() ? " " : ", ") + key_text(entry.key) + " = " +
                    inline_text(*entry.value);
        return "{" + text + " }";
    }
    }
    return {};
}

/// Plain values first: what follows a [header] belongs to that header.
void write_table(const Node& table, const std::string& path, std::string& out) {
    const auto entries = all_entries(table);
    for (const Node::Entry& entry : entries)
        if (entry.value->kind != Kind::table && !is_array_of_tables(*entry.value))
            out += key_text(entry.key) + " = " + inline_text(*entry.value) + "\n";
    for (const Node::Entry& entry : entries) {
        const std::string name = (path.empty() ? "" : path + ".") + key_text(entry.key);
        if (entry.value->kind == Kind::table) {
            out += "\n[" + name + "]\n";
            write_table(*entry.value, name, out);
        } else if (is_array_of_tables(*entry.value)) {
            for (const auto& element : entry.value->elements) {
                out += "\n[[" + name + "]]\n";
                write_table(*element, name, out);
            }
        }
    }
}

} // namespace

std::string Parameters::resolved() const {
    std::string out;
    write_table(*node_, "", out);
    if (!out.empty() && out.front() == '\n') out.erase(0, 1);
    return out;
}

} // namespace shadow
