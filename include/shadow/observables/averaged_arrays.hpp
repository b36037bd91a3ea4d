// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/observables/observable.hpp"
#include "shadow/statistics/ladder_averages.hpp"

#include <string>
#include <vector>

namespace shadow {

/// Arrays over the same axes which are averaged over measurements: one of all particles, and in a
/// mixture others of species or pairs of species.
class AveragedArrays {
  public:
    AveragedArrays(std::vector<std::string> names, std::string unit, std::vector<Axis> axes);

    [[nodiscard]] std::int64_t samples() const noexcept { return average_.samples(); }
    /// A measurement: the arrays one after the other. What stands behind the last is left out.
    void add(std::span<const double> arrays);
    [[nodiscard]] std::vector<ArrayEstimate> estimates() const;
    [[nodiscard]] std::vector<double> state() const { return average_.state(); }
    void restore(std::span<const double> state) { average_.restore(state); }

  private:
    std::vector<std::string> names_;
    std::string unit_;
    std::vector<Axis> axes_;
    std::size_t size_; ///< numbers of each
    BlockingAverage average_;
};

/// An observable whose rows are all averaged, or those parts of them which are no quantities.
template <int Dim>
class AveragingObservable : public Observable<Dim> {
  public:
    [[nodiscard]] std::vector<Quantity> quantities() const override { return {}; }
    [[nodiscard]] std::vector<ArrayEstimate> estimates() const final {
        return average_.estimates();
    }
    [[nodiscard]] std::vector<double> state() const final { return average_.state(); }
    void restore(std::span<const double> state) final {
        average_.restore(state);
        measured_ = average_.samples();
    }

  protected:
    explicit AveragingObservable(AveragedArrays average) : average_(std::move(average)) {}

    AveragedArrays average_;
    std::int64_t measured_ = 0; ///< for those that go through parts in turn, which count them
};

/// A function of the lag, times a factor, from so many measurements.
[[nodiscard]] ArrayEstimate lag_curve(const std::string& name, const std::string& unit,
                                      std::int64_t samples, const std::vector<LagValue>& values,
                                      double factor = 1.0);
/// Some of them, over their axis and the lag.
[[nodiscard]] ArrayEstimate lag_curves(const std::string& name, const std::string& unit,
                                       std::int64_t samples, const Axis& axis,
                                       const std::vector<std::vector<LagValue>>& curves,
                                       double factor = 1.0);

/// All particles.
[[nodiscard]] std::int64_t population(const std::vector<Population>& species);

struct SpeciesPair {
    int a, b; ///< a <= b
};
/// All of them; of one species one, itself.
[[nodiscard]] std::vector<SpeciesPair> species_pairs(const std::vector<Population>& species);
/// `name`; of a mixture also `name`_A, `name`_B ...
[[nodiscard]] std::vector<std::string> names_by_species(const std::string& name,
                                                        const std::vector<Population>& species);
/// `name`; of a mixture also `name`_A_A, `name`_A_B ... in the order of `species_pairs`.
[[nodiscard]] std::vector<std::string> names_by_pair(const std::string& name,
                                                     const std::vector<Population>& species);

} // namespace shadow
