// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/nose_method.hpp"

namespace shadow {

/// Constant temperature by the Nosé-Poincaré Hamiltonian
///
///     s [sum p^2 / (2 m s^2) + V(q) + pi^2 / (2 Q) + g kT ln s - E]
///
/// whose time is real time: plain averages over equal steps are canonical if the motion is ergodic.
/// Generalized leapfrog, explicit except for one quadratic equation; symplectic and time-reversible
/// (Bond, Leimkuhler and Laird 1999; Leimkuhler and Reich 2004, eqs. 11.12 to 11.22). g is the
/// number of degrees of freedom of the system.
///
/// A changing temperature changes between steps, at constant s: g d(kT) ln s goes into E, so that H
/// stays 0, and into Scalar::work, which is not part of the conserved Nosé energy.
///
/// The momenta p of the system are canonical; physical ones are p / s. A step too large for the
/// quadratic equation sets Scalar::failed and leaves s and pi as they are.
class NosePoincare final : public NoseMethod {
  public:
    /// Uses dt, kT > 0 and the bath mass Q > 0 of `settings`.
    /// `multiple`: with forces by level, those of the first level in inner steps of the leapfrog;
    /// slow forces kick momenta and pi in between, by the exact flow of s (V - E) with the parts of
    /// V and E of the level.
    explicit NosePoincare(const MethodSettings& settings, bool multiple = false);

    /// Sets s = 1, pi = 0, and E, with its parts by level, to the current energy. Waits for the
    /// device.
    void prepare(System& system) override;
    void step(System& system) override;
    [[nodiscard]] Claims claims() const override;
    [[nodiscard]] int action_variables() const override { return multiple_ ? 0 : 1; }

  private:
    void step(System& system, ForceLevel level, double dt, double kT) const;
    void leapfrog(System& system, ForceLevel level, double dt, double kT, bool begins) const;
    void kick(System& system, ForceLevel level, double dt) const;

    bool multiple_;
};

} // namespace shadow
