// SPDX-License-Identifier: BSD-3-Clause
#include "simulation.hpp"

#include "shadow/core/log.hpp"
#include "shadow/core/text.hpp"
#include "shadow/core/version.hpp"
#include "shadow/io/atomic_file.hpp"
#include "shadow/run/report_page.hpp"
#include "shadow/statistics/plateau.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <limits>

namespace shadow {
namespace {

/// Multiples of `every` among the first `steps` steps of a stage, which are measured before them.
std::int64_t samples_before(std::int64_t first_step, std::int64_t steps, std::int64_t every) {
    const auto up = [every](std::int64_t step) { return (step + every - 1) / every; };
    return up(first_step + steps) - up(first_step);
}

constexpr const char* too_few_samples =
    "too few independent samples: the error is probably too small";
constexpr const char* negative_heat_capacity = "negative: kinetic energy varies more than with a "
                                               "bath, in equilibrium only with attraction over "
                                               "all distances or in a small system at a transition";

std::string warning_of(const FluctuationQuantity& q) {
    if (!q.unknown.empty()) return q.unknown;
    if (q.name == "heat_capacity" && q.estimate.value < 0.0) return negative_heat_capacity;
    return q.estimate.reliable ? "" : too_few_samples;
}

/// Variances that are susceptibilities.
template <int Dim>
std::vector<FluctuationSummary> susceptibilities(const Stage<Dim>& stage, const SlowMotion& slow) {
    std::vector<FluctuationSummary> all;
    for (const Quantity& q : stage.quantities()) {
        const auto average = stage.estimate(q.name, slow);
        if (q.susceptibility == 0.0 || !stage.integrator || !average) continue;
        const auto variance = [&q](const Moments& m) { return q.susceptibility * m.variance(); };
        const DerivedEstimate found =
            jackknife(stage.recorder->statistics(q.name)->values, variance, average->discarded);
        all.push_back({q.name + "_susceptibility", "", found.value, found.error,
                       "N (<x^2> - <x>^2)", found.reliable ? "" : too_few_samples});
    }
    return all;
}

} // namespace

/// Samples at the start that the input wants left out.
template <int Dim>
std::optional<std::int64_t> Stage<Dim>::discarded(const std::string& quantity) const {
    if (!plan.equilibration) return std::nullopt;
    return samples_before(first_step, *plan.equilibration, recorder->interval(quantity));
}

/// Samples of a quantity before the arrays begin.
template <int Dim>
std::int64_t Stage<Dim>::before_arrays(const std::string& quantity) const {
    return samples_before(first_step,
                          std::max(recorder->array_start() - first_step, std::int64_t{0}),
                          recorder->interval(quantity));
}

/// What the series of a scalar quantity says, without its start; nothing if there is none.
template <int Dim>
std::optional<Estimate> Stage<Dim>::estimate(const std::string& quantity,
                                             const SlowMotion& slow) const {
    const SeriesStatistics* statistics = recorder->statistics(quantity);
    if (!statistics) return std::nullopt;
    const double interval = static_cast<double>(recorder->interval(quantity));
    return settled_estimate(statistics->values, discarded(quantity), slow.memory() / interval);
}

template <int Dim>
AverageSummary Simulation<Dim>::average(const StageType& stage, const Quantity& quantity,
                                        const Estimate& e, const SlowMotion& slow) const {
    AverageSummary average;
    average.name = quantity.name;
    average.unit = units_.express(quantity.unit);
    average.mean = e.mean;
    average.error = e.error;
    average.error_autocorrelation = e.autocorrelation_error;
    average.inefficiency = e.inefficiency;
    average.independent_samples = e.independent_samples;
    const auto all = static_cast<double>(e.discarded + e.samples);
    average.discarded_fraction = all > 0.0 ? static_cast<double>(e.discarded) / all : 0.0;
    average.discarded_steps = e.discarded * stage.recorder->interval(quantity.name);
    if (stage.steps_done > 0)
        average.discarded_time = stage.time * static_cast<double>(average.discarded_steps) /
                                 static_cast<double>(stage.steps_done);
    if (stage.steady(average.discarded_steps)) average.warning = departure(quantity, e);
    if (average.warning.empty()) average.warning = e.warning();
    if (average.warning.empty() && e.error > 0.0)
        average.warning = slow.warning(e.samples * stage.recorder->interval(quantity.name));
    return average;
}

template <int Dim>
std::vector<std::string> Stage<Dim>::slow_quantities() const {
    std::vector<std::string> all;
    for (const char* name : {"temperature", "potential_energy", "volume"})
        if (recorder->statistics(name)) all.emplace_back(name);
    return all;
}

template <int Dim>
SlowMotion Stage<Dim>::slow_motion() const {
    SlowMotion slow;
    for (const std::string& name : slow_quantities()) {
        const Estimate e = settled_estimate(recorder->statistics(name)->values, discarded(name));
        if (e.samples > 1 && e.error > 0.0)
            slow.correlation_steps.emplace_back(
                name, e.inefficiency * static_cast<double>(recorder->interval(name)));
    }
    return slow;
}

double SlowMotion::memory() const {
    double longest = 0.0;
    for (const auto& [name, steps] : correlation_steps) longest = std::max(longest, steps);
    return 2.0 * longest;
}

std::string SlowMotion::warning(std::int64_t steps) const {
    for (const auto& [name, each] : correlation_steps) {
        const double times = static_cast<double>(steps) / each;
        if (times < Estimate::min_independent)
            return fmt::format("{} has only {:.0f} independent samples in the same time: this "
                               "error is probably too small",
                               name, times);
    }
    return "";
}

template <int Dim>
std::vector<Estimate> Stage<Dim>::awaited() const {
    const SlowMotion slow = slow_motion();
    std::vector<Estimate> all;
    for (const ErrorTarget& target : until.targets())
        all.push_back(*estimate(target.quantity, slow));
    return all;
}

template <int Dim>
UntilSummary Simulation<Dim>::until(const StageType& stage) const {
    UntilSummary summary;
    const std::vector<Estimate> estimates = stage.awaited();
    if (estimates.empty()) return summary;
    summary.reached = stage.converged;
    summary.max_steps = stage.plan.steps;
    const std::vector<ErrorTarget>& targets = stage.until.targets();
    for (std::size_t k = 0; k < targets.size(); ++k) {
        if (std::isinf(targets[k].error)) continue;
        summary.targets.push_back({targets[k].quantity, targets[k].error,
                                   estimates[k].larger_error(), stage.until.since()[k]});
    }
    summary.decided_by = targets[stage.until.decided_by(estimates)].quantity;
    return summary;
}

template <int Dim>
EnsembleFacts Simulation<Dim>::ensemble_facts(const StageType& stage) const {
    EnsembleFacts facts;
    facts.degrees_of_freedom = stage.degrees_of_freedom;
    facts.boltzmann = units_.boltzmann;
    facts.dimension = Dim;
    facts.volume = system_->box().is_periodic() ? system_->box().volume() : 0.0;
    facts.translation = stage.start.translation;
    facts.bath_kT = stage.integrator->bath_kT();
    return facts;
}

/// By the formulas of the ensemble that the method samples, without what any of the quantities has
/// to discard.
template <int Dim>
std::vector<FluctuationSummary> Simulation<Dim>::fluctuations(const StageType& stage,
                                                              const FluctuationSeries& series,
                                                              const SlowMotion& slow) const {
    if (!series.any() || !stage.integrator) return {};
    const EnsembleFacts facts = ensemble_facts(stage);
    if (facts.bath_kT == 0.0) return {};
    std::int64_t discard = 0;
    for (const std::string& name : series.names())
        if (const auto e = stage.estimate(name, slow)) discard = std::max(discard, e->discarded);
    if (!series.names().empty() &&
        !stage.steady(discard * stage.recorder->interval(series.names().front())))
        return {};
    std::vector<FluctuationSummary> all;
    for (const FluctuationQuantity& q : series.quantities(facts, discard))
        all.push_back({q.name, units_.express(q.unit), q.estimate.value * units_.factor(q.unit),
                       q.estimate.error * units_.factor(q.unit), q.formula, warning_of(q),
                       q.unknown.empty()});
    return all;
}

/// Of everything that tends to a transport coefficient, its limit.
template <int Dim>
std::vector<CoefficientSummary> Simulation<Dim>::coefficients(const StageType& stage) const {
    std::vector<CoefficientSummary> all;
    for (const ArrayEstimate& array : stage.recorder->estimates()) {
        if (!array.coefficient) continue;
        const auto plateau = find_plateau(array.axes[0].values, array.value, array.error);
        if (!plateau) continue;
        all.push_back({array.name, units_.express(array.unit), plateau->value, plateau->error,
                       plateau->lag,
                       plateau->settled ? ""
                                        : "it still changes at the longest lag; make that "
                                          "longer"});
    }
    return all;
}

template <int Dim>
StageSummary Simulation<Dim>::summarise(const StageType& stage) const {
    StageSummary summary;
    summary.name = stage.plan.name;
    summary.method = stage.plan.integrator.text("method");
    summary.steps = stage.steps_done;
    summary.time = stage.time;
    const bool reduced = units_.femtoseconds == 0.0;
    summary.time_unit = reduced ? "" : units_.express("time");
    summary.ensemble = ensemble(stage);
    summary.degrees_of_freedom = stage.degrees_of_freedom;
    summary.removed_energy = stage.start.removed;
    const SlowMotion slow = stage.slow_motion();
    for (const Quantity& q : stage.quantities())
        if (const auto e = stage.estimate(q.name, slow); e && e->samples > 0)
            summary.averages.push_back(average(stage, q, *e, slow));
    for (const FluctuationSeries* series : {&stage.fluctuations, &stage.configurational})
        for (FluctuationSummary& found : fluctuations(stage, *series, slow))
            summary.fluctuations.push_back(std::move(found));
    for (FluctuationSummary& found : susceptibilities(stage, slow))
        summary.fluctuations.push_back(std::move(found));
    summary.until = until(stage);
    summary.coefficients = coefficients(stage);
    if (!stage.integrator) return summary;
    const Conservation c = conservation(stage, slow);
    summary.conserved = {c.name,
                         c.drift.slope,
                         c.drift.error,
                         c.drift.fluctuation,
                         c.kT > 0.0 ? c.drift.slope / (c.kT * c.degrees_of_freedom) : 0.0,
                         reduced ? "" : units_.express("energy/time")};
    judge(stage, summary, slow);
    return summary;
}

template <int Dim>
Summary Simulation<Dim>::summarise() {
    const Timer::Scope scope(timer_, timer_.part("analysis"));
    Summary summary;
    summary.title = plan_.title;
    summary.particles = system_->size();
    summary.species = start_.species;
    summary.dimension = Dim;
    for (std::size_t d = 0; d < Dim; ++d) {
        const bool periodic = system_->box().periodic()[d];
        summary.box_periodic.push_back(periodic);
        summary.box_lengths.push_back(periodic ? system_->box().lengths()[d]
                                               : std::numeric_limits<double>::infinity());
    }
    summary.degrees_of_freedom = system_->degrees_of_freedom();
    summary.charges = start_.charges;
    for (const StageType& stage : stages_)
        if (stage.begun) summary.stages.push_back(summarise(stage));
    PerformanceSummary& performance = summary.performance;
    performance.wall_seconds = timer_.seconds();
    const auto steps = static_cast<double>(system_->step() - first_step_);
    const auto n = static_cast<double>(system_->size());
    performance.steps_per_second = steps / performance.wall_seconds;
    performance.particle_steps_per_second = performance.steps_per_second * n;
    performance.ns_per_particle_step =
        steps > 0.0 ? 1e9 * performance.wall_seconds / (steps * n) : 0.0;
    performance.rebuilds = system_->neighbours().rebuilds();
    performance.shares = spread(timer_.shares(), steps_part, {"forces", "lists", "integration"});
    performance.tune = tuning_;
    summary.device = backend_.description();
    summary.precision = name(plan_.compute.precision);
    summary.version = version();
    summary.input_digest = digest(resolved_input_);
    summary.seed = static_cast<std::int64_t>(plan_.seed);
    summary.files = {result_path(plan_.output.prefix).string(),
                     checkpoint_path(plan_.output.prefix).string(),
                     log_path(plan_.output.prefix).string()};
    return summary;
}

/// Better before a long run than after it.
template <int Dim>
void Simulation<Dim>::require_summary() const {
    if (!options_.summary.empty() && options_.summary != "-")
        require_writable_folder(options_.summary, "another file to --summary");
}

template <int Dim>
void Simulation<Dim>::report() {
    const Summary summary = summarise();
    const std::string json = summary_json(summary);
    const bool json_only = options_.summary == "-";
    if (!options_.summary.empty() && !json_only) write_file(options_.summary, json);
    if (json_only || !options_.quiet) {
        const std::string text = json_only ? json : summary_table(summary);
        std::fwrite(text.data(), 1, text.size(), stdout);
        std::fflush(stdout);
    }
    log::record(summary_table(summary));
    if (!plan_.output.report || !finished()) return;
    const std::string problem = make_report(plan_.output.prefix, json);
    if (problem.empty())
        log::info(fmt::format("the report is {}", report_path(plan_.output.prefix).string()));
    else
        log::warning(fmt::format("no report page ({}); the results are whole: make it later with "
                                 "mdrun report {}",
                                 problem, result_path(plan_.output.prefix).string()));
}

template struct Stage<1>;
template struct Stage<2>;
template struct Stage<3>;
template class Simulation<1>;
template class Simulation<2>;
template class Simulation<3>;

} // namespace shadow
