// SPDX-License-Identifier: BSD-3-Clause
#include "stage_summary.hpp"

#include "shadow/statistics/plateau.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace shadow {
namespace {

constexpr const char* too_few_samples =
    "too few independent samples: the error is probably too small";
constexpr const char* no_number = "not known, as its formula gives no number (it divides by "
                                  "what is zero, as where nothing moves)";
constexpr const char* few_weights =
    "few rows have most of the weight: the error is probably too small";
constexpr const char* negative_heat_capacity = "negative: kinetic energy varies more than with a "
                                               "bath, in equilibrium only with attraction over "
                                               "all distances or in a small system at a transition";

std::string warning_of(const FluctuationQuantity& q) {
    if (!q.unknown.empty()) return q.unknown;
    if (q.name == "heat_capacity" && q.estimate.value < 0.0) return negative_heat_capacity;
    return q.estimate.reliable ? "" : too_few_samples;
}

} // namespace

/// Susceptibilities from the variances of quantities.
template <int Dim>
std::vector<FluctuationSummary> StageSummariser<Dim>::susceptibilities() const {
    std::vector<FluctuationSummary> all;
    for (const Quantity& q : stage_.quantities()) {
        const auto average = estimate_of(q.name);
        if (q.susceptibility == 0.0 || !average) continue;
        const auto variance = [&q](const Moments& m) { return q.susceptibility * m.variance(); };
        const DerivedEstimate found =
            jackknife(stage_.recorder->statistics(q.name)->values, variance, average->discarded);
        all.push_back({q.name + "_susceptibility", "", found.value, found.error,
                       "N (<x^2> - <x>^2)", found.reliable ? "" : too_few_samples});
    }
    return all;
}

template <int Dim>
AverageSummary StageSummariser<Dim>::average(const Quantity& quantity, const Estimate& e) const {
    AverageSummary average;
    average.name = quantity.name;
    average.unit = run_.model.units.express(quantity.unit);
    average.mean = e.mean;
    average.error = e.error;
    average.error_autocorrelation = e.autocorrelation_error;
    average.inefficiency = e.inefficiency;
    average.independent_samples = e.independent_samples;
    const auto all = static_cast<double>(e.discarded + e.samples);
    average.discarded_fraction = all > 0.0 ? static_cast<double>(e.discarded) / all : 0.0;
    average.discarded_steps = e.discarded * stage_.recorder->interval(quantity.name);
    if (stage_.steps_done > 0)
        average.discarded_time = stage_.time * static_cast<double>(average.discarded_steps) /
                                 static_cast<double>(stage_.steps_done);
    if (!stage_.is_even()) { // by the weights of rows, which are the step lengths
        const BlockedSeries& rows = stage_.recorder->statistics(quantity.name)->values;
        const double rest = rows.after(rows.blocks_for(e.discarded)).total().weight();
        average.discarded_time = stage_.time * (1.0 - rest / rows.total().weight());
    }
    if (stage_.lacks_bonds(quantity.name))
        average.warning = fmt::format("bonds, which balance {:.2g} of other forces at full steps, "
                                      "take part in it: take molecular-pressure, or a smaller dt",
                                      stage_.step_report.balanced);
    if (average.warning.empty() && stage_.steady(average.discarded_steps))
        average.warning = departure(quantity, e);
    if (average.warning.empty() && hardly_weighted())
        average.warning = weights_->part > 0.5 ? too_few_samples : few_weights;
    if (average.warning.empty()) average.warning = e.warning();
    if (average.warning.empty() && e.error > 0.0)
        average.warning = slow_.warning(e.samples * stage_.recorder->interval(quantity.name));
    return average;
}

template <int Dim>
UntilSummary StageSummariser<Dim>::until() const {
    UntilSummary summary;
    const std::vector<Estimate> estimates = stage_.awaited();
    if (estimates.empty()) return summary;
    summary.reached = stage_.converged;
    summary.max_steps = stage_.plan.steps;
    const std::vector<ErrorTarget>& targets = stage_.until.targets();
    for (std::size_t k = 0; k < targets.size(); ++k) {
        if (std::isinf(targets[k].error)) continue;
        summary.targets.push_back({targets[k].quantity, targets[k].error,
                                   estimates[k].larger_error(), stage_.until.since()[k]});
    }
    const std::size_t last = stage_.until.decided_by(estimates);
    summary.decided_by = targets[last].quantity;
    summary.missing = stage_.until.missing(last, estimates[last]);
    return summary;
}

template <int Dim>
EnsembleFacts StageSummariser<Dim>::ensemble_facts() const {
    EnsembleFacts facts;
    facts.degrees_of_freedom = stage_.degrees_of_freedom;
    facts.boltzmann = run_.model.units.boltzmann;
    facts.dimension = Dim;
    facts.volume = run_.system->box().is_periodic() ? stage_.volume() : 0.0;
    facts.translation = stage_.start.translation;
    facts.bath_kT = stage_.integrator->bath_kT();
    return facts;
}

