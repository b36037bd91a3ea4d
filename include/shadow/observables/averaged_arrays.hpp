// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/observables/observable.hpp"
#include "shadow/statistics/ladder_averages.hpp"

#include <string>
#include <vector>

namespace shadow {

/// Arrays over the same axes that are averaged over measurements: one for all particles and, in a
/// mixture, one for each species or pair of species.
class AveragedArrays {
  public:
    AveragedArrays(std::vector<std::string> names, std::string unit, std::vector<Axis> axes);

    [[nodiscard]] std::int64_t samples() const noexcept { return average_.samples(); }
    /// Adds a measurement: the arrays one after the other. Numbers after the last array are
    /// ignored.
    void add(std::span<const double> arrays);
    [[nodiscard]] std::vector<ArrayEstimate> estimates() const;
    [[nodiscard]] std::vector<double> state() const { return average_.state(); }
    void restore(std::span<const double> state) { average_.restore(state); }

  private:
    std::vector<std::string> names_;
    std::string unit_;
    std::vector<Axis> axes_;
    std::size_t size_; ///< numbers in each array
    BlockingAverage average_;
};

/// An observable whose rows are averaged, except for the quantities at their start.
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
    std::int64_t measured_ = 0; ///< measurements, where parts of the system are measured in turn
};

/// A function of the lag, times `factor`, from `samples` measurements.
[[nodiscard]] ArrayEstimate lag_curve(const std::string& name, const std::string& unit,
                                      std::int64_t samples, const std::vector<LagValue>& values,
                                      double factor = 1.0);
/// Several functions of the lag, as an array over `axis` and the lag.
[[nodiscard]] ArrayEstimate lag_curves(const std::string& name, const std::string& unit,
                                       std::int64_t samples, const Axis& axis,
                                       const std::vector<std::vector<LagValue>>& curves,
                                       double factor = 1.0);

/// The number of all particles.
[[nodiscard]] std::int64_t population(const std::vector<Population>& species);

struct SpeciesPair {
    int a, b; ///< a <= b
};
/// All pairs of species; one pair in a system of one species.
[[nodiscard]] std::vector<SpeciesPair> species_pairs(const std::vector<Population>& species);
/// `name`; in a mixture also `name`_A, `name`_B ...
[[nodiscard]] std::vector<std::string> names_by_species(const std::string& name,
                                                        const std::vector<Population>& species);
/// `name`; in a mixture also `name`_A_A, `name`_A_B ... in the order of `species_pairs`.
[[nodiscard]] std::vector<std::string> names_by_pair(const std::string& name,
                                                     const std::vector<Population>& species);

} // namespace shadow
