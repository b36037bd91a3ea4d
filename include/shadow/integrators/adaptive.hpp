// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/composition.hpp"
#include "shadow/integrators/integrator.hpp"

#include <string_view>

namespace shadow {

/// Verlet's method with steps that follow the motion, and go back with it. They are found where
/// the particles are, so that no host waits. Averages have Scalar::step_weight as their weight.
class AdaptiveSteps : public Integrator {
  public:
    /// Throws SimulationError where what steps follow gives none at the start.
    void prepare(System& system) override;
    [[nodiscard]] double dt() const override { return settings_.dt; }
    [[nodiscard]] const Word& word() const override { return word_; }
    [[nodiscard]] bool adapts() const override { return true; }

  protected:
    AdaptiveSteps(const MethodSettings& settings, std::string_view word)
        : settings_(settings), word_(parse_word(word)) {}
    [[nodiscard]] const StepObjective& objective() const { return settings_.steps.objective; }
    [[nodiscard]] bool of_potential() const {
        return objective().of == StepMeasure::potential_energy;
    }
    /// A part of a step.
    [[nodiscard]] FlowTime part(double fraction) const {
        return {fraction * settings_.dt, Scalar::step_factor};
    }

    MethodSettings settings_;

  private:
    Word word_;
};

/// Adaptive Verlet (Huang and Leimkuhler 1997; Leimkuhler and Reich 2004, section 9.2.4), as a
/// symmetric composition (section 9.4) of drift and kick with the factor of the start of the step,
/// and of kick and drift with that of its end: what steps follow is taken where the one force of
/// the step is.
class AdaptiveVerlet final : public AdaptiveSteps {
  public:
    explicit AdaptiveVerlet(const MethodSettings& settings) : AdaptiveSteps(settings, "A½ B1 A½") {}
    void step(System& system) override;
    [[nodiscard]] Claims claims() const override;
};

/// Verlet's method with a density of steps that changes as its objective does along the motion
/// (Hairer and Söderlind 2005; Modin 2009, Paper III, "SYMM").
class StepDensityVerlet final : public AdaptiveSteps {
  public:
    explicit StepDensityVerlet(const MethodSettings& settings)
        : AdaptiveSteps(settings, "B½ A1 B½") {}
    void step(System& system) override;
    [[nodiscard]] Claims claims() const override;
};

/// Verlet's method with kicks over dt g(E - V, V) and the drift over dt g(T, E - T), of kinetic and
/// potential energies T and V and the energy E of the start: flows of a Hamiltonian e(T) + f(V) in
/// the fictive time, so that it is symplectic (Modin 2009, Paper III, "SYMP(T, V)").
class EnergyScaledVerlet final : public AdaptiveSteps {
  public:
    explicit EnergyScaledVerlet(const MethodSettings& settings)
        : AdaptiveSteps(settings, "B½ A1 B½") {}
    void prepare(System& system) override;
    void step(System& system) override;
    [[nodiscard]] Claims claims() const override;
};

} // namespace shadow
