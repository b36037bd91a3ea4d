// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/observables/transport.hpp"

#include "kernels/ops/stress.hpp"

namespace shadow {

/// "pressure_xx" and so on: the components of a tensor of pressures in the order of
/// SymmetricTensor.
template <int Dim>
[[nodiscard]] std::vector<Quantity> tensor_quantities(const std::string& name);

/// The pressure tensor of a periodic box and the temperature, enqueued as a row.
template <int Dim, class Real>
class PressureTensor {
  public:
    static constexpr std::size_t width = tensor_size<Dim> + 1;
    static constexpr bool needs_energy = true;

    explicit PressureTensor(FluxScale<Dim> scale) : scale_(scale) {}
    /// The diagonal first, then xy; or xy, xz, yz; then the temperature.
    void enqueue(ParticleSystem<Dim, Real>& system, double* row);
    [[nodiscard]] const FluxScale<Dim>& scale() const { return scale_; }

  private:
    FluxScale<Dim> scale_;
    Array<KineticSums<Dim>> sums_;
};

/// Components of the pressure tensor, P_ab V = sum of m v_a v_b + sum over pairs of r_a f_b, the
/// negative of the stress (Allen and Tildesley 2017, section 2.4), with the mean-field corrections
/// of the forces. Its trace over Dim is the pressure of Thermo.
template <int Dim, class Real>
class Stress final : public FluxObservable<Dim, Real, PressureTensor<Dim, Real>> {
  public:
    using FluxObservable<Dim, Real, PressureTensor<Dim, Real>>::FluxObservable;

    [[nodiscard]] std::vector<Quantity> quantities() const override;
};

/// Shear viscosity of an isotropic fluid from the fluctuations of its stress: the autocorrelation
/// G(t) = V/(k_B T) <P_xy(0) P_xy(t)>, which is the shear relaxation modulus, averaged over all
/// independent components of the traceless tensor (Daivis and Evans 1994, J. Chem. Phys. 100, 541);
/// its integral; and the way of Einstein and Helfand. T is the average kinetic temperature.
template <int Dim, class Real>
class Viscosity final : public TransportObservable<Dim, Real, PressureTensor<Dim, Real>> {
    static_assert(Dim > 1);

  public:
    /// Components of a symmetric traceless tensor.
    static constexpr std::size_t components = tensor_size<Dim> - 1;

    Viscosity(PressureTensor<Dim, Real> tensor, double interval, LagLadder ladder)
        : TransportObservable<Dim, Real, PressureTensor<Dim, Real>>(
              std::move(tensor), {components, interval, std::move(ladder)}) {}

    void accumulate(double time, std::span<const double> row) override;
    [[nodiscard]] std::vector<ArrayEstimate> estimates() const override;
};

} // namespace shadow
