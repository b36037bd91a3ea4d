// SPDX-License-Identifier: BSD-3-Clause
#include "step_control.hpp"

#include "shadow/core/error.hpp"
#include "shadow/core/text.hpp"
#include "shadow/integrators/adaptive.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace shadow {
namespace {

using enum KeyType;

const std::pair<const char*, StepMeasure> step_measures[] = {
    {"kinetic-energy", StepMeasure::kinetic_energy},
    {"potential-energy", StepMeasure::potential_energy},
    {"arclength", StepMeasure::arclength},
    {"rms-acceleration", StepMeasure::acceleration},
    {"largest-acceleration", StepMeasure::largest_acceleration},
    {"pair-sum", StepMeasure::pair_sum}};

/// All measures, those with a known rate of change, or energies only.
enum class Choice { all, with_rate, energies };

ParameterInfo objective_key(Choice choice, const std::string& usual) {
    ParameterInfo key{"objective",
                      text,
                      "",
                      '"' + usual + '"',
                      "X that controls the steps: kinetic-energy or potential-energy (K or U of "
                      "the whole system, with an offset)",
                      '"' + usual + '"'};
    for (const auto& [name, measure] : step_measures) {
        const StepObjective objective{.of = measure};
        if (choice == Choice::all || objective.is_energy() ||
            (choice == Choice::with_rate && objective.has_rate()))
            key.words.emplace_back(name);
    }
    if (choice != Choice::energies)
        key.meaning += ", pair-sum (of the tables [[step_sum]], with an offset)";
    if (choice == Choice::all)
        key.meaning += ", arclength (mean of v^2 + t^2 a^2 over particles), rms-acceleration, "
                       "largest-acceleration (16th root of the mean of a^16)";
    return key;
}

const ParameterInfo reference_step_key = {
    "dt", number, "time", "", "the step where X equals the reference", "0.005"};
const ParameterInfo power_key = {
    "power", number, "", "0.5", "steps are proportional to X to the power of minus this", "0.5"};
const ParameterInfo offset_key = {
    "offset", number, "energy", "0.0", "added to K, U or a sum, so that X keeps its sign", "100.0"};
const ParameterInfo velocity_time_key = {
    "velocity_time", number, "time", "none", "t of arclength, required by it", "1.0"};
const ParameterInfo reference_key = {
    "reference", number, "", "that at the start of the stage", "X where the step is dt", "10.0"};
const ParameterInfo shortest_key = {
    "shortest", number, "time", "0.0", "lower limit of steps, up to the error of the method",
    "0.0005"};
const ParameterInfo longest_key = {
    "longest", number, "time", "inf", "upper limit of steps, likewise", "0.02"};
const ParameterInfo interval_key = {
    "interval",
    number,
    "time",
    "none",
    "a step of the run is so long, up to 100 dt, and as many of the method's as that takes: "
    "`steps` and `every` count these, and observables are taken at even times",
    "0.05"};
const ParameterInfo rule_key = {
    "rule",
    text,
    "",
    "\"harmonic\"",
    "how lengths of half steps follow X at the midpoint: by their harmonic mean (eq. 9.20), or by "
    "their arithmetic mean (eq. 9.19, whose steps may shrink to zero where X changes fast)",
    "\"mean\"",
    {"harmonic", "mean"}};

void refuse_if_unused(const Parameters& params, std::string_view key, bool used,
                      const std::string& of) {
    if (used || !params.has(key)) return;
    params.fail(key, fmt::format("{} for this objective (it belongs to {}); remove it", key, of));
}

/// The interval between outputs at even times.
double read_even_interval(const Parameters& params, double step) {
    constexpr double longest = 100.0; // of dt
    const double interval = params.positive("interval");
    if (!(interval <= longest * step))
        params.fail("interval",
                    fmt::format("interval = {} is longer than {} steps dt (signals, the wall time "
                                "and checks for failures wait for its end); give a shorter one, "
                                "such as {}, and `every` a larger number, which costs nothing more",
                                interval, longest, 20.0 * step));
    return interval;
}

} // namespace

IntegratorEntry energy_scaled_entry() {
    return entry_of<EnergyScaledVerlet>(
        {"energy-scaled",
         "Verlet's method with steps that follow an energy, symplectic: kicks compute it from "
         "positions, drifts from velocities",
         "B½ A1 B½ with kicks B over dt g(U), drifts A over dt g(K), g = (X / X_0)^-power; X is "
         "computed in B with K = E - U, in A with U = E - K, E the energy at the start",
         EnergyScaledVerlet({}).claims().citation,
         {reference_step_key, objective_key(Choice::energies, "potential-energy"), power_key,
          offset_key, reference_key, shortest_key, longest_key, interval_key}});
}

