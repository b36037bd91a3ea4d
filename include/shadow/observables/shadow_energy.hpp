// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/shadow_terms.hpp"
#include "shadow/observables/observable.hpp"

#include "kernels/ops/shadow_energy.hpp"
#include "kernels/ops/thermo.hpp"

namespace shadow {

/// The energy near the total energy that steps conserve up to the fourth power of the step
/// (Leimkuhler and Reich 2004, section 5.4). Second derivatives of the potential energy along the
/// velocities are differences of forces: each measurement needs two evaluations of all forces, and
/// one that restores them.
template <int Dim>
class ShadowEnergy final : public Observable<Dim> {
  public:
    /// For steps `dt` of a method with these terms.
    ShadowEnergy(const ShadowTerms& terms, double dt) : terms_(terms), dt_(dt) {}

    [[nodiscard]] std::vector<Quantity> quantities() const override {
        return {{"shadow_energy", "energy"}};
    }
    [[nodiscard]] bool follows_tilt() const override { return true; }
    [[nodiscard]] bool needs_energy() const override { return true; }
    void enqueue(ParticleSystem<Dim>& system, double* row) override;

  private:
    ShadowTerms terms_;
    double dt_;
    Array<ThermoSums<Dim>> sums_;
    Array<double> products_;
};

/// Weights of the points 0 .. k of a path with steps h that give its energy up to the power 2 k =
/// `order` of h:
///
///     sum_(i < j) w_ij ((q_j - q_i).(p_i + p_j) / 2 - (S_j - S_i)),
///     w_ij = -(-1)^(i + j) binomial(k, i) binomial(k, j) / (binomial(2 k - 1, k) (j - i) h),
///
/// with S the action along drifts and kicks. Points lie on the flow of a Hamiltonian, and its
/// homogeneous extension (Skeel and Hardy 2001, SIAM J. Sci. Comput. 23, 1172) is constant and
/// equals half the product y.J^T y' of y = (q, 1, p, beta): each bracket is -y_i.J y_j / 2. So it
/// is h (j - i) times the energy, plus terms (i + j)^m (j - i)^(2 l + 1) with l > 0. The sum over i
/// and j of (-1)^(i + j) binomial(k, i) binomial(k, j) times a polynomial of degree below 2 k
/// vanishes if the polynomial vanishes at i = j; the sum of w_ij (j - i) h is 1.
[[nodiscard]] PathWeights path_weights(int order, double h);

/// The same energy up to any even power of the step, from the last steps as they were taken,
/// without derivatives of forces (Engle, Skeel and Drees 2005, J. Comput. Phys. 206, 432). For
/// linear forces it is constant to rounding.
template <int Dim>
class PathEnergy final : public Observable<Dim> {
  public:
    /// For a method of drifts and kicks with steps `dt`; `order` from 2 to 24; `every`: steps
    /// between rows. `starts_with_kick`: forces at full steps are those of kicks. `variables`:
    /// number of bath variables that Scalar::action includes.
    PathEnergy(int order, double dt, std::int64_t every, bool starts_with_kick, int variables = 0);

    [[nodiscard]] std::vector<Quantity> quantities() const override {
        return {{"shadow_energy", "energy"}};
    }
    [[nodiscard]] bool follows_tilt() const override { return true; }
    /// Otherwise the first kick after the first look would evaluate the energies again.
    [[nodiscard]] bool needs_energy() const override { return starts_with_kick_; }
    [[nodiscard]] std::int64_t looks_back() const override { return weights_.points - 1; }
    void look(ParticleSystem<Dim>& system) override;
    void enqueue(ParticleSystem<Dim>& system, double* row) override;

    /// The stored points of an incomplete row.
    [[nodiscard]] std::vector<double> state() const override;
    void restore(std::span<const double> state) override;

  private:
    /// Numbers per point.
    [[nodiscard]] std::size_t numbers(const ParticleSystem<Dim>& system) const;

    PathWeights weights_;
    std::int64_t every_;
    bool starts_with_kick_;
    int variables_;
    std::int64_t looks_ = 0, last_ = 0; ///< consecutive looks, and the step of the last one
    Array<double> path_, action_;       ///< points in a ring, by step
    std::vector<double> restored_;      ///< both, not yet copied to the backend
    Array<double> products_;
};

} // namespace shadow
