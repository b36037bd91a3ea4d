// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/models/runge_kutta.hpp"
#include "src/models/small_system.hpp"

/// A particle of mass 1 in 3D in a uniform magnetic field b along z, p' = b x p - grad V. Momenta
/// are the kinetic ones, p = q', so that H = |p|^2 / 2 + V with a structure matrix that is not the
/// canonical one (Leimkuhler and Reich 2004, section 4.4.1). The fast flow is the motion without V,
/// exact; B½ A1 B½ is Scovel's method.
namespace shadow::models {

class ChargedParticle final : public SplitModel {
  public:
    /// V and the start are those of `problem`.
    ChargedParticle(Problem problem, double field)
        : problem_(std::move(problem)), field_(field), gradient_(3) {}

    void fast(State& z, double t) const override;
    void slow(State& z, double t) const override;
    [[nodiscard]] double energy(const State& z) const override;
    [[nodiscard]] std::size_t size() const override { return 6; }

    /// b.(q x (p - b x q / 2)), which is conserved where V has the symmetry of the field.
    [[nodiscard]] double magnetic_momentum(const State& z) const;
    [[nodiscard]] Rate rate() const;
    [[nodiscard]] const Problem& problem() const { return problem_; }

  private:
    Problem problem_;
    double field_;
    mutable std::vector<double> gradient_;
};

/// V = -1 / |q|, from (1, 1, 1) at rest.
[[nodiscard]] Problem attraction();
/// The restricted three-body problem of the earth and the moon, in rotating axes: V = -(x^2 + y^2)
/// / 2 - m / |q - moon| - (1 - m) / |q - earth| with the field -2, on Arenstorf's orbit (Leimkuhler
/// and Reich 2004, section 6.5.1).
[[nodiscard]] Problem three_bodies();
inline constexpr double arenstorf_period = 17.06521656015796255;

} // namespace shadow::models
