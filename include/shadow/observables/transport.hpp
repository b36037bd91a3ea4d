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

/// What turns the sums of a flux over the whole system into a row.
template <int Dim>
struct FluxScale {
    double volume;
    double boltzmann; ///< energy per temperature
    ConservedMass<Dim> conserved_mass;
};

/// An observable whose rows a Source enqueues: PressureTensor or HeatFluxRow.
template <int Dim, class Real, class Source>
class FluxObservable : public Observable<Dim, Real> {
  public:
    explicit FluxObservable(Source source) : source_(std::move(source)) {}

    [[nodiscard]] std::size_t width() const final { return Source::width; }
    [[nodiscard]] bool needs_energy() const final { return Source::needs_energy; }
    void enqueue(ParticleSystem<Dim, Real>& system, double* row) final {
        source_.enqueue(system, row);
    }

  protected:
    Source source_;
};

/// One that makes a transport coefficient of its rows and keeps no series.
template <int Dim, class Real, class Source>
class TransportObservable : public FluxObservable<Dim, Real, Source> {
  public:
    TransportObservable(Source source, GreenKubo::Settings settings)
        : FluxObservable<Dim, Real, Source>(std::move(source)), average_(std::move(settings)) {}

    [[nodiscard]] std::vector<Quantity> quantities() const final { return {}; }
    [[nodiscard]] bool in_time() const final { return true; }
    [[nodiscard]] std::vector<double> state() const final { return average_.state(); }
    void restore(std::span<const double> state) final { average_.restore(state); }

  protected:
    TransportAverage average_;
};

} // namespace shadow
