// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/composition.hpp"
#include "shadow/integrators/integrator.hpp"

namespace shadow {

/// Constant temperature by a chain of Nosé-Hoover thermostats: friction v_1 on all momenta, driven
/// by the excess of the kinetic energy over g kT / 2, and on each v_k the friction of the next one
/// (Martyna, Klein and Tuckerman 1992, J. Chem. Phys. 97, 2635). The chain acts for half a step
/// before and after a step of Verlet or of RESPA (Martyna, Tuckerman, Tobias and Klein 1996, Mol.
/// Phys. 87, 1117): of second order, or a composition of such steps; time-reversible, but not
/// symplectic in q and p. Momenta are physical ones.
///
/// Masses are g and 1 times 2 kT (t / 2 pi)^2, with which the temperature oscillates with the
/// period t. A changing temperature changes between steps; masses are those of its last value, and
/// the change of the energy of the chain is in Scalar::work.
///
/// With periods by species each species has its own chain and its own degrees of freedom, one for
/// each component of its momenta; total momentum is not conserved then.
class NoseHoover final : public Integrator {
  public:
    /// Uses dt, kT > 0, the period t > 0, or those by species, and the length of the chain, 1 to
    /// max_chain. `multiple`: with forces by level, slow forces in steps of dt.
    explicit NoseHoover(const MethodSettings& settings, bool multiple = false);

    /// Sets the chain at rest. Waits for the device.
    void prepare(System& system) override;
    void step(System& system) override;
    [[nodiscard]] double dt() const override { return settings_.dt; }
    [[nodiscard]] const Word& word() const override { return word_; }
    [[nodiscard]] Claims claims() const override;
    [[nodiscard]] ExtendedEnergy extended_energy(const System& system) const override;
    [[nodiscard]] std::optional<double> bath_kT() const override { return settings_.kT.last(); }
    [[nodiscard]] std::optional<double> bath_kT_at(double step) const override {
        return settings_.kT.at(step);
    }
    [[nodiscard]] double bath_period(double) const override { return settings_.period; }
    [[nodiscard]] std::vector<std::string> bath_species() const override {
        return names_of(settings_.periods);
    }
    [[nodiscard]] bool scales_species() const override { return settings_.periods.size() > 1; }
    [[nodiscard]] std::int64_t steady_from() const override { return settings_.kT.steady_from(); }
    [[nodiscard]] std::string conserved_name() const override { return "Nosé-Hoover energy"; }

    /// The chain at a temperature, and its number of thermostats.
    [[nodiscard]] NoseHooverChain chain(const System& system, double kT) const;
    [[nodiscard]] int length() const { return settings_.chain; }

  private:
    /// The chains of the species of a system.
    [[nodiscard]] SpeciesChains species_chains(const System& system, double kT) const;
    void begin_species(System& system) const;
    /// Does the parts of a step.
    void move(System& system, const NoseHooverChain& chain, double dt) const;
    void move(System& system, const SpeciesChains& chains, double dt) const;

    MethodSettings settings_;
    std::vector<double> parts_;
    Word word_, part_; ///< of a step, and of one of its parts
};

} // namespace shadow
