// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/observables/transport.hpp"

#include "kernels/ops/stress.hpp"

namespace shadow {

/// The pressure tensor of a periodic box and the temperature, enqueued as a row.
template <int Dim, class Real>
class PressureTensor {
  public:
    static constexpr std::size_t width = tensor_size<Dim> + 1;

    /// `boltzmann`, `conserved_mass`: as in Thermo.
    PressureTensor(double volume, double boltzmann, double conserved_mass)
        : volume_(volume), boltzmann_(boltzmann), conserved_mass_(conserved_mass) {}
    /// The diagonal first, then xy; or xy, xz, yz; then the temperature.
    void enqueue(ParticleSystem<Dim, Real>& system, double* row);
    [[nodiscard]] double volume() const { return volume_; }
    [[nodiscard]] double boltzmann() const { return boltzmann_; }

  private:
    double volume_, boltzmann_, conserved_mass_;
    Array<KineticSums<Dim>> sums_;
};

/// Components of the pressure tensor, P_ab V = sum of m v_a v_b + sum over pairs of r_a f_b, the
/// negative of the stress (Allen and Tildesley 2017, section 2.4), with the mean-field corrections
/// of the forces. Its trace over Dim is the pressure of Thermo.
template <int Dim, class Real>
class Stress final : public Observable<Dim, Real> {
  public:
    explicit Stress(PressureTensor<Dim, Real> tensor) : tensor_(std::move(tensor)) {}

    [[nodiscard]] std::vector<Quantity> quantities() const override;
    [[nodiscard]] std::size_t width() const override { return PressureTensor<Dim, Real>::width; }
    [[nodiscard]] bool needs_energy() const override { return true; }
    void enqueue(ParticleSystem<Dim, Real>& system, double* row) override {
        tensor_.enqueue(system, row);
    }

  private:
    PressureTensor<Dim, Real> tensor_;
};

/// Shear viscosity of an isotropic fluid from the fluctuations of its stress: the autocorrelation
/// G(t) = V/(k_B T) <P_xy(0) P_xy(t)>, which is the shear relaxation modulus, averaged over all
/// independent components of the traceless tensor (Daivis and Evans 1994, J. Chem. Phys. 100, 541);
/// its integral; and the way of Einstein and Helfand. T is the average kinetic temperature.
template <int Dim, class Real>
class Viscosity final : public Observable<Dim, Real> {
    static_assert(Dim > 1);

  public:
    /// Components of a symmetric traceless tensor.
    static constexpr std::size_t components = tensor_size<Dim> - 1;

    Viscosity(PressureTensor<Dim, Real> tensor, double interval, LagLadder ladder)
        : tensor_(std::move(tensor)), average_({components, interval, std::move(ladder)}) {}

    [[nodiscard]] std::vector<Quantity> quantities() const override { return {}; }
    [[nodiscard]] bool in_time() const override { return true; }
    [[nodiscard]] std::size_t width() const override { return PressureTensor<Dim, Real>::width; }
    [[nodiscard]] bool needs_energy() const override { return true; }
    void enqueue(ParticleSystem<Dim, Real>& system, double* row) override {
        tensor_.enqueue(system, row);
    }
    void digest(double time, std::span<const double> row) override;
    [[nodiscard]] std::vector<ArrayEstimate> estimates() const override;
    [[nodiscard]] std::vector<double> state() const override { return average_.state(); }
    void restore(std::span<const double> state) override { average_.restore(state); }

  private:
    PressureTensor<Dim, Real> tensor_;
    TransportAverage average_;
};

} // namespace shadow
