// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/integrator.hpp"
#include "shadow/observables/stress.hpp"

namespace shadow {

/// What a fluid in shear resists it with, from the pressure tensor with momenta relative to the
/// flow: the shear stress -P_xy, with the flow along x and its gradient along y; over the rate of
/// the shear, where that is not 0, the viscosity, or where it changes the rate; and the differences
/// of normal stresses, P_yy - P_xx and, in space, P_zz - P_yy (Evans and Morriss 2008, chapter 6).
template <int Dim>
class ShearFlow final : public Observable<Dim> {
  public:
    /// `method`, which keeps the fluid in shear, must outlive it; null: at rest.
    ShearFlow(FluxScale<Dim> scale, const Integrator* method) : pressure_(scale), method_(method) {}

    [[nodiscard]] std::vector<Quantity> quantities() const override;
    [[nodiscard]] bool needs_energy() const override { return true; }
    [[nodiscard]] bool follows_shear() const override { return true; }
    void enqueue(ParticleSystem<Dim>& system, double* row) override;

  private:
    [[nodiscard]] bool changes() const { return method_ && method_->shear_changes(); }

    PressureTensor<Dim> pressure_;
    const Integrator* method_;
    Array<double> tensor_;
};

} // namespace shadow
