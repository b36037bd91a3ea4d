// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/statistics/estimate.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace shadow {

/// A quantity whose mean is to be known to a standard error; infinite: its error is only to be
/// reliable.
struct ErrorTarget {
    std::string quantity;
    double error = 0.0;
};

/// Is a stage looked at after so many steps? After 128 samples, and then each time a quarter more:
/// few looks leave few chances to be deceived by luck. `interval`: steps between two samples.
[[nodiscard]] bool is_look(std::int64_t steps, std::int64_t interval);

/// Ends a run when its means are known well enough, without choosing them: it looks at errors,
/// never at means, and only at numbers of samples that were fixed beforehand, 128 and then each a
/// quarter more than the one before, so that there are few chances to stop on an error that is too
/// small by luck. A quantity passes if its errors by blocking and by autocorrelation time are
/// reliable, from 100 independent samples at least, most of the series is in equilibrium, and
/// neither error is above the target. Such a rule
/// has the coverage of a fixed length in the limit of small targets (Chow and Robbins 1965, Ann.
/// Math. Statist. 36, 457; for correlated series Glynn and Whitt 1992, Ann. Appl. Probab. 2, 180).
class StopRule {
  public:
    /// `interval`: steps between two samples of the quantity that is sampled least.
    explicit StopRule(std::vector<ErrorTarget> targets = {}, std::int64_t interval = 1);

    [[nodiscard]] const std::vector<ErrorTarget>& targets() const noexcept { return targets_; }
    /// Is this many steps behind the start one of the moments to look?
    [[nodiscard]] bool due(std::int64_t steps) const;
    /// Whether one quantity is known well enough.
    [[nodiscard]] bool passes(std::size_t target, const Estimate& estimate) const;
    /// Records which targets pass, one estimate a target; true if all do.
    bool look(std::int64_t steps, std::span<const Estimate> estimates);

    /// Since which look each target passes; -1 where it does not.
    [[nodiscard]] const std::vector<std::int64_t>& since() const noexcept { return since_; }
    void restore(std::size_t target, std::int64_t since) { since_[target] = since; }
    /// The last to pass; of several the one whose error is nearest to its target.
    [[nodiscard]] std::size_t decided_by(std::span<const Estimate> estimates) const;

  private:
    std::vector<ErrorTarget> targets_;
    std::int64_t interval_;
    std::vector<std::int64_t> since_;
};

} // namespace shadow