/// By the formulas of the ensemble that the method samples, without the samples that any of the
/// quantities must discard.
template <int Dim>
std::vector<FluctuationSummary>
StageSummariser<Dim>::fluctuations(const FluctuationSeries& series) const {
    if (!series.any() || !stage_.integrator->samples_ensemble()) return {};
    const EnsembleFacts facts = ensemble_facts();
    if (facts.bath_kT == 0.0) return {};
    std::int64_t discard = 0;
    for (const std::string& name : series.names())
        if (const auto e = estimate_of(name)) discard = std::max(discard, e->discarded);
    if (!series.names().empty() &&
        !stage_.steady(discard * stage_.recorder->interval(series.names().front())))
        return {};
    std::vector<FluctuationSummary> all;
    for (const FluctuationQuantity& q : series.quantities(facts, discard))
        all.push_back({q.name, run_.model.units.express(q.unit),
                       q.estimate.value * run_.model.units.factor(q.unit),
                       q.estimate.error * run_.model.units.factor(q.unit), q.formula, warning_of(q),
                       q.unknown.empty()});
    return all;
}

/// The limit of each function of the lag that tends to a transport coefficient.
template <int Dim>
std::vector<CoefficientSummary> StageSummariser<Dim>::coefficients() const {
    constexpr double min_windows = 50.0;
    const std::int64_t end = stage_.first_step + stage_.steps_done;
    const double averaged =
        stage_.integrator->dt() *
        static_cast<double>(end - std::max(stage_.recorder->array_start(), stage_.first_step));
    std::vector<CoefficientSummary> all;
    for (const ArrayEstimate& array : stage_.recorder->estimates()) {
        if (!array.coefficient) continue;
        const auto plateau = find_plateau(array.axes[0].values, array.value, array.error);
        if (!plateau) continue;
        const double windows = array.window > 0.0 ? averaged / array.window : HUGE_VAL;
        std::string warning;
        if (windows < min_windows)
            warning = fmt::format("too few windows ({:.0f}): the error is probably too small, and "
                                  "its plateau read too early; run {:.0f} times as long",
                                  windows, std::ceil(min_windows / windows));
        else if (!plateau->settled)
            warning = "it still changes at the longest lag; make that longer";
        all.push_back({array.name, run_.model.units.express(array.unit), plateau->value,
                       plateau->error, plateau->lag, warning, windows >= min_windows});
    }
    return all;
}

template <int Dim>
StageSummary StageSummariser<Dim>::summarise() const {
    StageSummary summary;
    summary.name = stage_.plan.name;
    summary.method = stage_.plan.integrator.text("method");
    summary.steps = stage_.steps_done;
    summary.time = stage_.time;
    const bool reduced = run_.model.units.femtoseconds == 0.0;
    summary.time_unit = reduced ? "" : run_.model.units.express("time");
    summary.ensemble = stage_.ensemble();
    summary.degrees_of_freedom = stage_.degrees_of_freedom;
    summary.removed_energy = stage_.start.removed;
    if (stage_.is_damped()) summary.friction_energy = stage_.friction_energy;
    if (!stage_.takes_time()) return summary; // a path to a minimum has no averages
    for (const Quantity& q : stage_.quantities())
        if (const auto e = estimate_of(q.name); e && e->samples > 0)
            summary.averages.push_back(average(q, *e));
    for (const FluctuationSeries* series : {&stage_.fluctuations, &stage_.configurational})
        for (FluctuationSummary& found : fluctuations(*series))
            summary.fluctuations.push_back(std::move(found));
    for (FluctuationSummary& found : susceptibilities())
        summary.fluctuations.push_back(std::move(found));
    for (FluctuationSummary& found : summary.fluctuations)
        if (!std::isfinite(found.value)) {
            found.error = std::numeric_limits<double>::infinity();
            found.warning = no_number;
            found.known = false;
        }
    summary.until = until();
    summary.coefficients = coefficients();
    const Conservation c = conservation();
    const auto conserved = [&](const std::string& name, const Drift& drift) -> ConservedSummary {
        return {name,
                drift.slope,
                drift.error,
                drift.fluctuation,
                c.kT > 0.0 ? drift.slope / (c.kT * c.degrees_of_freedom) : 0.0,
                reduced ? "" : run_.model.units.express("energy/time")};
    };
    summary.conserved = conserved(c.name, c.drift);
    if (c.shadow) summary.shadow = conserved("shadow energy", *c.shadow);
    judge(summary);
    return summary;
}

template class StageSummariser<1>;
template class StageSummariser<2>;
template class StageSummariser<3>;

} // namespace shadow
