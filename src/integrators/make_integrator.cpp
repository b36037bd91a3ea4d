// SPDX-License-Identifier: BSD-3-Clause
#include "step_control.hpp"

#include "shadow/core/error.hpp"
#include "shadow/integrators/boosted.hpp"
#include "shadow/integrators/registry.hpp"
#include "shadow/system/velocities.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace shadow {
namespace {

/// Null: the method has no such key.
const ParameterInfo* described(const IntegratorEntry& entry, std::string_view key) {
    for (const ParameterInfo& info : entry.descriptor.parameters)
        if (info.name == key) return &info;
    return nullptr;
}

bool reads(const IntegratorEntry& entry, std::string_view key) {
    return described(entry, key) != nullptr;
}

/// Does the method need this key, or does the input give it? One with a default may be absent.
bool is_given(const Parameters& params, const IntegratorEntry& entry, std::string_view key) {
    const ParameterInfo* const info = described(entry, key);
    return info && (info->required() || params.has(key));
}

void require_range(const Parameters& params, const IntegratorEntry& entry, std::string_view key,
                   bool zero_allowed, double value) {
    if (value > 0.0 || (zero_allowed && value == 0.0)) return;
    params.fail(key, fmt::format("{} = {} is out of range (the method {} needs {} {}); give such a "
                                 "number",
                                 key, value, entry.descriptor.name, key,
                                 zero_allowed ? "not below zero" : "above zero"));
}

/// The mass of a bath is given directly or by its period.
void require_mass_or_period(const Parameters& params, const IntegratorEntry& entry) {
    const bool has_mass = params.has("mass");
    if (has_mass != params.has("period")) return;
    params.fail("mass",
                fmt::format("{} for {} (each determines the mass of the bath); give one of them",
                            has_mass ? "both mass and period" : "neither mass nor period",
                            entry.descriptor.name));
}

/// A number above zero; 0 where it is absent.
double read(const Parameters& params, const IntegratorEntry& entry, std::string_view key) {
    if (!is_given(params, entry, key)) return 0.0;
    const double value = params.number(key);
    require_range(params, entry, key, false, value);
    return value;
}

/// Numbers above zero, each for a species by its name; none where one number applies to all.
std::vector<OfSpecies> read_by_species(const Parameters& params, const IntegratorEntry& entry,
                                       std::string_view key) {
    const ParameterInfo* const info = described(entry, key);
    if (!info || !includes(info->type, KeyType::table) || !params.is_table(key)) return {};
    std::vector<OfSpecies> each;
    const Parameters table = params.table(key);
    for (const std::string& name : table.names()) {
        each.push_back({name, table.number(name)});
        require_range(table, entry, name, false, each.back().value);
    }
    if (each.empty())
        params.fail(key, fmt::format("{} by species of none (the bath would do nothing); give that "
                                     "of each species, or one number",
                                     key));
    if (each.size() > max_species_chains)
        params.fail(key, fmt::format("{} of {} species (at most {} have a bath of their own); give "
                                     "one number, or take friction by species with baoab",
                                     key, each.size(), max_species_chains));
    return each;
}

/// The same for a number or for every value of a table of steps and values, where the method
/// accepts one; zero only where `zero_allowed`.
Ramp read_ramp(const Parameters& params, const IntegratorEntry& entry, std::string_view key,
               bool zero_allowed) {
    if (!is_given(params, entry, key)) return {};
    const auto check = [&](double value) {
        require_range(params, entry, key, zero_allowed, value);
        if (key == "temperature" && !(value < highest_temperature))
            params.fail(key, fmt::format("temperature {} (numbers overflow where particles are so "
                                         "fast); give less than {}",
                                         value, highest_temperature));
    };
    if (includes(described(entry, key)->type, KeyType::rows)) return Ramp::read(params, key, check);
    const double value = params.number(key);
    check(value);
    return value;
}

/// `friction`: a number or a ramp, or one of these for each species by its name.
Friction read_friction(const Parameters& params, const IntegratorEntry& entry) {
    const bool of_word = entry.descriptor.name == "splitting";
    const std::vector<ParameterInfo>& keys = entry.descriptor.parameters;
    const bool by_species = std::any_of(keys.begin(), keys.end(), [](const ParameterInfo& info) {
        return info.name == "friction" &&
               info.type == (KeyType::number | KeyType::rows | KeyType::table);
    });
    if (!by_species || !params.is_table("friction"))
        return read_ramp(params, entry, "friction", of_word);
    const Parameters table = params.table("friction");
    std::vector<Friction::OfSpecies> rates;
    for (const std::string& name : table.names())
        rates.push_back({name, Ramp::read(table, name, [&](double value) {
                             require_range(table, entry, name, true, value);
                         })});
    Friction friction(std::move(rates));
    if (friction.is_zero())
        params.fail("friction", "friction by species without one that has any (the bath would do "
                                "nothing); give a number above zero to one of them");
    return friction;
}

/// `inner`: one number, or one for each level but the last.
std::vector<int> read_inner(const Parameters& params, const IntegratorEntry& entry, int levels) {
    const bool of_word = entry.descriptor.name == "splitting",
               of_light_atoms = reads(entry, "light_mass");
    const std::vector<std::int64_t> given = of_word ? std::vector{params.integer("inner", 1)}
                                            : of_light_atoms ? std::vector{params.integer("inner")}
                                                             : params.integer_or_integers("inner");
    for (const std::int64_t inner : given)
        if (inner < 1 || inner > 1000)
            params.fail("inner", fmt::format("inner = {} is out of range (it counts the fast steps "
                                             "in one step); give a number from 1 to 1000",
                                             inner));
    const std::size_t wanted = of_word || of_light_atoms ? 1 : static_cast<std::size_t>(levels) - 1;
    if (wanted == 0 && !given.empty())
        params.fail("inner", "inner for one level of forces (it counts the steps of a faster "
                             "level, and there is none); write levels = [\"fast\", \"slow\"] and "
                             "give forces their level, or use a method without levels");
    if (given.size() != wanted)
        params.fail("inner",
                    fmt::format("inner has {} number{} (there are {} levels of forces, and each "
                                "but the slowest has its steps in one of the next); give {}",
                                given.size(), given.size() == 1 ? "" : "s", levels, wanted));
    return {given.begin(), given.end()};
}

/// `chain`: the number of thermostats.
int read_chain(const Parameters& params, const IntegratorEntry& entry) {
    const std::string& usual = described(entry, "chain")->default_value;
    const std::int64_t length = params.integer("chain", std::stoi(usual));
    if (length < 1 || length > max_chain)
        params.fail("chain",
                    fmt::format("chain = {} is out of range (the number of thermostats, each of "
                                "which acts on the one before); give a number from 1 to {}",
                                length, max_chain));
    return static_cast<int>(length);
}

/// `order`: of a composition of steps of second order.
int read_order(const Parameters& params) {
    const std::int64_t order = params.integer("order", 2);
    if (order != 2 && order != 4 && order != 6 && order != 8)
        params.fail("order", fmt::format("order = {} (compositions have order 4, 6 or 8, and a "
                                         "single step has order 2); give one of these",
                                         order));
    return static_cast<int>(order);
}

/// `theta`: the point of a step at which implicit forces are evaluated.
double read_theta(const Parameters& params) {
    const double theta = params.number("theta", MethodSettings{}.theta);
    if (!(theta >= 0.5 && theta <= 1.0))
        params.fail(
            "theta",
            fmt::format(
                "theta = {} is out of range (below 0.5 implicit forces are unstable, and above 1 "
                "they would be evaluated beyond the end of the step); give a number from 0.5 to 1",
                theta));
    return theta;
}

Descent read_descent(const Parameters& params) {
    const Descent usual;
    return {params.positive("force_tolerance", usual.force_tolerance),
            params.positive("dt", 0.01) * 10.0,
            params.positive("longest_move", usual.longest_move)};
}

/// Checks the keys of a word of the input: a bath needs a temperature and a friction, friction its
/// rate, and keys that the word does not use are refused.
void check_use(const Parameters& params, const MethodSettings& settings) {
    const Word flows = parse_word(settings.word, settings.inner.front(), settings.levels);
    const bool bath = has_flow(flows, FlowKind::bath), damped = is_damped(flows),
               of_pairs = has_pair_bath(flows);
    if (of_pairs && !params.has("radius"))
        params.fail("word", "a word with a bath of pairs (Q or L) but no radius (it acts between "
                            "pairs closer than that); give radius");
    if (!of_pairs && params.has("radius"))
        params.fail("radius", "radius for a word without a bath of pairs (nothing would use it); "
                              "remove it, or write Q or L into the word");
    if (damped && !params.has("friction"))
        params.fail("word", "a word with friction (D, X, Y, K or R) but no friction (the rate that "
                            "determines its strength); give friction");
    for (const char* key : {"temperature", "friction"}) {
        if (damped && std::string_view(key) == "friction") continue;
        if (bath && !params.has(key))
            params.fail("word",
                        fmt::format("a word with a bath (O, P, C, Q or L) but no {} (its noise has "
                                    "a temperature, and friction determines its strength); give {}",
                                    key, key));
        if (!bath && params.has(key))
            params.fail(key, fmt::format("{} for a word without a bath (nothing would use it); "
                                         "remove it, or add O to the word",
                                         key));
    }
    const bool collides = std::any_of(flows.begin(), flows.end(), [](const Flow& flow) {
        return flow.bath == BathKind::collisions;
    });
    if (settings.friction.is_by_species() && (of_pairs || collides))
        params.fail("friction", "friction by species for a word with C, Q or L (it is their rate, "
                                "of collisions or of pairs); give one number, or use O or P");
    if (params.has("mollifier") && settings.word.find('M') == std::string::npos)
        params.fail("mollifier", "mollifier for a word without mollified kicks M (nothing would "
                                 "use it); remove it, or write M for the slow kicks S");
    if (params.has("inner") && settings.word.find("^n") == std::string::npos)
        params.fail("inner", "inner for a word without ^n (nothing would be repeated); remove it, "
                             "or write (...)^n in the word");
    if ((bath || damped) && settings.friction.is_zero())
        params.fail("friction", "friction = 0 for a word with a bath (it would do nothing); give a "
                                "number above zero, or a word without O, P, C, Q, L, D, X, Y, K "
                                "and R");
}

} // namespace

