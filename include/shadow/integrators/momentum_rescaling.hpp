// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/composition.hpp"
#include "shadow/integrators/integrator.hpp"

namespace shadow {

/// A thermostat which after each step of Verlet, or of RESPA, multiplies all momenta by one number.
/// They keep their directions relative to each other, so that the dynamics is hardly changed. What
/// momenta are given is in Scalar::bath_heat.
class MomentumRescaling : public Integrator {
  public:
    void prepare(System& system) override;
    void step(System& system) override;
    [[nodiscard]] double dt() const override { return settings_.dt; }
    [[nodiscard]] const Word& word() const override { return word_; }
    [[nodiscard]] std::optional<double> bath_kT() const override { return settings_.kT.last(); }
    [[nodiscard]] std::optional<double> bath_kT_at(double step) const override {
        return settings_.kT.at(step);
    }
    /// Friction f takes the kinetic energy away at the rate 2 f; by species that of the slowest.
    [[nodiscard]] double bath_rate() const override { return 0.5 / settings_.time.last(); }
    [[nodiscard]] std::int64_t steady_from() const override;
    [[nodiscard]] bool rescales() const override { return true; }
    [[nodiscard]] std::string conserved_name() const override {
        return "total energy minus bath heat";
    }

  protected:
    /// Uses dt, kT >= 0 and the time t > 0. `multiple`: with forces by level, those of the slow
    /// ones in steps of dt.
    MomentumRescaling(const MethodSettings& settings, bool multiple);
    /// Measures kinetic energies and multiplies momenta by what follows.
    virtual void rescale(System& system, double kT);
    /// Sets Scalar::momentum_factor, with Scalar::kinetic measured.
    virtual void choose_factor(System& system, double kT) = 0;

    /// In which the kinetic energy relaxes, in this step.
    [[nodiscard]] double time(const System& system) const;

    MethodSettings settings_;

  private:
    Word word_;
};

/// Stochastic velocity rescaling (Bussi, Donadio and Parrinello 2007, J. Chem. Phys. 126, 014101):
/// the kinetic energy relaxes in a time t to that of a canonical ensemble, by the exact solution of
/// its stochastic equation. With times by species that of each of them does so by itself; the
/// momentum of the whole is not conserved then.
class StochasticRescaling final : public MomentumRescaling {
  public:
    explicit StochasticRescaling(const MethodSettings& settings, bool multiple = false)
        : MomentumRescaling(settings, multiple) {}
    [[nodiscard]] Claims claims() const override;
    [[nodiscard]] std::vector<std::string> bath_species() const override {
        return names_of(settings_.times);
    }
    [[nodiscard]] bool scales_species() const override { return settings_.times.size() > 1; }

  protected:
    void rescale(System& system, double kT) override;
    void choose_factor(System& system, double kT) override;
};

/// Weak coupling (Berendsen, Postma, van Gunsteren, DiNola and Haak 1984, J. Chem. Phys. 81, 3684,
/// eq. 11): the same without noise. It samples no ensemble: the kinetic energy fluctuates too
/// little.
class WeakCoupling final : public MomentumRescaling {
  public:
    explicit WeakCoupling(const MethodSettings& settings, bool multiple = false)
        : MomentumRescaling(settings, multiple) {}
    [[nodiscard]] Claims claims() const override;
    [[nodiscard]] bool samples_ensemble() const override { return false; }

  protected:
    void choose_factor(System& system, double kT) override;
};

} // namespace shadow
