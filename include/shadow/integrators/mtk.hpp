// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/isobaric.hpp"
#include "shadow/integrators/nose_hoover.hpp"

namespace shadow {

/// Constant temperature and pressure by deterministic equations: a box with a mass, whose lengths
/// change uniformly or by groups of directions, and chains of Nosé-Hoover thermostats on the box
/// and on the particles (Martyna, Tobias and Klein 1994, J. Chem. Phys. 101, 4177), and their
/// reversible splitting (Martyna, Tuckerman, Tobias and Klein 1996, Mol. Phys. 87, 1117), with
/// Verlet's method. Needs energies and the virial at each step.
///
/// The mass of each of the d directions is (g + d) kT (t / 2 pi)^2 / d with the period t of the
/// settings. One chain thermostats all m groups: its masses are m and 1 times kT (t / 2 pi)^2.
/// Where total momentum is conserved, as with translation-invariant forces, the products V_k of the
/// lengths of each group have the density V^(N-1) exp(-P V / kT) times the mean of exp(-U / kT),
/// with dV_k as the measure. So <V (P_k - P)> = -kT for the mean P_k of the pressure along the
/// directions of a group, and <P_k> = P where it is the only group.
class MartynaTobiasKlein final : public Integrator {
  public:
    MartynaTobiasKlein(const NoseHoover& method, const BarostatSettings& settings, int dimension);

    /// Sets box and chains at rest. Waits for the device.
    void prepare(System& system) override;
    void step(System& system) override;
    [[nodiscard]] double dt() const override { return method_.dt(); }
    [[nodiscard]] const Word& word() const override { return method_.word(); }
    [[nodiscard]] Claims claims() const override;
    [[nodiscard]] ExtendedEnergy extended_energy(const System& system) const override;
    [[nodiscard]] double bath_period(double g) const override { return method_.bath_period(g); }
    [[nodiscard]] std::optional<double> bath_kT() const override { return method_.bath_kT(); }
    [[nodiscard]] std::int64_t steady_from() const override {
        return std::max(method_.steady_from(), settings_.pressure.steady_from());
    }
    [[nodiscard]] std::optional<double> pressure() const override {
        return settings_.pressure.last();
    }
    [[nodiscard]] bool holds_pressure() const override { return settings_.holds_all(dimension_); }
    [[nodiscard]] bool changes_shape() const override {
        return settings_.changes_shape(dimension_);
    }
    [[nodiscard]] double missing_pressure(double) const override { return 0.0; }
    [[nodiscard]] std::string conserved_name() const override {
        return "Martyna-Tobias-Klein energy";
    }

  private:
    /// With the temperature and the pressure at a step of the stage; masses are those of the last
    /// temperature.
    [[nodiscard]] NoseHooverChain box_chain(double step) const;
    [[nodiscard]] BoxMotion box(const System& system, double step) const;
    /// Scales momenta by the motion of the box, over a quarter of a step.
    void slow_momenta(System& system) const;
    /// Changes temperature and pressure from one step to the next; the energy of this change is not
    /// energy of the particles.
    void change(System& system, double step) const;

    NoseHoover method_;
    BarostatSettings settings_;
    int dimension_;
};

} // namespace shadow
