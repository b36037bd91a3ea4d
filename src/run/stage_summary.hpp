// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "run.hpp"

#include "shadow/io/summary.hpp"
#include "shadow/statistics/verdict.hpp"

#include <optional>
#include <string>
#include <vector>

namespace shadow {

/// Why the mean of a quantity with a known equilibrium value is not that of equilibrium,
/// human-readable; or "".
[[nodiscard]] std::string departure(const Quantity& quantity, const Estimate& estimate);

/// Makes the summary of a stage that has begun: averages, derivatives, coefficients, the drift of
/// the conserved quantity, and the verdict (statistics/verdict.hpp).
template <int Dim>
class StageSummariser {
  public:
    StageSummariser(const Run<Dim>& run, const Stage<Dim>& stage)
        : run_(run), stage_(stage), slow_(stage.slow_motion()), weights_(stage.boost_weights()) {}

    [[nodiscard]] StageSummary summarise() const;

  private:
    [[nodiscard]] std::optional<Estimate> estimate_of(const std::string& quantity) const {
        return stage_.estimate(quantity, slow_);
    }
    [[nodiscard]] AverageSummary average(const Quantity& quantity, const Estimate& e) const;
    [[nodiscard]] std::vector<FluctuationSummary> susceptibilities() const;
    [[nodiscard]] std::vector<FluctuationSummary>
    fluctuations(const FluctuationSeries& series) const;
    [[nodiscard]] std::vector<CoefficientSummary> coefficients() const;
    /// Do so few rows carry most of the weight that errors are too small?
    [[nodiscard]] bool hardly_weighted() const {
        return weights_ && weights_->support < Stage<Dim>::Weights::few_support;
    }
    [[nodiscard]] std::string why_few_weights() const;
    [[nodiscard]] UntilSummary until() const;
    [[nodiscard]] EnsembleFacts ensemble_facts() const;
    [[nodiscard]] Conservation conservation() const;
    [[nodiscard]] Verdict verdict(const StageSummary& summary) const;
    [[nodiscard]] Finding judge_changes(const std::vector<Average>& averages) const;
    [[nodiscard]] Finding judge_whole(const std::vector<Average>& averages) const;
    [[nodiscard]] Finding judge_pressure() const;
    [[nodiscard]] Finding judge_even(const Estimate& temperature) const;
    [[nodiscard]] Finding judge_whole_motion(const Estimate& temperature) const;
    void judge(StageSummary& summary) const;

    const Run<Dim>& run_;
    const Stage<Dim>& stage_;
    SlowMotion slow_;
    std::optional<typename Stage<Dim>::Weights> weights_;
};

} // namespace shadow
