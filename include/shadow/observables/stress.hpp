// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/observables/transport.hpp"

#include "kernels/ops/stress.hpp"

namespace shadow {

/// "pressure_xx" and so on: the components of a pressure tensor in the order of SymmetricTensor.
template <int Dim>
[[nodiscard]] std::vector<Quantity> tensor_quantities(const std::string& name);

/// Components of the pressure tensor of a periodic box, P_ab V = sum of m v_a v_b + sum over pairs
/// of r_a f_b, the negative of the stress (Allen and Tildesley 2017, section 2.4), with the
/// mean-field corrections of the forces; and the temperature. The trace over Dim is the pressure of
/// Thermo.
template <int Dim>
class PressureTensor {
  public:
    static constexpr std::size_t width = tensor_size<Dim> + 1;
    /// The mean momentum flux is that of equilibrium, whatever the motion.
    static constexpr bool needs_energy = true, needs_velocities = false, follows_shear = true;
    /// Independent components of a symmetric traceless tensor.
    static constexpr std::size_t components = tensor_size<Dim> - 1;

    explicit PressureTensor(FluxScale<Dim> scale) : scale_(scale) {}
    /// Enqueues a row: xx, yy, zz first, then xy; or xy, xz, yz; then the temperature.
    void enqueue(ParticleSystem<Dim>& system, double* row);
    [[nodiscard]] std::vector<Quantity> quantities() const {
        return tensor_quantities<Dim>("pressure");
    }
    /// Independent components of the traceless part of a row, normalised so that in an isotropic
    /// fluid each fluctuates like xy.
    [[nodiscard]] static std::array<double, components> equivalent(std::span<const double> row);
    /// V/(k_B T)
    [[nodiscard]] double transport_factor(double temperature) const {
        return scale_.volume / (scale_.boltzmann * temperature);
    }
    [[nodiscard]] static TransportAverage::Names transport_names();
    [[nodiscard]] const FluxScale<Dim>& scale() const { return scale_; }

  private:
    FluxScale<Dim> scale_;
    Array<KineticSums<Dim>> sums_;
};

template <int Dim>
using Stress = FluxSeries<Dim, PressureTensor<Dim>>;

/// Shear viscosity of an isotropic fluid from the fluctuations of its stress: the autocorrelation
/// G(t) = V/(k_B T) <P_xy(0) P_xy(t)>, which is the shear relaxation modulus, averaged over all
/// independent components of the traceless tensor (Daivis and Evans 1994, J. Chem. Phys. 100, 541);
/// its integral; and the Einstein-Helfand relation.
template <int Dim>
using Viscosity = TransportCoefficient<Dim, PressureTensor<Dim>>;

} // namespace shadow
