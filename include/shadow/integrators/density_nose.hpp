// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/nose_method.hpp"

namespace shadow {

/// Nosé-Poincaré for a density of the total energy E that is not Boltzmann's, exp(-F(E)/kT) F'(E)
/// with a flattened energy F(E): generalized density dynamics (Barth, Laird and Leimkuhler 2003, J.
/// Chem. Phys. 118, 5759; Leimkuhler and Reich 2004, section 11.4.2, eq. 11.31). Particles move
/// under the original forces and in real time, coupled to a bath whose temperature is kT/F'(E). All
/// flows are explicit except that of the bath, which needs an equation of two scalars; symplectic
/// and time-reversible. Samples have the weight exp((F(E) - E)/kT) / F'(E), so that averages are
/// canonical.
///
/// The momenta p of the system are canonical; physical ones are p / s. A step in which s would grow
/// or shrink fourfold, or whose equation has no solution, sets Scalar::failed.
class DensityNose final : public NoseMethod {
  public:
    /// Uses dt, kT > 0, the bath mass Q > 0 and the density of `settings`.
    explicit DensityNose(const MethodSettings& settings);

    /// Sets s = 1, pi = 0 and E_0 to the current F(E), to which weights are relative. Waits for the
    /// device.
    void prepare(System& system) override;
    void step(System& system) override;
    [[nodiscard]] Claims claims() const override;
    [[nodiscard]] ExtendedEnergy extended_energy(const System& system) const override;
    [[nodiscard]] bool boosts() const override { return true; }

  private:
    [[nodiscard]] DensityBath bath(const System& system) const;

    Boost density_;
};

} // namespace shadow
