// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/observables/transport.hpp"

#include "kernels/ops/heat_flux.hpp"

namespace shadow {

/// The flux of heat in a periodic box and the temperature, enqueued as a row.
template <int Dim, class Real>
class HeatFluxRow {
  public:
    static constexpr std::size_t width = Dim + 1;

    /// `boltzmann`, `conserved_mass`: as in Thermo.
    HeatFluxRow(double volume, double boltzmann, double conserved_mass)
        : volume_(volume), boltzmann_(boltzmann), conserved_mass_(conserved_mass) {}
    void enqueue(ParticleSystem<Dim, Real>& system, double* row);
    [[nodiscard]] double volume() const { return volume_; }
    [[nodiscard]] double boltzmann() const { return boltzmann_; }

  private:
    double volume_, boltzmann_, conserved_mass_;
    Array<KineticSums<Dim>> sums_;
    Array<double> centre_; ///< its velocity
    Array<Flux<Dim>> kinetic_, pairs_;
};

/// Flux of heat, J = (sum of e_i v_i + sum over pairs of r (f . (v_i + v_j)) / 2) / V, where e_i is
/// the energy of a particle with half of that of its pairs, and velocities are relative to
/// the centre of mass (Irving and Kirkwood 1950, J. Chem. Phys. 18,
/// 817; Allen and Tildesley 2017, section 2.7). Of a mixture it is the flux of energy.
template <int Dim, class Real>
class HeatFlux final : public Observable<Dim, Real> {
  public:
    explicit HeatFlux(HeatFluxRow<Dim, Real> flux) : flux_(std::move(flux)) {}

    [[nodiscard]] std::vector<Quantity> quantities() const override;
    [[nodiscard]] std::size_t width() const override { return HeatFluxRow<Dim, Real>::width; }
    void enqueue(ParticleSystem<Dim, Real>& system, double* row) override {
        flux_.enqueue(system, row);
    }

  private:
    HeatFluxRow<Dim, Real> flux_;
};

/// Thermal conductivity of a fluid of one species from the fluctuations of its flux of heat: the
/// autocorrelation V/(k_B T^2) <J_x(0) J_x(t)>, averaged over directions; its integral; and the way
/// of Einstein and Helfand (Allen and Tildesley 2017, section 2.7). T is the average kinetic
/// temperature.
template <int Dim, class Real>
class ThermalConductivity final : public Observable<Dim, Real> {
  public:
    ThermalConductivity(HeatFluxRow<Dim, Real> flux, double interval, LagLadder ladder)
        : flux_(std::move(flux)), average_({Dim, interval, std::move(ladder)}) {}

    [[nodiscard]] std::vector<Quantity> quantities() const override { return {}; }
    [[nodiscard]] bool in_time() const override { return true; }
    [[nodiscard]] std::size_t width() const override { return HeatFluxRow<Dim, Real>::width; }
    void enqueue(ParticleSystem<Dim, Real>& system, double* row) override {
        flux_.enqueue(system, row);
    }
    void digest(double /*time*/, std::span<const double> row) override {
        average_.add(row.first(Dim), row[Dim]);
    }
    [[nodiscard]] std::vector<ArrayEstimate> estimates() const override;
    [[nodiscard]] std::vector<double> state() const override { return average_.state(); }
    void restore(std::span<const double> state) override { average_.restore(state); }

  private:
    HeatFluxRow<Dim, Real> flux_;
    TransportAverage average_;
};

} // namespace shadow
