// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/shadow_terms.hpp"
#include "shadow/observables/observable.hpp"

#include "kernels/ops/thermo.hpp"

namespace shadow {

/// The energy near the total one that steps conserve to a higher order (Leimkuhler and Reich 2004,
/// section 5.4). Second derivatives of the potential energy along the velocities are differences of
/// forces: two evaluations of all forces, and one that brings them back, at each measurement.
template <int Dim>
class ShadowEnergy final : public Observable<Dim> {
  public:
    /// Of steps `dt` of a method with these terms.
    ShadowEnergy(const ShadowTerms& terms, double dt) : terms_(terms), dt_(dt) {}

    [[nodiscard]] std::vector<Quantity> quantities() const override {
        return {{"shadow_energy", "energy"}};
    }
    [[nodiscard]] bool needs_energy() const override { return true; }
    void enqueue(ParticleSystem<Dim>& system, double* row) override;

  private:
    ShadowTerms terms_;
    double dt_;
    Array<ThermoSums<Dim>> sums_;
    Array<double> products_;
};

} // namespace shadow
