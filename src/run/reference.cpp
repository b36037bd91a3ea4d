// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include "plan.hpp"

#include "shadow/core/text.hpp"
#include "shadow/forces/registry.hpp"
#include "shadow/integrators/boosted.hpp"
#include "shadow/integrators/isobaric.hpp"
#include "shadow/integrators/registry.hpp"
#include "shadow/integrators/sheared.hpp"
#include "shadow/observables/registry.hpp"
#include "shadow/system/setup.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace shadow {
namespace {

std::vector<Entry> all_entries() {
    std::vector<Entry> all;
    const auto add = [&all](const std::string& kind, const std::vector<Descriptor>& some) {
        for (const Descriptor& d : some) all.push_back({kind, d, {}});
    };
    const std::vector<Descriptor>& run = run_tables();
    add("table", {run.front()});
    add("table", system_tables());
    add("table", force_tables());
    add("table", {integrator_table(), barostat_table(), shear_table(), boost_table()});
    add("table", {run.begin() + 1, run.end()});
    add("table", {observe_table()});
    add("force", forces());
    for (const IntegratorEntry& entry : integrators())
        all.push_back({"integrator", entry.descriptor, entry.aliases});
    add("observe", observables());
    return all;
}

std::string joined(const std::vector<std::string>& words) {
    std::string all;
    for (const std::string& word : words) all += (all.empty() ? "" : ", ") + word;
    return all;
}

/// "number (length)", "\"lj\" or \"akma\"".
std::string type_text(const ParameterInfo& key) {
    std::string text = name(key.type);
    if (!key.words.empty()) {
        const auto rest = static_cast<unsigned>(key.type) & ~static_cast<unsigned>(KeyType::text);
        text = quoted_list(key.words);
        if (rest != 0) text += " or " + name(static_cast<KeyType>(rest));
    }
    return key.unit.empty() ? text : fmt::format("{} ({})", text, key.unit);
}

/// The text as a cell of a table.
std::string cell(std::string text) {
    for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
        text.insert(at, "\\");
    return text;
}

/// Is it a value rather than a description in words?
bool is_value(const std::string& text) {
    return !text.empty() &&
           (std::string_view("\"[{-0123456789").find(text[0]) != std::string::npos ||
            text == "true" || text == "false" || text == "inf");
}

std::string default_text(const ParameterInfo& key) {
    if (key.required()) return "required";
    return (key.default_value.starts_with("required") ? "" : "default ") + key.default_value;
}

std::string default_cell(const ParameterInfo& key) {
    if (is_value(key.default_value)) return fmt::format("`{}`", key.default_value);
    return key.required() ? "required" : key.default_value;
}

/// Is the key also in the table of the kind of this entry, with the same default and meaning?
bool is_common(const Entry& entry, const ParameterInfo& key) {
    for (const Entry& table : catalogue())
        if (table.kind == "table" && table.descriptor.name == entry.kind)
            return std::any_of(table.descriptor.parameters.begin(),
                               table.descriptor.parameters.end(), [&](const ParameterInfo& other) {
                                   return other.name == key.name &&
                                          other.default_value == key.default_value &&
                                          other.meaning == key.meaning;
                               });
    return false;
}

} // namespace

const std::vector<std::string>& catalogue_kinds() {
    static const std::vector<std::string> kinds = {"table", "force", "integrator", "observe"};
    return kinds;
}

const std::vector<Entry>& catalogue() {
    static const std::vector<Entry> all = all_entries();
    return all;
}

std::string wrapped(const std::string& text, std::size_t indent) {
    constexpr std::size_t columns = 100;
    std::string out, line;
    const auto flush = [&] {
        if (!line.empty()) out += std::string(out.empty() ? 0 : indent, ' ') + line + "\n";
        line.clear();
    };
    for (std::size_t i = 0; i <= text.size();) {
        const std::size_t end = std::min(text.find_first_of(" \n", i), text.size());
        const std::string word = text.substr(i, end - i);
        if (!line.empty() && indent + line.size() + 1 + word.size() > columns) flush();
        if (!word.empty()) line += (line.empty() ? "" : " ") + word;
        if (end < text.size() && text[end] == '\n') flush();
        i = end + 1;
    }
    flush();
    return out.empty() ? "\n" : out;
}

std::string example_of(const ParameterInfo& key) {
    return key.example.empty() ? key.default_value : key.example;
}

std::string described(const Entry& entry) {
    constexpr std::size_t indent = 13;
    const Descriptor& d = entry.descriptor;
    std::string out = fmt::format("{} ({})\n  {}", d.name, entry.kind, wrapped(d.summary, 2));
    const auto put = [&](std::string_view label, const std::string& text) {
        if (!text.empty()) out += fmt::format("  {:<11}{}", label, wrapped(text, indent));
    };
    put("also", joined(entry.aliases));
    put("equation", d.equation);
    put("reference", d.reference);
    out += "  keys\n";
    for (const ParameterInfo& key : d.parameters)
        out += fmt::format(
            "    {} = {}\n        {}", key.name, example_of(key),
            wrapped(fmt::format("{}, {}: {}", type_text(key), default_text(key), key.meaning), 8));
    return out;
}

std::string markdown(const Entry& entry) {
    const Descriptor& d = entry.descriptor;
    std::string out = fmt::format("### {}\n\n{}.\n", d.name, d.summary);
    if (!entry.aliases.empty()) out += fmt::format("Also called {}.\n", joined(entry.aliases));
    if (!d.equation.empty()) out += fmt::format("`{}`", d.equation);
    if (!d.reference.empty()) out += fmt::format(" ({})", d.reference);
    if (!d.equation.empty() || !d.reference.empty()) out += "\n";
    std::string rows;
    std::vector<std::string> common;
    for (const ParameterInfo& key : d.parameters)
        if (is_common(entry, key))
            common.push_back("`" + key.name + "`");
        else
            rows += fmt::format("| `{}` | {} | {} | {} | `{}` |\n", key.name, cell(type_text(key)),
                                cell(default_cell(key)), cell(key.meaning), cell(example_of(key)));
    if (!rows.empty())
        out += "\n| key | type | default | meaning | example |\n| --- | --- | --- | --- | --- |\n" +
               rows;
    if (!common.empty()) out += fmt::format("\nAs every {}: {}.\n", entry.kind, joined(common));
    return out;
}

std::string reference_page() {
    std::string out =
        "<!-- Made by mdrun --describe all --markdown; the text of each key is next to the code "
        "that\n     reads each key. -->\n\n# The keys of an input\n\nAn input is TOML. A key that "
        "is not used is an error. Quantities are in the units of\n`system.units`. The table "
        "`system.box` is written as `[system.box]`, or as `box = { ... }`\nin `[system]`; of "
        "`species`, `force`, `observe` and `stage` there may be several, each under\n`[[force]]`. "
        "`mdrun --describe NAME` prints a section, `mdrun INPUT.toml --check` an input\nwith all "
        "its defaults.\n";
    const char* const titles[] = {"Tables", "Forces", "Integrators", "Observables"};
    for (std::size_t k = 0; k < catalogue_kinds().size(); ++k) {
        out += fmt::format("\n## {}\n", titles[k]);
        for (const Entry& entry : catalogue())
            if (entry.kind == catalogue_kinds()[k]) out += "\n" + markdown(entry);
    }
    return out;
}

} // namespace shadow
