// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/observables/transport.hpp"

#include "kernels/ops/heat_flux.hpp"

namespace shadow {

/// Heat flux in a periodic box, J = (sum of e_i v_i + sum over pairs of r (f . (v_i + v_j)) / 2) /
/// V, where e_i is the energy of a particle including half of its pair energies, and velocities are
/// relative to the centre of mass (Irving and Kirkwood 1950, J. Chem. Phys. 18, 817; Allen and
/// Tildesley 2017, section 2.7); and the temperature. In a mixture it is the energy flux.
template <int Dim>
class HeatFluxRow {
  public:
    static constexpr std::size_t width = Dim + 1, components = Dim;
    static constexpr bool needs_energy = false, needs_velocities = true, follows_shear = false;

    explicit HeatFluxRow(FluxScale<Dim> scale) : scale_(scale) {}
    void enqueue(ParticleSystem<Dim>& system, double* row);
    [[nodiscard]] std::vector<Quantity> quantities() const;
    /// The components of a row that are equivalent by symmetry.
    [[nodiscard]] static std::span<const double> equivalent(std::span<const double> row) {
        return row.first(Dim);
    }
    /// V/(k_B T^2)
    [[nodiscard]] double transport_factor(double temperature) const {
        return scale_.volume / (scale_.boltzmann * temperature * temperature);
    }
    [[nodiscard]] static TransportAverage::Names transport_names();

  private:
    FluxScale<Dim> scale_;
    Array<KineticSums<Dim>> sums_;
    Array<double> centre_; ///< velocity of the centre of mass
    Array<Share<Dim>> share_;
    Array<Flux<Dim>> flux_;
};

template <int Dim>
using HeatFlux = FluxSeries<Dim, HeatFluxRow<Dim>>;

/// Thermal conductivity of a fluid of one species from the fluctuations of its heat flux: the
/// autocorrelation V/(k_B T^2) <J_x(0) J_x(t)>, averaged over directions; its integral; and the
/// Einstein-Helfand relation (Allen and Tildesley 2017, section 2.7).
template <int Dim>
using ThermalConductivity = TransportCoefficient<Dim, HeatFluxRow<Dim>>;

} // namespace shadow
