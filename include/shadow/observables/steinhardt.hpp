// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/observables/observable.hpp"

#include "kernels/ops/steinhardt.hpp"

namespace shadow {

/// Bond-orientational order in 3D (Steinhardt, Nelson and Ronchetti 1983, eqs. 1.3 and 1.4): q_l =
/// [4 pi/(2l+1) sum_m |q_lm|^2]^1/2 with q_lm the mean of Y_lm over the bonds to neighbours within
/// a radius, for l = 4 and 6; and the number of neighbours. q_4 and q_6 are 0.1909 and 0.5745 in
/// fcc, 0.0972 and 0.4848 in hcp, 0.0364 and 0.5107 in bcc (14 neighbours).
class SteinhardtOrder final : public Observable<3> {
  public:
    /// `global`: also of all bonds together, which decays as 1/sqrt(bonds) in a liquid.
    SteinhardtOrder(double radius, bool global, bool per_particle)
        : radius_(radius), global_(global), per_particle_(per_particle) {}

    /// steinhardt_4, steinhardt_6 and coordination, means over particles; global_steinhardt_4 ...
    [[nodiscard]] std::vector<Quantity> quantities() const override;
    [[nodiscard]] bool follows_tilt() const override { return true; }
    [[nodiscard]] std::optional<double> list_radius() const override { return radius_; }
    void set_list(int list) override { list_ = list; }
    void enqueue(ParticleSystem<3>& system, double* row) override;

    /// q_4, q_6 and coordination.
    [[nodiscard]] std::vector<Quantity> particle_quantities() const override;
    [[nodiscard]] std::vector<std::vector<double>>
    measure_particles(ParticleSystem<3>& system) override;

  private:
    static constexpr std::size_t local = 3; ///< numbers of each particle

    void sweep(ParticleSystem<3>& system, bool global);

    double radius_;
    bool global_, per_particle_;
    int list_ = -1;
    Array<double> order_; ///< [number][memory index]
    Array<BondHarmonics> harmonics_, all_;
};

} // namespace shadow
