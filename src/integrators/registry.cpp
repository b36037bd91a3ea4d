// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/registry.hpp"

#include "nose_entries.hpp"
#include "step_control.hpp"

#include "shadow/integrators/brownian.hpp"
#include "shadow/integrators/fire.hpp"
#include "shadow/integrators/momentum_rescaling.hpp"
#include "shadow/integrators/nose_hoover.hpp"
#include "shadow/integrators/nose_hoover_langevin.hpp"
#include "shadow/integrators/nose_poincare.hpp"
#include "shadow/integrators/processed.hpp"
#include "shadow/integrators/reversible_averaging.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace shadow {
namespace {

using enum KeyType;

const ParameterInfo dt = {"dt", number, "time", "", "the time step", "0.005"};
const ParameterInfo temperature = {
    "temperature",
    number | rows,
    "temperature",
    "",
    "of the bath; or rows [step of the stage, value], linear in between",
    "[[0, 1.5], [10_000, 0.7]]"};
const ParameterInfo friction = {"friction",
                                number | rows | table,
                                "1/time",
                                "",
                                "rate at which momenta decorrelate; or rows [step, value]; or "
                                "either of these for each species by name, { A = 1.0, B = 0.2 }",
                                "0.5"};
const ParameterInfo damping = {"friction",
                               number | rows | table,
                               "1/time",
                               "",
                               "rate at which momenta decay; or rows [step, value]; or either of "
                               "these for each species by name",
                               "0.5"};
const ParameterInfo drag = {"friction",
                            number | rows,
                            "1/time",
                            "",
                            "force over mass and velocity: a free particle diffuses with kT/(mass "
                            "friction); or rows [step, value]",
                            "100.0"};
const ParameterInfo rate = {"rate",
                            number | rows,
                            "1/time",
                            "",
                            "of collisions of each particle with the bath; or rows [step, value]",
                            "0.5"};
const ParameterInfo pair_friction = {
    "friction",
    number | rows,
    "1/time",
    "",
    "between two particles at distance zero, over the mass of one: Groot and Warren's gamma/m, for "
    "unlike masses over twice the reduced mass; or rows [step, value]",
    "4.5"};
const ParameterInfo pair_rate = {
    "rate",
    number | rows,
    "1/time",
    "",
    "at which each pair within the radius gets a new relative velocity; or rows [step, value]",
    "0.5"};
const ParameterInfo radius = {
    "radius", number, "length", "", "pairs closer than this are coupled to the bath", "1.0"};
const ParameterInfo together = {
    "together", boolean, "", "false", "all particles collide at the same time", "true"};
const ParameterInfo period = {
    "period",
    number | table,
    "time",
    "",
    "of the oscillations of the temperature: Q = 2 f kT (t / 2 pi)^2 for f degrees of freedom, "
    "without f for the other thermostats of the chain; about the period of the particles, 0.3 in a "
    "liquid; or one for each species, which then has a chain of its own, { A = 0.3, B = 1.0 }",
    "0.3"};
const ParameterInfo bath_period = {
    "period",
    number,
    "time",
    "",
    "of the oscillations of the temperature without friction: Q = 2 f kT (t / 2 pi)^2 for f "
    "degrees of freedom; about the period of the particles, 0.3 in a liquid",
    "0.3"};
const ParameterInfo bath_friction = {
    "friction",
    number | rows,
    "1/time",
    "",
    "rate at which the velocity of the thermostat decorrelates: up to 4 pi / period oscillations "
    "of the temperature decay at half of it, above that ever more slowly; or rows [step, value]",
    "2.0"};
const ParameterInfo chain = {"chain",
                             integer,
                             "",
                             "3",
                             "number of thermostats, each of which controls the one before; 1 is "
                             "Nosé-Hoover, with which an oscillator stays on one torus",
                             "3"};
const ParameterInfo order = {
    "order",
    integer,
    "",
    "2",
    "4, 6 or 8: a step is a composition of 5, 9 or 15 steps of order 2, some of them backwards",
    "4"};
const ParameterInfo time_or_times = {
    "time",
    number | rows | table,
    "time",
    "",
    "relaxation time of the kinetic energy; or rows [step, value]; or one for each species by "
    "name, { A = 0.5, B = 0.1 }",
    "0.5"};
const ParameterInfo time = {
    "time", number | rows, "time", "", "relaxation of the kinetic energy; or rows [step, value]",
    "0.5"};
const ParameterInfo inner = {"inner",
                             integer | integers,
                             "",
                             "",
                             "number of steps with the forces of a level per step with those of "
                             "the next; for more than two levels an array, fastest first",
                             "4"};
const ParameterInfo mollifier = {
    "mollifier",
    text,
    "",
    "long-average",
    "average over the time T between two slow kicks: short-average (-T/2 to T/2), long-average (-T "
    "to T), linear-average (-T to T, weight linear to 0), cosine-average (-T to T, weight 1 + "
    "cos(pi t / T)); or equilibrium: bonds and angles at rest",
    "\"long-average\"",
    mollifier_names()};
const ParameterInfo theta = {
    "theta",
    number,
    "",
    "0.5",
    "point in a step at which implicit forces are evaluated, from 0.5 to 1 (its end): above 1/2 "
    "unresolved vibrations lose energy, and so do others, as the error is of first order in dt",
    "0.6"};
const ParameterInfo word = {"word", text, "", "", "flows and fractions of a step", "\"B½ A1 B½\""};

struct Letter {
    const char *letter, *meaning;
};
constexpr Letter letters[] = {{"A", "drift"},
                              {"H", "exact motion under the forces of level 1"},
                              {"I", "implicit midpoint rule under the forces of level 1"},
                              {"B", "kick"},
                              {"G", "kick with F - c dt^2 V'' M^-1 F for G[c]"},
                              {"F", "kick of the fastest forces"},
                              {"S", "kick of the slowest forces, B[2] of level 2"},
                              {"M", "mollified kick of the slowest forces, M[2] of level 2"},
                              {"J", "kick, with the forces of level 1 implicit"},
                              {"O", "bath"},
                              {"P", "bath by the midpoint rule"},
                              {"C", "collisions with a bath"},
                              {"Q", "friction and noise of pairs"},
                              {"L", "exchanges of pairs with a bath"},
                              {"D", "friction"},
                              {"X", "friction by Euler's explicit method"},
                              {"Y", "friction by Euler's implicit method"},
                              {"K", "kick with friction"},
                              {"R", "kick with friction by Heun's method"},
                              {"V", "(B½ A1 B½)"},
                              {"^n", "n times, n = `inner`"},
                              {"*", "the remainder to 1"},
                              {"|", "then the same in reverse order"}};

/// A word with the meanings of its letters, or of all letters.
std::string explained(const std::string& flows, bool all = false) {
    std::string meanings;
    for (const auto& [letter, meaning] : letters)
        if (all || flows.find(letter) != std::string::npos)
            meanings += fmt::format("{}{} {}", meanings.empty() ? "" : ", ", letter, meaning);
    return fmt::format("{} ({})", flows, meanings);
}

IntegratorEntry splitting_entry(const SplittingMethod& row) {
    IntegratorEntry entry;
    entry.descriptor = {row.name, row.summary, explained(row.word), row.claims.citation, {dt}};
    std::vector<ParameterInfo>& keys = entry.descriptor.parameters;
    if (row.word.find('C') != std::string::npos)
        keys.insert(keys.end(), {temperature, rate, together});
    else if (row.word.find('Q') != std::string::npos)
        keys.insert(keys.end(), {temperature, pair_friction, radius});
    else if (row.word.find('L') != std::string::npos)
        keys.insert(keys.end(), {temperature, pair_rate, radius});
    else if (row.claims.stochastic)
        keys.insert(keys.end(), {temperature, friction});
    else if (row.claims.damped)
        keys.push_back(damping);
    if (row.word.find("^n") != std::string::npos) keys.push_back(inner);
    if (row.word.find('M') != std::string::npos) keys.push_back(mollifier);
    if (row.word.find('J') != std::string::npos) keys.push_back(theta);
    entry.aliases = row.aliases;
    entry.make = [&row](const MethodSettings& settings) {
        const std::string by_levels = row.word.find_first_of("HI") == std::string::npos
                                          ? word_by_levels(row.word, settings.inner)
                                          : slow_kicks_of_all(row.word, settings.levels);
        Word flows = parse_word(by_levels, 1, settings.levels);
        Claims claims = row.claims;
        for (Flow& flow : flows) {
            if (settings.together && flow.bath == BathKind::collisions)
                flow.bath = BathKind::all_at_once;
            if (flow.kind != FlowKind::implicit_kick) continue;
            flow.theta = settings.theta;
            if (settings.theta == 0.5) continue;
            claims.order = 1;
            claims.symmetric = false;
        }
        return std::make_unique<Composition>(std::move(flows), std::move(claims), settings);
    };
    return entry;
}

IntegratorEntry free_splitting_entry() {
    const ParameterInfo some_temperature = {
        "temperature",
        number | rows,
        "temperature",
        "none",
        "of the bath: for words with O, P, C, Q or L, which require it; or rows [step, value]",
        "1.0"};
    const ParameterInfo some_friction = {
        "friction",
        number | rows | table,
        "1/time",
        "none",
        "of the bath, likewise; the rate of C and L; or that of D, X, Y, K and R, which have no "
        "noise; by species, except for C, Q and L",
        "1.0"};
    const ParameterInfo some_radius = {
        "radius", number, "length", "none", "of the pairs of Q and L, required by them", "1.0"};
    const ParameterInfo some_inner = {"inner", integer, "", "1", "repetitions of a word (...)^n"};
    return {{"splitting",
             "A splitting method given by a word; its order is determined from the fractions",
             explained("word", true),
             "Leimkuhler and Reich 2004, chapters 4 and 6",
             {dt, word, some_temperature, some_friction, some_radius, some_inner, mollifier}},
            {},
            [](const MethodSettings& settings) {
                Word flows = parse_word(settings.word, settings.inner.front(), settings.levels);
                Claims claims = claims_of_word(
                    flows, "the word \"" + settings.word + "\" of the input", settings.levels);
                return std::make_unique<Composition>(std::move(flows), std::move(claims), settings);
            }};
}

IntegratorEntry reversible_averaging_entry() {
    const ParameterInfo steps = {
        "inner", integer, "", "", "number of steps of light atoms per step of the others", "8"};
    const ParameterInfo light_mass = {
        "light_mass", number, "mass", "", "atoms with a smaller mass are light", "2.0"};
    return entry_of<ReversibleAveraging>(
        {"reversible-averaging",
         "Fast forces on heavy atoms are averaged over the motion of light ones, which is "
         "integrated along the path of the heavy ones",
         "p_heavy <- p + dt <F>/2, p <- p + dt S/2, q_heavy <- q + dt v while light atoms move, "
         "then the same in reverse order (<F>: mean fast force from dt before now to dt after)",
         ReversibleAveraging({}).claims().citation,
         {dt, steps, light_mass}});
}

IntegratorEntry brownian_entry() {
    IntegratorEntry entry = entry_of<Brownian>(
        {"brownian",
         "Brownian dynamics, without inertia: averages of harmonic positions are "
         "exact at any stable step",
         "m friction dq = F dt + (2 m friction kT)^1/2 dW",
         Brownian({}).claims().citation,
         {dt, temperature, drag}});
    entry.aliases = {"overdamped-langevin"};
    return entry;
}

/// The entries of a thermostat of all particles together: with all forces at once, described by
/// `at_once`, and with forces by level.
template <class Method>
std::vector<IntegratorEntry> thermostat_entries(const Descriptor& at_once) {
    Descriptor by_level = at_once;
    by_level.summary = "As " + at_once.name + ", with slow forces once a step as in respa";
    by_level.name += "-respa";
    std::erase_if(by_level.parameters, [](const auto& key) { return key.name == order.name; });
    by_level.parameters.push_back(inner);
    return {entry_of<Method>(at_once, false), entry_of<Method>(by_level, true)};
}

Descriptor nose_hoover() {
    return {"nose-hoover",
            "Constant temperature by a chain of Nosé-Hoover thermostats",
            "p' = F - v1 p, Q1 v1' = sum p^2/m - g kT - v2 Q1 v1, Qk vk' = Q(k-1) v(k-1)^2 - kT - "
            "v(k+1) Qk vk",
            NoseHoover({}).claims().citation,
            {dt, temperature, period, chain, order}};
}

IntegratorEntry nose_hoover_langevin() {
    return entry_of<NoseHooverLangevin>(
        {"nose-hoover-langevin",
         "Constant temperature by one Nosé-Hoover thermostat with friction and noise of its own: "
         "one factor for all momenta, and even a single oscillator is sampled canonically",
         "p' = F - v p, Q dv = (sum p^2/m - g kT) dt - friction Q v dt + (2 friction Q kT)^1/2 dW",
         NoseHooverLangevin({}).claims().citation,
         {dt, temperature, bath_period, bath_friction}});
}

Descriptor bussi() {
    return {"bussi",
            "Constant temperature by stochastic velocity rescaling: one factor for all momenta",
            "dK = (g kT/2 - K) dt / time + 2 (K kT / (2 time))^1/2 dW",
            StochasticRescaling({}).claims().citation,
            {dt, temperature, time_or_times}};
}

Descriptor berendsen() {
    return {"berendsen",
            "Weak coupling to a temperature, for equilibration: it samples no ensemble",
            "p <- p (1 + (dt / time) (g kT/(2 K) - 1))^1/2",
            WeakCoupling({}).claims().citation,
            {dt, temperature, time}};
}

IntegratorEntry fire_entry() {
    return entry_of<Fire>(
        {"minimize",
         "Energy minimisation by FIRE; simulated time does not advance, and overlaps of the start "
         "are removed",
         "v <- (1 - a) v + a |v| f/|f| while f.v > 0, with a growing step; v <- 0 where f.v < 0",
         Fire({}).claims().citation,
         {{"dt", number, "length (mass/energy)^1/2", "0.01",
           "the step, which grows up to tenfold; every mass is 1"},
          {"force_tolerance", number, "energy/length", "1e-06",
           "ends when the largest force is smaller"},
          {"longest_move", number, "length", "0.1", "of a particle in one step"}}});
}

void add_to(std::vector<IntegratorEntry>& entries, std::vector<IntegratorEntry> more) {
    for (IntegratorEntry& entry : more) entries.push_back(std::move(entry));
}

std::vector<IntegratorEntry> all_entries() {
    std::vector<IntegratorEntry> entries;
    for (const SplittingMethod& row : splitting_methods()) entries.push_back(splitting_entry(row));
    add_to(entries, {processed_entry(dt), adaptive_verlet_entry(), step_density_entry(),
                     energy_scaled_entry(), poincare_entry(), reversible_averaging_entry(),
                     brownian_entry(), free_splitting_entry()});
    add_to(entries, thermostat_entries<NosePoincare>(nose_poincare(dt, temperature, order)));
    add_to(entries, nose_entries(dt, temperature, order));
    add_to(entries, thermostat_entries<NoseHoover>(nose_hoover()));
    entries.push_back(nose_hoover_langevin());
    add_to(entries, thermostat_entries<StochasticRescaling>(bussi()));
    add_to(entries, {entry_of<WeakCoupling>(berendsen(), false), fire_entry()});
    return entries;
}

} // namespace

const std::vector<IntegratorEntry>& integrators() {
    static const std::vector<IntegratorEntry> entries = all_entries();
    return entries;
}

const Descriptor& integrator_table() {
    static const Descriptor table{
        "integrator",
        "How the equations of motion are integrated; each method has keys of its own. In a run "
        "with stages it is [stage.integrator]",
        "",
        "",
        {{"method", text, "", "", "one of mdrun --list integrator", "\"verlet\""}, dt}};
    return table;
}

const IntegratorEntry* find_integrator(std::string_view name) {
    for (const IntegratorEntry& entry : integrators()) {
        if (entry.descriptor.name == name) return &entry;
        const auto& other = entry.aliases;
        if (std::find(other.begin(), other.end(), name) != other.end()) return &entry;
    }
    return nullptr;
}

} // namespace shadow
