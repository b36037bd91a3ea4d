// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/observables/stress.hpp"

namespace shadow {

/// What a fluid in shear resists it with, from the pressure tensor with momenta relative to the
/// flow: the shear stress -P_xy, with the flow along x and its gradient along y; over the rate of
/// the shear, where that is not 0, the viscosity; and the differences of normal stresses, P_yy -
/// P_xx and, in space, P_zz - P_yy (Evans and Morriss 2008, chapter 6).
template <int Dim>
class ShearFlow final : public Observable<Dim> {
  public:
    ShearFlow(FluxScale<Dim> scale, double rate) : pressure_(scale), rate_(rate) {}

    [[nodiscard]] std::vector<Quantity> quantities() const override;
    [[nodiscard]] bool needs_energy() const override { return true; }
    [[nodiscard]] bool follows_shear() const override { return true; }
    void enqueue(ParticleSystem<Dim>& system, double* row) override;

  private:
    PressureTensor<Dim> pressure_;
    double rate_;
    Array<double> tensor_;
};

} // namespace shadow
