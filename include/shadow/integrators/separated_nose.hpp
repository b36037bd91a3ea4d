// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/nose_method.hpp"

namespace shadow {

/// Constant temperature by the separated form of Nosé's Hamiltonian (Leimkuhler 2002, Comput. Phys.
/// Commun. 148, 206; Leimkuhler and Reich 2004, section 11.4), to which Verlet's method applies:
/// symplectic and time-reversible, and only the potential energy is measured. Its time lambda is
/// not real time: a step dt is dt s long in real time, so that steps follow the motion, and
/// averages weighted by their lengths are canonical if the motion is ergodic. g is the number of
/// degrees of freedom.
///
/// The momenta p of the system are canonical; physical ones are p / s. A changing temperature is
/// treated as in NosePoincare. A step in which s would grow or shrink fourfold sets Scalar::failed.
class SeparatedNose final : public NoseMethod {
  public:
    /// Uses dt, kT > 0 and the bath mass Q > 0 of `settings`.
    explicit SeparatedNose(const MethodSettings& settings);

    /// Sets s = 1, pi = 0 and E to the current energy. Waits for the device.
    void prepare(System& system) override;
    void step(System& system) override;
    [[nodiscard]] Claims claims() const override;
    [[nodiscard]] bool adapts() const override { return true; }
};

} // namespace shadow
