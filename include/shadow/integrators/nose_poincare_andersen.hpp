// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/isobaric.hpp"
#include "shadow/integrators/nose_poincare.hpp"

#include <algorithm>

namespace shadow {

/// Constant temperature and pressure by the Nosé-Poincaré-Andersen Hamiltonian
///
///     s [sum p^2 / (2 m s^2 V^(2/d)) + U(V^(1/d) q) + pi_V^2 / (2 Q_V) + pi^2 / (2 Q) + P V
///        + g kT ln s - E]
///
/// with positions q in units of the lengths of the box, whose volume V is a coordinate. Its time is
/// real time. Generalized leapfrog: explicit except for one quadratic equation, symplectic and
/// time-reversible (Sturgeon and Laird 2000, J. Chem. Phys. 112, 3474). Needs energies and the
/// virial at each step.
///
/// The system holds positions V^(1/d) q and momenta p / V^(1/d); physical ones are these divided by
/// s. Q_V is (g + d) kT (t / 2 pi)^2 / (d V)^2, with the volume at the beginning of the stage and
/// the period t of the settings: at that volume the box oscillates as one by Martyna, Tobias and
/// Klein does. The ensemble is the same: V has the density V^(N-1) exp(-P V / kT) times the mean of
/// exp(-U / kT) where total momentum is conserved, and the mean of the pressure is P.
class NosePoincareAndersen final : public Integrator {
  public:
    /// `method` must have one level of forces.
    NosePoincareAndersen(const NosePoincare& method, const BarostatSettings& settings,
                         int dimension);

    /// Sets s = 1, E to the current energy and Q_V; bath and box begin at rest. Waits for the
    /// device.
    void prepare(System& system) override;
    void step(System& system) override;
    [[nodiscard]] double dt() const override { return method_.dt(); }
    [[nodiscard]] const Word& word() const override { return method_.word(); }
    [[nodiscard]] Claims claims() const override;
    [[nodiscard]] bool has_bath_variables() const override { return true; }
    [[nodiscard]] ExtendedEnergy extended_energy(const System& system) const override;
    [[nodiscard]] double bath_period(double g) const override { return method_.bath_period(g); }
    [[nodiscard]] std::optional<double> bath_kT() const override { return method_.bath_kT(); }
    [[nodiscard]] std::int64_t steady_from() const override {
        return std::max(method_.steady_from(), settings_.pressure.steady_from());
    }
    [[nodiscard]] std::optional<double> pressure() const override {
        return settings_.pressure.last();
    }
    [[nodiscard]] double missing_pressure(double) const override { return 0.0; }
    [[nodiscard]] std::string conserved_name() const override {
        return "Nosé-Poincaré-Andersen energy";
    }

  private:
    /// With the pressure at a step of the stage.
    [[nodiscard]] AndersenBox box(double step) const;
    /// Changes temperature and pressure from one step to the next; the energy of this change is not
    /// energy of the particles.
    void change(System& system, double step) const;

    NosePoincare method_;
    BarostatSettings settings_;
    int dimension_;
};

} // namespace shadow