std::unique_ptr<Integrator> make_integrator(const Parameters& params,
                                            const MethodContext& context) {
    std::vector<std::string> names;
    for (const IntegratorEntry& entry : integrators()) {
        names.push_back(entry.descriptor.name);
        names.insert(names.end(), entry.aliases.begin(), entry.aliases.end());
    }
    const IntegratorEntry& entry = *find_integrator(params.choice("method", names));

    MethodSettings settings;
    if (reads(entry, "force_tolerance")) settings.descent = read_descent(params);
    settings.dt = read(params, entry, "dt");
    settings.levels = context.levels;
    // A bath without noise is plain damping; the extended Hamiltonians are singular at kT = 0.
    const bool extended = reads(entry, "mass") || reads(entry, "period");
    settings.kT = read_ramp(params, entry, "temperature", !extended) * context.boltzmann;
    settings.friction = read_friction(params, entry);
    if (reads(entry, "rate")) settings.friction = read_ramp(params, entry, "rate", false);
    if (reads(entry, "together")) settings.together = params.boolean("together", false);
    settings.radius = read(params, entry, "radius");
    if (reads(entry, "mass")) require_mass_or_period(params, entry);
    settings.mass = read(params, entry, "mass");
    settings.periods = read_by_species(params, entry, "period");
    if (settings.periods.empty()) settings.period = read(params, entry, "period");
    settings.times = read_by_species(params, entry, "time");
    if (settings.times.empty()) settings.time = read_ramp(params, entry, "time", false);
    if (entry.descriptor.name == "berendsen" && settings.time.least() < settings.dt)
        params.fail("time", fmt::format("time = {} is less than a step, {} (the temperature would "
                                        "be corrected in one step); give at least some steps",
                                        settings.time.least(), settings.dt));
    if (reads(entry, "chain")) settings.chain = read_chain(params, entry);
    if (reads(entry, "order")) settings.order = read_order(params);
    if (reads(entry, "inner")) settings.inner = read_inner(params, entry, context.levels);
    if (reads(entry, "mollifier"))
        settings.mollifier = params.choice("mollifier", mollifier_names(), settings.mollifier);
    settings.light_mass = read(params, entry, "light_mass");
    if (reads(entry, "objective"))
        settings.steps = read_step_control(params, entry.descriptor, settings.dt);
    if (reads(entry, "least_slope")) settings.density = read_density(params);
    if (reads(entry, "theta")) settings.theta = read_theta(params);
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
