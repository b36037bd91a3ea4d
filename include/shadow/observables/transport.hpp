// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/observables/observable.hpp"
#include "shadow/statistics/green_kubo.hpp"

#include <array>

namespace shadow {

/// A transport coefficient from a fluctuating flux, and the temperature to which it belongs: what
/// such observables keep between measurements.
class TransportAverage {
  public:
    explicit TransportAverage(GreenKubo::Settings settings) : transport_(std::move(settings)) {}

    void add(std::span<const double> flux, double temperature);
    /// The mean; 1 before the first measurement.
    [[nodiscard]] double temperature() const;

    /// An array and its unit.
    struct Name {
        std::string name, unit;
    };
    /// `factor` times the autocorrelation of the flux, its integral, and the slope of Einstein and
    /// Helfand, by lag.
    [[nodiscard]] std::vector<ArrayEstimate> estimates(double factor,
                                                       const std::array<Name, 3>& names) const;
    [[nodiscard]] std::vector<double> state() const;
    /// Throws InputError if it was not written by such an average.
    void restore(std::span<const double> state);

  private:
    GreenKubo transport_;
    double temperature_ = 0.0; ///< sum over measurements
};

} // namespace shadow
