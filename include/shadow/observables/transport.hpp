// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/observables/averaged_arrays.hpp"
#include "shadow/statistics/green_kubo.hpp"
#include "shadow/statistics/state.hpp"

#include <array>

namespace shadow {

/// A transport coefficient from a fluctuating flux, and the temperature at which it was measured:
/// the state of such observables between measurements.
class TransportAverage {
  public:
    explicit TransportAverage(GreenKubo::Settings settings) : transport_(std::move(settings)) {}

    void add(std::span<const double> flux, double temperature);
    /// The mean temperature; 1 before the first measurement.
    [[nodiscard]] double temperature() const;

    /// An array and its unit.
    struct Name {
        std::string name, unit;
    };
    using Names = std::array<Name, 3>;
    /// `factor` times the autocorrelation of the flux, its integral, and the Einstein-Helfand
    /// slope, by lag.
    [[nodiscard]] std::vector<ArrayEstimate> estimates(double factor, const Names& names) const;
    [[nodiscard]] std::vector<double> state() const;
    /// Throws InputError if `state` was not written by such an average.
    void restore(std::span<const double> state);

  private:
    GreenKubo transport_;
    double temperature_ = 0.0; ///< sum over measurements
};

/// Factors that convert the sums of a flux over the whole system to a row.
template <int Dim>
struct FluxScale {
    double volume;
    double boltzmann; ///< energy per temperature
    ConservedMass<Dim> conserved_mass;
};

/// A flux as a series: PressureTensor or HeatFluxRow.
template <int Dim, class Flux>
class FluxSeries final : public Observable<Dim> {
  public:
    explicit FluxSeries(Flux flux) : flux_(std::move(flux)) {}

    [[nodiscard]] std::vector<Quantity> quantities() const override { return flux_.quantities(); }
    [[nodiscard]] bool follows_tilt() const override { return true; }
    [[nodiscard]] std::size_t width() const override { return Flux::width; }
    [[nodiscard]] bool needs_energy() const override { return Flux::needs_energy; }
    [[nodiscard]] bool needs_velocities() const override { return Flux::needs_velocities; }
    [[nodiscard]] bool follows_box() const override { return true; }
    [[nodiscard]] bool follows_shear() const override { return Flux::follows_shear; }
    void enqueue(ParticleSystem<Dim>& system, double* row) override { flux_.enqueue(system, row); }

  private:
    Flux flux_;
};

/// The transport coefficient of a flux; it stores no series. T is the average kinetic temperature.
template <int Dim, class Flux>
class TransportCoefficient final : public Observable<Dim> {
  public:
    TransportCoefficient(Flux flux, double interval, LagLadder ladder)
        : flux_(std::move(flux)), average_({Flux::components, interval, std::move(ladder)}) {}

    [[nodiscard]] std::vector<Quantity> quantities() const override { return {}; }
    [[nodiscard]] bool follows_tilt() const override { return true; }
    [[nodiscard]] bool in_time() const override { return true; }
    [[nodiscard]] bool needs_velocities() const override { return true; }
    [[nodiscard]] std::size_t width() const override { return Flux::width; }
    [[nodiscard]] bool needs_energy() const override { return Flux::needs_energy; }
    void enqueue(ParticleSystem<Dim>& system, double* row) override { flux_.enqueue(system, row); }
    void accumulate(double /*time*/, std::span<const double> row) override {
        average_.add(Flux::equivalent(row), row[Flux::width - 1]);
    }
    [[nodiscard]] std::vector<ArrayEstimate> estimates() const override {
        return average_.estimates(flux_.transport_factor(average_.temperature()),
                                  Flux::transport_names());
    }
    [[nodiscard]] std::vector<double> state() const override { return average_.state(); }
    void restore(std::span<const double> state) override { average_.restore(state); }

  private:
    Flux flux_;
    TransportAverage average_;
};

} // namespace shadow
