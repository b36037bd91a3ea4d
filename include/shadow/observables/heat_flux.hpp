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
    static constexpr bool needs_energy = false;

    explicit HeatFluxRow(FluxScale<Dim> scale) : scale_(scale) {}
    void enqueue(ParticleSystem<Dim, Real>& system, double* row);
    [[nodiscard]] const FluxScale<Dim>& scale() const { return scale_; }

  private:
    FluxScale<Dim> scale_;
    Array<KineticSums<Dim>> sums_;
    Array<double> centre_; ///< its velocity
    Array<Share<Dim>> share_;
    Array<Flux<Dim>> flux_;
};

/// Flux of heat, J = (sum of e_i v_i + sum over pairs of r (f . (v_i + v_j)) / 2) / V, where e_i is
/// the energy of a particle with half of that of its pairs, and velocities are relative to the
/// centre of mass (Irving and Kirkwood 1950, J. Chem. Phys. 18, 817; Allen and Tildesley 2017,
/// section 2.7). Of a mixture it is the flux of energy.
template <int Dim, class Real>
class HeatFlux final : public FluxObservable<Dim, Real, HeatFluxRow<Dim, Real>> {
  public:
    using FluxObservable<Dim, Real, HeatFluxRow<Dim, Real>>::FluxObservable;

    [[nodiscard]] std::vector<Quantity> quantities() const override;
};

/// Thermal conductivity of a fluid of one species from the fluctuations of its flux of heat: the
/// autocorrelation V/(k_B T^2) <J_x(0) J_x(t)>, averaged over directions; its integral; and the way
/// of Einstein and Helfand (Allen and Tildesley 2017, section 2.7). T is the average kinetic
/// temperature.
template <int Dim, class Real>
class ThermalConductivity final : public TransportObservable<Dim, Real, HeatFluxRow<Dim, Real>> {
  public:
    ThermalConductivity(HeatFluxRow<Dim, Real> flux, double interval, LagLadder ladder)
        : TransportObservable<Dim, Real, HeatFluxRow<Dim, Real>>(
              std::move(flux), {Dim, interval, std::move(ladder)}) {}

    void accumulate(double time, std::span<const double> row) override;
    [[nodiscard]] std::vector<ArrayEstimate> estimates() const override;
};

} // namespace shadow
