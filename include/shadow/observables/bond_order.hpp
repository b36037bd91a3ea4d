// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/observables/observable.hpp"

#include "kernels/ops/bond_order.hpp"
#include "kernels/ops/global_order.hpp"

#include <vector>

namespace shadow {

/// Enqueues BondOrder of each particle for `folds` (ascending) with neighbours within `radius`,
/// which is at most that of `list`. `order` has folds.size() numbers per particle; `psi` has twice
/// as many, or is null.
void sweep_bond_order(ParticleSystem<2>& system, int list, double radius,
                      std::span<const int> folds, double* order, double* psi);

/// Bond-orientational order of a planar system, mu_m of Leimkuhler and Reich 2004, section 4.5.1:
/// the sum over particles and over unordered pairs of their neighbours within `radius` of cos(m
/// theta), theta being the angle between the two bonds. Per particle it provides psi_m = (1/n) sum
/// exp(i m a) over the n neighbours (0 if there are none). The global order is the modulus of the
/// mean of psi_m over particles; the variance of this modulus times the number of particles is its
/// susceptibility (Weber, Marx and Binder 1995, Phys. Rev. B 51, 14636).
class BondOrderParameter final : public Observable<2> {
  public:
    /// `folds`: at most BondOrder::max_folds different numbers m >= 1, ascending; `radius` in units
    /// of length.
    /// `global`: the number of particles, for the global order too; 0: only mu_m.
    BondOrderParameter(std::vector<int> folds, double radius, bool per_particle,
                       std::int64_t global = 0);

    /// bond_order_4, ...; with `global` also global_psi_4, ...
    [[nodiscard]] std::vector<Quantity> quantities() const override;
    [[nodiscard]] bool follows_tilt() const override { return true; }
    [[nodiscard]] std::optional<double> list_radius() const override { return radius_; }
    void set_list(int list) override { list_ = list; }
    void enqueue(ParticleSystem<2>& system, double* row) override;

    /// psi_4, ...: real and imaginary parts.
    [[nodiscard]] std::vector<Quantity> particle_quantities() const override;
    [[nodiscard]] std::vector<std::vector<double>>
    measure_particles(ParticleSystem<2>& system) override;

  private:
    void sweep(ParticleSystem<2>& system, bool with_psi);

    std::vector<int> folds_;
    double radius_;
    bool per_particle_;
    std::int64_t global_;
    int list_ = -1;
    Array<double> order_, psi_; ///< per particle, in memory order; see BondOrder
    Array<OrderSum> sums_;      ///< sums of psi, by fold
};

} // namespace shadow
