// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/composition.hpp"
#include "shadow/integrators/integrator.hpp"

namespace shadow {

/// A thermostat that multiplies all momenta by one factor after each step of Verlet or RESPA. The
/// momenta keep their directions relative to each other, so that the dynamics is hardly perturbed.
/// The energy given to the particles is in Scalar::bath_heat.
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
    /// Friction f reduces the kinetic energy at the rate 2 f; by species the rate of the slowest.
    [[nodiscard]] double bath_rate() const override { return 0.5 / settings_.time.last(); }
    [[nodiscard]] std::int64_t steady_from() const override;
    [[nodiscard]] bool rescales() const override { return true; }
    [[nodiscard]] std::string conserved_name() const override {
        return "total energy minus bath heat";
    }

  protected:
    /// Uses dt, kT >= 0 and the time t > 0. `multiple`: with forces by level, slow forces in steps
    /// of dt.
    MomentumRescaling(const MethodSettings& settings, bool multiple);
    /// Measures kinetic energies and multiplies momenta by the factors that follow from them.
    virtual void rescale(System& system, double kT);
    /// Sets Scalar::momentum_factor, with Scalar::kinetic measured.
    virtual void choose_factor(System& system, double kT) = 0;

    /// The relaxation time of the kinetic energy, in this step.
    [[nodiscard]] double time(const System& system) const;

    MethodSettings settings_;

  private:
    Word word_;
};

/// Stochastic velocity rescaling (Bussi, Donadio and Parrinello 2007, J. Chem. Phys. 126, 014101):
/// the kinetic energy relaxes in a time t to its canonical distribution, by the exact solution of
/// its stochastic equation. With times by species the kinetic energy of each species relaxes by
/// itself, and total momentum is not conserved.
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
