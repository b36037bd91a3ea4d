// SPDX-License-Identifier: BSD-3-Clause
#include "plan.hpp"
#include "reference.hpp"
#include "src/core/parameter_node.hpp"

#include <algorithm>

namespace shadow {
namespace {

using Node = Parameters::Node;

const Descriptor* find(const std::string& kind, const std::string& name) {
    for (const Entry& entry : catalogue()) {
        const auto& also = entry.aliases;
        if (entry.kind == kind && (entry.descriptor.name == name ||
                                   std::find(also.begin(), also.end(), name) != also.end()))
            return &entry.descriptor;
    }
    return nullptr;
}

/// "stage.integrator" is described as "integrator", "stage.until" as "run.until".
std::string described_path(const std::string& path) {
    if (path == "stage.until") return "run.until";
    if (path.starts_with("step_sum.")) return "force." + path.substr(path.find('.') + 1);
    if (!path.starts_with("stage.")) return path;
    const std::string own = path.substr(path.find('.') + 1);
    return std::find(stage_tables.begin(), stage_tables.end(), own) != stage_tables.end() ? own
                                                                                          : path;
}

void ask(const Parameters& table, const Descriptor& about) {
    for (const ParameterInfo& key : about.parameters) (void)table.has(key.name);
}

/// A table with a type accepts the keys of that type, if it exists; a pair also accepts those of
/// its potential.
void ask_by_type(const Parameters& table, const std::string& kind, const Node* outer) {
    const auto type_of = [](const Node& node) {
        for (const char* selector : {"type", "method"})
            if (const auto* entry = node.find(selector)) return entry->value->text;
        return std::string();
    };
    const bool of_pair = kind.starts_with("force.pairs");
    const Node& node = of_pair ? *outer : table.node();
    const Descriptor* type = find(of_pair || kind == "step_sum" ? "force" : kind, type_of(node));
    if (type != nullptr) return ask(table, *type);
    for (const Node::Entry& entry : table.node().entries) (void)table.has(entry.key);
}

void ask_for_described(const Parameters& table, const std::string& path, const Node* outer) {
    const std::string name = described_path(path);
    const Descriptor* about = find("table", name.empty() ? "input" : name);
    if (about == nullptr) return;
    ask(table, *about);
    if (name == "force" || name == "step_sum" || name == "integrator" || name == "observe" ||
        name.starts_with("force.pairs"))
        ask_by_type(table, name, outer);
    for (const Node::Entry& entry : table.node().entries) {
        const std::string inner = path.empty() ? entry.key : path + "." + entry.key;
        std::vector<std::shared_ptr<Node>> below = entry.value->elements;
        below.push_back(entry.value);
        for (const auto& node : below)
            if (node->kind == Node::Kind::table)
                ask_for_described(Parameters(node), inner, &table.node());
    }
}

} // namespace

void refuse_input(const Parameters& root, InputErrors& errors) {
    if (errors.any()) ask_for_described(root, "", nullptr);
    for (const auto& [where, message] : unknown_keys(root.node()))
        if (!errors.has_place(where)) errors.add(where + ": " + message);
    errors.raise();
}

} // namespace shadow
