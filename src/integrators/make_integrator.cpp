// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/core/error.hpp"
#include "shadow/integrators/registry.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace shadow {
namespace {

bool reads(const IntegratorEntry& entry, std::string_view key) {
    const std::vector<ParameterInfo>& keys = entry.descriptor.parameters;
    return std::any_of(keys.begin(), keys.end(),
                       [&](const ParameterInfo& info) { return info.name == key; });
}

/// A number above zero, or where `zero_allowed` not below; a key with a default may be absent.
double read(const Parameters& params, const IntegratorEntry& entry, std::string_view key,
            bool zero_allowed) {
    const std::vector<ParameterInfo>& keys = entry.descriptor.parameters;
    const auto info = std::find_if(keys.begin(), keys.end(),
                                   [&](const ParameterInfo& known) { return known.name == key; });
    if (info == keys.end() || (!info->default_value.empty() && !params.has(key))) return 0.0;
    const double value = params.number(key);
    if (value > 0.0 || (zero_allowed && value == 0.0)) return value;
    params.fail(key, fmt::format("{} = {} is out of range (the method {} needs {} {}); give such a "
                                 "number",
                                 key, value, entry.descriptor.name, key,
                                 zero_allowed ? "not below zero" : "above zero"));
}

/// Of a word of the input: a bath O needs to know which, and nothing else has a use for it.
void check_use(const Parameters& params, const MethodSettings& settings) {
    const bool bath = has_flow(parse_word(settings.word, settings.inner), FlowKind::bath);
    for (const char* key : {"temperature", "friction"}) {
        if (bath && !params.has(key))
            params.fail("word", fmt::format("a word with the bath O but no {} (its noise has a "
                                            "temperature, and friction says how strong it is); "
                                            "give {}",
                                            key, key));
        if (!bath && params.has(key))
            params.fail(key, fmt::format("{} for a word without the bath O (nothing would use it); "
                                         "remove it, or add O to the word",
                                         key));
    }
    if (params.has("inner") && settings.word.find("^n") == std::string::npos)
        params.fail("inner", "inner for a word without ^n (nothing would be repeated); remove it, "
                             "or write (...)^n in the word");
    if (bath && settings.friction == 0.0)
        params.fail("friction", "friction = 0 for a word with the bath O (it would do nothing); "
                                "give a number above zero, or a word without O");
}

} // namespace

std::unique_ptr<Integrator> make_integrator(const Parameters& params,
                                            const MethodContext& context) {
    std::vector<std::string> names{minimizer().name};
    for (const IntegratorEntry& entry : integrators()) {
        names.push_back(entry.descriptor.name);
        names.insert(names.end(), entry.aliases.begin(), entry.aliases.end());
    }
    const IntegratorEntry& entry = *find_integrator(params.choice("method", names));

    MethodSettings settings;
    settings.dt = read(params, entry, "dt", false);
    // A bath without noise is plain damping; the extended Hamiltonians are singular at kT = 0.
    const bool has_bath_mass = reads(entry, "mass");
    settings.kT = context.boltzmann * read(params, entry, "temperature", !has_bath_mass);
    settings.friction = read(params, entry, "friction", entry.descriptor.name == "splitting");
    settings.mass = read(params, entry, "mass", false);
    if (reads(entry, "inner")) {
        const bool required = entry.descriptor.name != "splitting";
        const std::int64_t inner = required ? params.integer("inner") : params.integer("inner", 1);
        if (inner < 1 || inner > 1000) {
            params.fail("inner", fmt::format("inner = {} is out of range (it counts the fast steps "
                                             "in one step); give a number from 1 to 1000",
                                             inner));
        }
        settings.inner = static_cast<int>(inner);
    }
    if (!reads(entry, "word")) return entry.make(settings);
    settings.word = params.text("word");
    std::unique_ptr<Integrator> made;
    try {
        made = entry.make(settings);
    } catch (const InputError& error) {
        params.fail("word", error.what());
    }
    check_use(params, settings);
    return made;
}

} // namespace shadow
