// SPDX-License-Identifier: BSD-3-Clause
#include "stage_summary.hpp"

#include "shadow/statistics/expectation.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

/// The numbers from which the verdict on a stage is made (statistics/verdict.hpp).
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

/// Fails if a derivative is undetermined; known derivatives are not affected. A negative heat
/// capacity gives a remark.
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

/// Thermo is measured in every stage with a method, whether the input requests it or not.
template <int Dim>
Conservation StageSummariser<Dim>::conservation() const {
    const Estimate temperature = *estimate_of("temperature");
    const Estimate kinetic = *estimate_of("kinetic_energy");
    const Estimate potential = *estimate_of("potential_energy");
    std::optional<Drift> shadow;
    if (const SeriesStatistics* series = stage_.recorder->statistics("shadow_energy"))
        shadow = series->drift.estimate();
    return {.name = stage_.integrator->conserved_name() +
                    (run_.model.forces.constant() ? "" : " minus work of fields"),
            .drift = stage_.recorder->statistics("conserved_energy")->drift.estimate(),
            .time = stage_.time,
            .degrees_of_freedom = stage_.degrees_of_freedom,
            .kT = run_.model.units.boltzmann * temperature.mean,
            .kinetic_deviation = kinetic.deviation,
            .energy = std::abs(kinetic.mean) + std::abs(potential.mean),
            .friction = stage_.integrator->bath_rate(),
            .period = stage_.integrator->bath_period(stage_.degrees_of_freedom),
            .shadow = shadow,
            .power =
                stage_.time > 0.0 ? run_.system->scalar(Scalar::shear_work) / stage_.time : 0.0};
}

/// Do averages begin before parameters of the method, or fields that are to be constant in the end,
/// are constant?
template <int Dim>
Finding StageSummariser<Dim>::judge_changes(const std::vector<Average>& averages) const {
    const std::int64_t steady = std::isfinite(stage_.forces_steady_from)
                                    ? stage_.steady_from()
                                    : stage_.integrator->steady_from();
    for (const auto& [name, kept, settled] : averages) {
        const std::int64_t from = kept.discarded * stage_.recorder->interval(name);
        if (from >= steady) continue;
        return {true, false,
                fmt::format("temperature, pressure, rates or a field change after step {} of the "
                            "stage, where averages begin (they are of no one state); {}",
                            from,
                            steady < stage_.steps_done
                                ? fmt::format("give equilibration = {}", steady)
                                : "take averages in a stage after it")};
    }
    return {};
}

/// Are averages, arrays and all quantities with a known equilibrium value those of equilibrium?
template <int Dim>
Finding StageSummariser<Dim>::judge_whole(const std::vector<Average>& averages) const {
    const bool in_shear = stage_.integrator->shear_rate() != 0.0;
    if (stage_.integrator->deforms())
        return {
            true, false,
            "the box is deformed all the time (there is no steady state); look at series, as of "
            "stress against length"};
    if (!stage_.integrator->samples_ensemble() && !in_shear)
        return {true, false,
                fmt::format("{} samples no ensemble ({}); take averages with {}",
                            stage_.plan.integrator.text("method"),
                            stage_.integrator->bath_kT()
                                ? "kinetic energies do not fluctuate as in one"
                                : "with theta above 0.5 its steps take energy away",
                            stage_.integrator->bath_kT() ? "bussi or baoab" : "theta = 0.5")};
    if (const Finding changes = judge_changes(averages); !changes.passed) return changes;
    std::vector<Average> begun = averages;
    if (!stage_.recorder->estimates().empty())
        for (const Average& a : averages)
            begun.push_back({a.name + ", in arrays,",
                             estimate(stage_.recorder->statistics(a.name)->values,
                                      stage_.before_arrays(a.name)),
                             a.settled});
    const Finding finding = judge_equilibrium(begun);
    if (!finding.passed || in_shear) return finding; // a steady state
    for (const Quantity& q : stage_.quantities())
        if (const auto found = estimate_of(q.name))
            if (const std::string why = departure(q, *found); !why.empty())
                return {true, false,
                        q.name + " is not that of equilibrium (" + why +
                            "); give the stage a longer equilibration"};
    return stage_.integrator->holds_pressure() ? judge_pressure() : finding;
}

