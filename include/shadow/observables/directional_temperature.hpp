// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/observables/observable.hpp"

#include "kernels/ops/stress.hpp"

namespace shadow {

/// Temperature of the motion along each direction, temperature_x, ...: the sum of p^2 / m along the
/// direction divided by its share of the degrees of freedom, so that their mean is the temperature
/// of `Thermo`.
template <int Dim>
class DirectionalTemperature final : public Observable<Dim> {
  public:
    /// Arguments as in Thermo.
    DirectionalTemperature(double boltzmann, const ConservedMass<Dim>& conserved_mass)
        : boltzmann_(boltzmann), conserved_mass_(conserved_mass) {}

    [[nodiscard]] std::vector<Quantity> quantities() const override;
    [[nodiscard]] bool follows_box() const override { return true; }
    [[nodiscard]] bool follows_shear() const override { return true; }
    [[nodiscard]] bool needs_velocities() const override { return true; }
    void enqueue(ParticleSystem<Dim>& system, double* row) override;

  private:
    double boltzmann_;
    ConservedMass<Dim> conserved_mass_;
    Array<KineticSums<Dim>> sums_;
};

} // namespace shadow
