// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/nose_method.hpp"

namespace shadow {

/// Constant temperature by the Nosé-Poincaré Hamiltonian by exact flows only: C½ B½ A1 B½ C½ of the
/// bath's kinetic energy C, the potential energy B and the rest A, each times s (Nosé 2001, J.
/// Phys. Soc. Jpn. 70, 75; Leimkuhler and Reich 2004, section 11.4). Explicit: no equation is
/// solved. Symplectic and time-reversible, in real time.
///
/// With a chain of several thermostats each scales the particles and the thermostats before it, all
/// over the same time (Leimkuhler and Sweet 2005, SIAM J. Appl. Dyn. Syst. 4, 187): a single
/// oscillator is sampled canonically. The bounding function of their logarithms is a parabola here.
///
/// The momenta p of the system are canonical; physical ones are p / s. A changing temperature is
/// treated as in NosePoincare. A step in which s would turn negative, or grow fourfold, sets
/// Scalar::failed.
class ExplicitNose final : public NoseMethod {
  public:
    /// Uses dt, kT > 0, the bath mass Q > 0 and the length of the chain of `settings`.
    explicit ExplicitNose(const MethodSettings& settings);

    /// Sets s = 1, pi = 0, further thermostats to 1 with energies of kT/2, and E to the current
    /// energy. Waits for the device.
    void prepare(System& system) override;
    void step(System& system) override;
    [[nodiscard]] Claims claims() const override;
    [[nodiscard]] ExtendedEnergy extended_energy(const System& system) const override;
    [[nodiscard]] int action_variables() const override { return settings().chain; }

  private:
    /// The bath at a step of the stage.
    [[nodiscard]] RecursiveBath bath(const System& system, double step) const;
};

} // namespace shadow
