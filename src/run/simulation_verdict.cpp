// SPDX-License-Identifier: BSD-3-Clause
#include "simulation.hpp"

#include "shadow/statistics/expectation.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

/// The numbers by which a stage is judged (statistics/verdict.hpp).
namespace shadow {

std::string departure(const Quantity& quantity, const Estimate& estimate) {
    if (!quantity.expected) return "";
    const double chance = chance_of(estimate, *quantity.expected);
    return chance < min_chance
               ? fmt::format("in equilibrium it is {:g}; so far from it by chance {:.1g}",
                             quantity.expected->mean, chance)
               : "";
}

namespace {

/// Fails where a derivative may be any number; that leaves those that are known as they are. A heat
/// capacity below zero is to be kept in mind.
Finding with_unknown(const Finding& finding, const std::vector<FluctuationSummary>& derivatives) {
    for (const FluctuationSummary& f : derivatives)
        if (!f.known)
            return {true, false,
                    fmt::format("{} is {}; run longer, from a start in equilibrium", f.name,
                                f.warning)};
    for (const FluctuationSummary& f : derivatives)
        if (f.name == "heat_capacity" && f.value < 0.0)
            return {true, true, fmt::format("{} is {}", f.name, f.warning)};
    return finding;
}

} // namespace

/// Thermo is measured in every stage with a method, whether the input asks for it or not.
template <int Dim>
Conservation Simulation<Dim>::conservation(const StageType& stage, const SlowMotion& slow) const {
    const Estimate temperature = *stage.estimate("temperature", slow);
    const Estimate kinetic = *stage.estimate("kinetic_energy", slow);
    const Estimate potential = *stage.estimate("potential_energy", slow);
    return {.name = stage.integrator->conserved_name() +
                    (forces_.constant() ? "" : " minus work of fields"),
            .drift = stage.recorder->statistics("conserved_energy")->drift.estimate(),
            .time = stage.time,
            .degrees_of_freedom = stage.degrees_of_freedom,
            .kT = units_.boltzmann * temperature.mean,
            .kinetic_deviation = kinetic.deviation,
            .energy = std::abs(kinetic.mean) + std::abs(potential.mean),
            .friction = stage.integrator->bath_rate()};
}

/// Equilibrium and samples matter where something is averaged.
template <int Dim>
Verdict Simulation<Dim>::verdict(const StageType& stage, const StageSummary& summary,
                                 const SlowMotion& slow) const {
    Verdict verdict;
    verdict.conserved = judge_conservation(conservation(stage, slow));
    if (summary.averages.empty() && stage.recorder->estimates().empty()) return verdict;

    const Estimate temperature = *stage.estimate("temperature", slow);
    const std::int64_t every = stage.recorder->interval("temperature");
    const double interval = static_cast<double>(every);
    // Of a bath whose temperature changes while one samples there is none to compare with.
    const bool steady = stage.steady(temperature.discarded * every);
    const double bath = steady ? stage.integrator->bath_kT().value_or(0.0) / units_.boltzmann : 0.0;
    verdict.temperature = judge_temperature(
        {.mean = temperature,
         .bath = bath,
         .degrees_of_freedom = stage.degrees_of_freedom,
         .time = static_cast<double>(temperature.samples) * interval * stage.integrator->dt(),
         .friction = stage.integrator->bath_rate()});

    if (bath > 0.0 && stage.fluctuations.any())
        verdict.fluctuations = judge_fluctuations(stage.fluctuations.kinetic_variance(
            ensemble_facts(stage), stage.estimate("kinetic_energy", slow)->discarded));

    std::vector<std::string> names{"temperature", "potential_energy"};
    if (bath > 0.0) names.emplace_back("total_energy"); // what the bath brings and takes
    if (stage.integrator->pressure()) names.emplace_back("volume");
    std::vector<Average> averages;
    for (const std::string& name : names) {
        const SeriesStatistics* series = stage.recorder->statistics(name);
        averages.push_back({name, *stage.estimate(name, slow), settled_estimate(series->values)});
    }
    std::vector<Average> begun = averages;
    if (!stage.recorder->estimates().empty())
        for (const Average& a : averages)
            begun.push_back(
                {a.name + ", in arrays,",
                 estimate(stage.recorder->statistics(a.name)->values, stage.before_arrays(a.name)),
                 a.settled});
    verdict.equilibrium = judge_equilibrium(begun);
    for (const Quantity& q : stage.quantities()) {
        const auto estimate = stage.estimate(q.name, slow);
        if (!estimate || !verdict.equilibrium.passed) continue;
        if (const std::string why = departure(q, *estimate); !why.empty())
            verdict.equilibrium = {true, false,
                                   q.name + " is not that of equilibrium (" + why +
                                       "); give the stage a longer equilibration"};
    }
    if (verdict.equilibrium.passed && stage.integrator->pressure())
        verdict.equilibrium = judge_pressure(stage, slow);
    verdict.samples = judge_samples(averages);
    return verdict;
}

/// Is the mean of the pressure that of the barostat, which knows of places alone? So momenta count
/// as they are. Its error is taken as if it were as slow as the volume is.
template <int Dim>
Finding Simulation<Dim>::judge_pressure(const StageType& stage, const SlowMotion& slow) const {
    constexpr double errors = 6.0;
    const Estimate mean = *stage.estimate("pressure", slow),
                   volume = *stage.estimate("volume", slow),
                   temperature = *stage.estimate("temperature", slow);
    const double kT = stage.integrator->bath_kT().value_or(0.0),
                 missing = static_cast<double>(system_->size()) - stage.degrees_of_freedom / Dim;
    const double factor = Dim == 3 ? units_.pressures : 1.0,
                 kinetic = stage.degrees_of_freedom / Dim *
                           (units_.boltzmann * temperature.mean - kT) / volume.mean;
    const double wanted =
        factor * (*stage.integrator->pressure() - (1.0 + missing) * kT / volume.mean + kinetic);
    const double slower =
        std::sqrt(std::max(1.0, volume.inefficiency / std::max(mean.inefficiency, 1.0)));
    if (volume.deviation > 0.0 && std::abs(mean.mean - wanted) <= errors * slower * mean.error)
        return {true, true, ""};
    return {true, false,
            fmt::format("the mean of the pressure is {:.6g}, and {:.6g} is wanted; run longer, or "
                        "let the volume move faster (time, compressibility, every of the barostat)",
                        mean.mean, wanted)};
}

/// The verdict, and what it does not let pass: where only samples are too few, what says so itself.
template <int Dim>
void Simulation<Dim>::judge(const StageType& stage, StageSummary& summary,
                            const SlowMotion& slow) const {
    Verdict& v = summary.verdict = verdict(stage, summary, slow);
    const bool all = !(v.conserved.passed && v.temperature.passed && v.equilibrium.passed);
    for (AverageSummary& a : summary.averages)
        a.trusted = !all && (v.samples.passed || a.warning.empty());
    for (FluctuationSummary& f : summary.fluctuations) f.trusted = v.passed() && f.known;
    if (v.fluctuations.passed) v.fluctuations = with_unknown(v.fluctuations, summary.fluctuations);
    for (CoefficientSummary& c : summary.coefficients) c.trusted = !all;
}

template class Simulation<1>;
template class Simulation<2>;
template class Simulation<3>;

} // namespace shadow
