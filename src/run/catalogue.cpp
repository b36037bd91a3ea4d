// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/run/catalogue.hpp"

#include "shadow/core/backend.hpp"
#include "shadow/core/descriptor.hpp"
#include "shadow/core/error.hpp"
#include "shadow/core/text.hpp"
#include "shadow/forces/registry.hpp"
#include "shadow/integrators/registry.hpp"
#include "shadow/observables/registry.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace shadow {
namespace {

struct Entry {
    std::string kind; ///< the key of the input it is written under
    Descriptor descriptor;
    std::vector<std::string> aliases;
};

const std::vector<std::string> kinds = {"force", "integrator", "observe"};

std::vector<Entry> catalogue() {
    std::vector<Entry> all;
    for (const Descriptor& descriptor : forces()) all.push_back({"force", descriptor, {}});
    for (const IntegratorEntry& entry : integrators())
        all.push_back({"integrator", entry.descriptor, entry.aliases});
    for (const Descriptor& descriptor : observables()) all.push_back({"observe", descriptor, {}});
    return all;
}

/// Breaks `text` into lines of at most 100 columns, each after `indent` spaces.
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

std::string describe_entry(const Entry& entry) {
    constexpr std::size_t indent = 13;
    const Descriptor& d = entry.descriptor;
    std::string out = fmt::format("{} ({})\n  {}", d.name, entry.kind, wrapped(d.summary, 2));
    const auto put = [&](std::string_view label, const std::string& text) {
        if (!text.empty()) out += fmt::format("  {:<11}{}", label, wrapped(text, indent));
    };
    std::string also;
    for (const std::string& alias : entry.aliases) also += (also.empty() ? "" : ", ") + alias;
    put("also", also);
    put("equation", d.equation);
    put("reference", d.reference);
    if (!d.parameters.empty()) out += "  parameters\n";
    std::size_t name = 4, unit = 4, value = 8;
    for (const ParameterInfo& p : d.parameters) {
        name = std::max(name, p.name.size());
        unit = std::max(unit, p.unit.size());
        value = std::max(value, p.default_value.size());
    }
    for (const ParameterInfo& p : d.parameters)
        out += fmt::format("    {:<{}}  {:<{}}  {:<{}}  {}", p.name, name, p.unit, unit,
                           p.default_value.empty() ? "required" : p.default_value, value,
                           wrapped(p.meaning, name + unit + value + 10));
    return out;
}

} // namespace

std::string list_text(const std::string& kind) {
    if (!kind.empty() && std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) {
        const auto near = nearest(kind, kinds);
        throw InputError(fmt::format("--list {}: unknown kind (it must be {}); {}",
                                     quoted(kind, 60), quoted_list(kinds),
                                     near ? fmt::format("did you mean {}?", quoted(*near))
                                          : std::string("choose one, or none for all")));
    }
    std::string out;
    const auto all = catalogue();
    std::size_t width = 0;
    for (const Entry& entry : all) width = std::max(width, entry.descriptor.name.size());
    for (const std::string& k : kinds) {
        if (!kind.empty() && k != kind) continue;
        out += fmt::format("{}{}\n", out.empty() ? "" : "\n", k);
        for (const Entry& entry : all)
            if (entry.kind == k)
                out += fmt::format("  {:<{}}  {}", entry.descriptor.name, width,
                                   wrapped(entry.descriptor.summary, width + 4));
    }
    return out;
}

std::string describe_text(const std::string& name) {
    std::string out;
    std::vector<std::string> names;
    for (const Entry& entry : catalogue()) {
        const auto& aliases = entry.aliases;
        names.push_back(entry.descriptor.name);
        names.insert(names.end(), aliases.begin(), aliases.end());
        if (entry.descriptor.name == name ||
            std::find(aliases.begin(), aliases.end(), name) != aliases.end())
            out += (out.empty() ? "" : "\n") + describe_entry(entry);
    }
    if (!out.empty()) return out;
    const auto near = nearest(name, names);
    throw InputError(fmt::format(
        "--describe {}: unknown name (no force, integrator or observable is called so); {}",
        quoted(name, 60),
        near ? fmt::format("did you mean {}?", quoted(*near)) : std::string("see mdrun --list")));
}

std::string devices_text() {
    std::string sets;
    for (const InstructionSet isa : available_instruction_sets())
        sets += fmt::format("{}{}", sets.empty() ? "" : ", ", shadow::name(isa));
    std::string out =
        fmt::format("cpu      {} threads; instruction sets {}\n", Backend::cpu().threads(), sets);
    const auto gpus = cuda_devices();
    for (std::size_t i = 0; i < gpus.size(); ++i) out += fmt::format("cuda:{:<4}{}\n", i, gpus[i]);
    if (gpus.empty())
        out += fmt::format("cuda     none ({})\n", SHADOW_HAS_CUDA != 0
                                                       ? "no GPU or no driver found"
                                                       : "this build is without CUDA");
    return out + fmt::format("auto     takes {}\n", Backend::named("auto").description());
}

} // namespace shadow
