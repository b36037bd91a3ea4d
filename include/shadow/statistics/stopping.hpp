// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/statistics/estimate.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace shadow {

/// A quantity and the standard error to which its mean is needed; infinite: the error need only be
/// reliable.
struct ErrorTarget {
    std::string quantity;
    double error = 0.0;
};

/// Is a stage examined after `steps` steps? After 128 samples, and then each time after a quarter
/// more: with few looks there are few chances to stop by luck. `interval`: steps between two
/// samples.
[[nodiscard]] bool is_look(std::int64_t steps, std::int64_t interval);

/// Ends a run when its means are known well enough, without bias in the means: it examines errors,
/// never means, and only at fixed numbers of samples, 128 and then each time a quarter more, so
/// that there are few chances to stop on an error that is too small by luck. A quantity passes if
/// its errors by blocking and by autocorrelation time are reliable, from at least 100 independent
/// samples, most of the series is in equilibrium, and neither error is above the target. Such a
/// rule has the coverage of a fixed length in the limit of small targets (Chow and Robbins 1965,
/// Ann. Math. Statist. 36, 457; for correlated series Glynn and Whitt 1992, Ann. Appl. Probab. 2,
/// 180).
class StopRule {
  public:
    /// `interval`: steps between two samples of the quantity that is sampled least often.
    explicit StopRule(std::vector<ErrorTarget> targets = {}, std::int64_t interval = 1);

    [[nodiscard]] const std::vector<ErrorTarget>& targets() const noexcept { return targets_; }
    /// Is the run examined this many steps after the start?
    [[nodiscard]] bool due(std::int64_t steps) const;
    /// Why the mean of one quantity is not known well enough, or "".
    [[nodiscard]] std::string missing(std::size_t target, const Estimate& estimate) const;
    [[nodiscard]] bool passes(std::size_t target, const Estimate& estimate) const {
        return missing(target, estimate).empty();
    }
    /// Records which targets pass, with one estimate per target; true if all do.
    bool look(std::int64_t steps, std::span<const Estimate> estimates);

    /// The step of the look since which each target passes; -1 if it does not.
    [[nodiscard]] const std::vector<std::int64_t>& since() const noexcept { return since_; }
    void restore(std::size_t target, std::int64_t since) { since_[target] = since; }
    /// The last target to pass; among several, the one whose error is closest to its target.
    [[nodiscard]] std::size_t decided_by(std::span<const Estimate> estimates) const;

  private:
    std::vector<ErrorTarget> targets_;
    std::int64_t interval_;
    std::vector<std::int64_t> since_;
};

} // namespace shadow
