// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/composition.hpp"

namespace shadow {

/// Reversible averaging (Leimkuhler and Reich 2001, J. Comput. Phys. 171, 95; 2004, eq. 10.18):
/// heavy atoms do a step of Verlet's method with the mean force of the first level over a motion of
/// the light atoms from -dt to dt in which the heavy ones are fixed; then light atoms move with the
/// forces of the first level, in `inner` steps, along the straight path of the heavy ones:
///
///     p <- p + dt F/2,   all p <- p + dt S/2,   move,   all p <- p + dt S/2,   p <- p + dt F/2
///
/// with F the mean force and S those of the other levels. Time-reversible, not symplectic.
class ReversibleAveraging final : public Integrator {
  public:
    /// Uses dt, levels, inner and light_mass.
    explicit ReversibleAveraging(const MethodSettings& settings);

    void step(System& system) override;
    [[nodiscard]] double dt() const override { return settings_.dt; }
    /// The word of RESPA with as many inner steps, by which light atoms move.
    [[nodiscard]] const Word& word() const override { return word_; }
    [[nodiscard]] Claims claims() const override;
    [[nodiscard]] double light_mass() const override { return settings_.light_mass; }

  private:
    MethodSettings settings_;
    Word word_;
};

} // namespace shadow
