// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/run/catalogue.hpp"

#include "reference.hpp"

#include "shadow/core/backend.hpp"
#include "shadow/core/error.hpp"
#include "shadow/core/gpus.hpp"
#include "shadow/core/text.hpp"

#include "kernels/cuda/runtime.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace shadow {
namespace {

bool is_called(const Entry& entry, const std::string& name) {
    const auto& aliases = entry.aliases;
    const std::string& own = entry.descriptor.name; // a table is also known by the end of its path
    return own == name || (entry.kind == "table" && own.ends_with("." + name)) ||
           std::find(aliases.begin(), aliases.end(), name) != aliases.end();
}

} // namespace

std::string list_text(const std::string& kind) {
    const auto& kinds = catalogue_kinds();
    const bool all = kind.empty() || kind == "all";
    if (!all && std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) {
        const auto near = nearest(kind, kinds);
        throw InputError(fmt::format("--list {}: unknown kind (it must be {}); {}",
                                     in_quotes(kind, 60), quoted_list(kinds),
                                     near ? fmt::format("did you mean {}?", in_quotes(*near))
                                          : std::string("choose one, or all")));
    }
    std::string out;
    std::size_t width = 0;
    for (const Entry& entry : catalogue()) width = std::max(width, entry.descriptor.name.size());
    for (const std::string& k : kinds) {
        if (!all && k != kind) continue;
        out += fmt::format("{}{}\n", out.empty() ? "" : "\n", k);
        for (const Entry& entry : catalogue())
            if (entry.kind == k)
                out += fmt::format("  {:<{}}  {}", entry.descriptor.name, width,
                                   wrapped(entry.descriptor.summary, width + 4));
    }
    return out;
}

std::string describe_text(const std::string& name, bool as_markdown) {
    if (name == "all" && as_markdown) return reference_page();
    std::string out;
    std::vector<std::string> names;
    for (const Entry& entry : catalogue()) {
        const std::string& own = entry.descriptor.name;
        names.push_back(own);
        if (own.find('.') != std::string::npos) names.push_back(own.substr(own.rfind('.') + 1));
        names.insert(names.end(), entry.aliases.begin(), entry.aliases.end());
        if (name == "all" || is_called(entry, name))
            out += (out.empty() ? "" : "\n") + (as_markdown ? markdown(entry) : described(entry));
    }
    if (!out.empty()) return out;
    const auto near = nearest(name, names);
    throw InputError(fmt::format(
        "--describe {}: unknown name (no table, force, integrator or observable is called so); {}",
        in_quotes(name, 60),
        near ? fmt::format("did you mean {}?", in_quotes(*near))
             : std::string("see mdrun --list")));
}

std::string devices_text() {
    std::string sets;
    for (const InstructionSet isa : available_instruction_sets())
        sets += fmt::format("{}{}", sets.empty() ? "" : ", ", shadow::name(isa));
    std::string out =
        fmt::format("cpu      {} threads; instruction sets {}\n", Backend::cpu().threads(), sets);
    const Gpus gpus = find_gpus();
    for (std::size_t i = 0; i < gpus.all.size(); ++i) {
        const Gpu& gpu = gpus.all[i];
        out += fmt::format(
            "cuda:{:<4}{}{}\n", i, gpu.name,
            gpu.unusable.empty() ? "" : fmt::format(", cannot be used ({})", gpu.unusable));
    }
    if (gpus.all.empty()) {
        const std::string none = !cuda::is_built()      ? "this build is without CUDA"
                                 : gpus.problem.empty() ? "no GPU or no driver found"
                                                        : gpus.problem;
        out += fmt::format("cuda     none ({})\n", none);
    }
    return out + fmt::format("auto     takes {}\n", Backend::named("auto").description());
}

} // namespace shadow
