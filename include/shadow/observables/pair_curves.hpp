// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/observables/observable.hpp"
#include "shadow/statistics/profile.hpp"

#include <string>
#include <vector>

namespace shadow {

/// A function of one variable which is averaged over measurements: of all particles, and in a
/// mixture of each pair of species.
class PairCurves {
  public:
    struct Pair {
        int a, b; ///< species, a <= b
    };

    /// They will be called `name`, `name`_A_A, `name`_A_B ... and have no unit.
    PairCurves(std::string name, const std::vector<Population>& species, Axis axis);

    /// Of one species one, itself.
    [[nodiscard]] const std::vector<Pair>& pairs() const noexcept { return pairs_; }
    [[nodiscard]] const Axis& axis() const noexcept { return axis_; }
    [[nodiscard]] std::int64_t samples() const noexcept { return average_.samples(); }

    /// A measurement: the curve of all particles, and behind it that of each pair. Of one species
    /// the first alone counts.
    void add(std::vector<double> curves);
    [[nodiscard]] std::vector<ArrayEstimate> estimates() const;
    [[nodiscard]] std::vector<double> state() const { return average_.state(); }
    void restore(std::span<const double> state) { average_.restore(state); }

  private:
    Axis axis_;
    std::vector<Pair> pairs_;
    std::vector<std::string> names_;
    ProfileAverage average_;
};

} // namespace shadow