/// Is the temperature the same along each direction?
template <int Dim>
Finding StageSummariser<Dim>::judge_even(const Estimate& temperature) const {
    std::vector<DirectionalMean> directions;
    for (const Quantity& q : stage_.quantities())
        if (q.name.starts_with("temperature_") && q.unit == "temperature")
            directions.push_back({q.name, *estimate_of(q.name)});
    const auto& turning = stage_.conserved.angular;
    const auto turns = std::count(turning.begin(), turning.end(), true);
    return judge_directions(temperature, directions, stage_.degrees_of_freedom / Dim,
                            static_cast<double>(turns));
}

/// Is there no motion of the system as a whole?
template <int Dim>
Finding StageSummariser<Dim>::judge_whole_motion(const Estimate& temperature) const {
    const auto& linear = stage_.conserved.linear;
    WholeMotion whole{.squares = estimate(stage_.whole_motion, temperature.discarded),
                      .directions =
                          static_cast<int>(std::count(linear.begin(), linear.end(), false)),
                      .kT = run_.model.units.boltzmann * temperature.mean,
                      .degrees_of_freedom = stage_.degrees_of_freedom};
    for (const SpeciesSummary& s : run_.start.species)
        whole.mass += static_cast<double>(s.particles) * s.mass * run_.model.units.inertia;
    return shadow::judge_whole_motion(whole);
}

/// Equilibrium and samples matter only if something is averaged.
template <int Dim>
Verdict StageSummariser<Dim>::verdict(const StageSummary& summary) const {
    Verdict verdict;
    verdict.conserved = judge_conservation(conservation());
    if (summary.averages.empty() && stage_.recorder->estimates().empty()) return verdict;

    const Estimate temperature = *estimate_of("temperature");
    const std::int64_t every = stage_.recorder->interval("temperature");
    const double interval = static_cast<double>(every);
    // If the temperature of the bath changes during sampling there is no value to compare with.
    const bool steady = stage_.steady(temperature.discarded * every);
    const double bath =
        steady ? stage_.integrator->bath_kT().value_or(0.0) / run_.model.units.boltzmann : 0.0;
    const bool flows = stage_.integrator->shear_rate() != 0.0 || stage_.integrator->deforms();
    verdict.temperature = judge_temperature(
        {.mean = temperature,
         .bath = bath,
         .degrees_of_freedom = stage_.degrees_of_freedom,
         .time = static_cast<double>(temperature.samples) * interval * stage_.integrator->dt(),
         .friction = stage_.integrator->bath_rate(),
         .in_shear = flows});

    // With flow the total motion is arbitrary. Otherwise it explains a deviating temperature.
    const Finding moves = judge_whole_motion(temperature), even = judge_even(temperature);
    const bool says_more = verdict.temperature.message.empty() && !even.message.empty();
    if (!flows && !moves.passed)
        verdict.temperature = moves;
    else if (!flows && verdict.temperature.passed && (!even.passed || says_more))
        verdict.temperature = even;

    if (bath > 0.0 && stage_.fluctuations.any() && stage_.integrator->samples_ensemble()) {
        const Estimate kinetic = *estimate_of("kinetic_energy");
        verdict.fluctuations = judge_fluctuations(
            stage_.fluctuations.kinetic_variance(ensemble_facts(), kinetic.discarded),
            kinetic.independent_samples);
    }

    std::vector<std::string> names{"temperature", "potential_energy"};
    if (bath > 0.0) names.emplace_back("total_energy"); // energy exchanged with the bath
    if (stage_.integrator->pressure()) names.emplace_back("volume");
    std::vector<Average> averages;
    for (const std::string& name : names) {
        const SeriesStatistics* series = stage_.recorder->statistics(name);
        averages.push_back(
            {name, *estimate_of(name), estimate(series->values, equilibration(series->values))});
    }
    verdict.equilibrium = judge_whole(averages);
    verdict.samples = judge_samples(averages, stage_.hidden.empty() ? 0 : every);
    if (hardly_weighted()) {
        verdict.samples = {true, false, why_few_weights()};
        // With so few weights the other findings mean nothing.
        for (Finding* of : {&verdict.temperature, &verdict.fluctuations, &verdict.equilibrium})
            if (!of->passed) *of = {};
    }
    return verdict;
}