IntegratorEntry poincare_entry() {
    ParameterInfo objective = objective_key(Choice::energies, "potential-energy");
    objective.meaning = "X that controls the steps: U of the whole system, with an offset";
    objective.words = {"potential-energy"};
    return entry_of<PoincareVerlet>(
        {"poincare",
         "Verlet's method with steps that follow the potential energy, symplectic in Poincaré's "
         "time: one scalar quadratic equation per step",
         "B x A1 over dt g_0, B½ over dt g_1, with kicks B, drifts A, g = (X / X_0)^-power and x = "
         "dt (g_0/2 + (U - E + K') dg/dU), where K' is K after that kick",
         PoincareVerlet({}).claims().citation,
         {reference_step_key, objective, power_key, offset_key, reference_key, shortest_key,
          longest_key, interval_key}});
}

IntegratorEntry adaptive_verlet_entry() {
    return entry_of<AdaptiveVerlet>(
        {"adaptive-verlet",
         "Verlet's method with steps that follow the motion reversibly: for impacts and other "
         "motions whose time scale changes",
         "A½ B½ with the step g_0 dt, A B half-steps back with g_1 dt: 1/g_0 + 1/g_1 = 2/g in "
         "the middle, g = (X / X_0)^-power, A drift, B kick",
         AdaptiveVerlet({}).claims().citation,
         {reference_step_key, objective_key(Choice::all, "largest-acceleration"), power_key,
          offset_key, velocity_time_key, reference_key, shortest_key, longest_key, rule_key,
          interval_key}});
}

IntegratorEntry step_density_entry() {
    return entry_of<StepDensityVerlet>(
        {"step-density",
         "Verlet's method with a density of steps that follows an energy: steps that follow the "
         "motion reversibly, without oscillating from one to the next",
         "rho <- rho + dt r/2, B½ A1 B½ over dt/rho, rho <- rho + dt r/2 with r = d ln Q/dt, Q "
         "= (X / X_0)^power (A drift, B kick)",
         StepDensityVerlet({}).claims().citation,
         {reference_step_key, objective_key(Choice::with_rate, "kinetic-energy"), power_key,
          offset_key, reference_key, shortest_key, longest_key, interval_key}});
}

StepControl read_step_control(const Parameters& params, const Descriptor& method, double step) {
    const auto& keys = method.parameters;
    const auto has_key = [&](std::string_view key) {
        return std::any_of(keys.begin(), keys.end(),
                           [&](const ParameterInfo& info) { return info.name == key; });
    };
    const ParameterInfo& choice =
        *std::find_if(keys.begin(), keys.end(),
                      [](const ParameterInfo& info) { return info.name == "objective"; });
    const std::string usual = choice.default_value.substr(1, choice.default_value.size() - 2),
                      chosen = params.choice("objective", choice.words, usual);
    StepControl steps;
    StepObjective& objective = steps.objective;
    for (const auto& [name, measure] : step_measures)
        if (chosen == name) objective.of = measure;
    objective.power = params.positive("power", objective.power);

    refuse_if_unused(params, "offset", objective.has_rate(), "energies and pair-sum");
    if (objective.has_rate()) objective.offset = params.number("offset", 0.0);
    if (has_key("velocity_time")) {
        const bool used = objective.of == StepMeasure::arclength;
        refuse_if_unused(params, "velocity_time", used, "arclength");
        if (used) objective.time = params.positive("velocity_time");
    }
    if (params.has("reference")) {
        steps.reference = params.number("reference");
        const bool signless =
            objective.of == StepMeasure::potential_energy || objective.of == StepMeasure::pair_sum;
        if (steps.reference == 0.0 || (!signless && steps.reference < 0.0))
            params.fail("reference",
                        fmt::format("reference = {} is out of range (steps follow X / X_0, and {} "
                                    "is above zero); give such a number, or nothing for that of "
                                    "the start",
                                    steps.reference, signless ? "|X|" : "X"));
    }
    const double shortest = params.number("shortest", 0.0),
                 longest =
                     params.number_or_infinity("longest", std::numeric_limits<double>::infinity());
    if (!(shortest >= 0.0))
        params.fail("shortest", fmt::format("shortest = {} is out of range (it is the length of a "
                                            "step); give a number not below zero",
                                            shortest));
    if (!(longest > shortest))
        params.fail("longest", fmt::format("longest = {} is not above shortest, {} (steps lie in "
                                           "between); give a larger number",
                                           longest, shortest));
    objective.shortest = shortest / step;
    objective.inverse_longest = step / longest;
    if (params.has("interval")) steps.interval = read_even_interval(params, step);
    if (has_key("rule") && params.choice("rule", {"harmonic", "mean"}, "harmonic") == "mean")
        steps.rule = FactorRule::mean;
    return steps;
}

} // namespace shadow
