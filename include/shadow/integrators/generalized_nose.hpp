// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/nose_poincare.hpp"

namespace shadow {

/// Constant temperature by a Nosé-Poincaré Hamiltonian whose bath has further variables besides s:
/// two oscillators, with the masses Q/g and 3 Q/g ("vertex"), or three soft balls in a trap, of
/// mass Q/g, with energies in units of kT (Leimkuhler and Reich 2004, section 11.4). They make s
/// decorrelate where a single variable would stay on one torus, as with one oscillator or a few
/// stiff ones. Time is real time: plain averages over equal steps are canonical.
///
/// A splitting into s times V - E, the kinetic energies and the bath; the bath is solved by the
/// generalized leapfrog method, with one quadratic equation. Symplectic and time-reversible.
///
/// The momenta p of the system are canonical; physical ones are p / s. A changing temperature and a
/// step that is too large are treated as in NosePoincare.
class GeneralizedNose final : public NoseMethod {
  public:
    enum class Bath { vertex, balls };
    /// Uses dt, kT > 0 and the bath mass Q > 0 of `settings`.
    GeneralizedNose(const MethodSettings& settings, Bath bath);

    /// Sets s = 1, pi = 0, the variables of the bath to a start without symmetry, and E to the
    /// current energy. Waits for the device.
    void prepare(System& system) override;
    void step(System& system) override;
    [[nodiscard]] Claims claims() const override;
    [[nodiscard]] ExtendedEnergy extended_energy(const System& system) const override;
    [[nodiscard]] std::string conserved_name() const override {
        return bath_ == Bath::vertex ? "Nosé energy with two oscillators"
                                     : "Nosé energy with three balls";
    }

  private:
    /// The bath at a step of the stage.
    [[nodiscard]] GeneralizedBath bath(const System& system, double step) const;

    Bath bath_;
};

} // namespace shadow