/// Why there are too few weighted rows: too few rows, or too unequal weights.
template <int Dim>
std::string StageSummariser<Dim>::why_few_weights() const {
    if (weights_->part > 0.5)
        return fmt::format("too few independent samples with {} (rows are worth {:.2g} of as many "
                           "unweighted ones); run longer",
                           stage_.boost_name(), weights_->part);
    return fmt::format("few rows have most of the weight with {} (they are worth {:.2g} of all); "
                       "give it a least_slope nearer to 1, a larger width, a threshold nearer to "
                       "the mean of {} without it, or run longer",
                       stage_.boost_name(), weights_->part,
                       stage_.plan.boost ? "potential_energy" : "total_energy");
}

/// Is the mean of the pressure that of the barostat, which depends on positions only? The kinetic
/// part is therefore that of the measured temperature. The error is scaled up as if the pressure
/// were as slow as the volume.
template <int Dim>
Finding StageSummariser<Dim>::judge_pressure() const {
    constexpr double errors = 6.0;
    const Estimate mean = *estimate_of("pressure"), volume = *estimate_of("volume"),
                   temperature = *estimate_of("temperature");
    const double kT = stage_.integrator->bath_kT().value_or(0.0),
                 missing =
                     static_cast<double>(run_.system->size()) - stage_.degrees_of_freedom / Dim;
    const double factor = Dim == 3 ? run_.model.units.pressures : 1.0,
                 kinetic = stage_.degrees_of_freedom / Dim *
                           (run_.model.units.boltzmann * temperature.mean - kT) / volume.mean;
    const double wanted =
        factor * (*stage_.integrator->pressure() -
                  stage_.integrator->missing_pressure(missing) * kT / volume.mean + kinetic);
    const double slower =
        std::sqrt(std::max(1.0, volume.inefficiency / std::max(mean.inefficiency, 1.0)));
    if (volume.deviation > 0.0 && std::abs(mean.mean - wanted) <= errors * slower * mean.error)
        return {true, true, ""};
    return {true, false,
            fmt::format(
                "the mean of the pressure is {:.6g}, and {:.6g} is wanted, at the "
                "temperature that momenta have; run longer, or let the volume move faster "
                "(time, compressibility, every of the barostat; of a box with a mass its period)",
                mean.mean, wanted)};
}

/// Applies the verdict: which results are not trusted; if only the samples fail, those with a
/// warning.
template <int Dim>
void StageSummariser<Dim>::judge(StageSummary& summary) const {
    Verdict& v = summary.verdict = verdict(summary);
    const bool all = !(v.conserved.passed && v.temperature.passed && v.equilibrium.passed);
    for (AverageSummary& a : summary.averages)
        a.trusted = !all && std::isfinite(a.mean) && !stage_.lacks_bonds(a.name) &&
                    (v.samples.passed || a.warning.empty());
    for (FluctuationSummary& f : summary.fluctuations)
        f.trusted = v.passed() && f.known && !stage_.lacks_bonds(f.name);
    if (v.fluctuations.passed) v.fluctuations = with_unknown(v.fluctuations, summary.fluctuations);
    for (CoefficientSummary& c : summary.coefficients)
        c.trusted = !all && c.trusted && std::isfinite(c.value);
}

template class StageSummariser<1>;
template class StageSummariser<2>;
template class StageSummariser<3>;

} // namespace shadow
