// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/composition.hpp"
#include "shadow/integrators/integrator.hpp"

#include <string_view>

namespace shadow {

/// Verlet's method with steps that follow the motion and are reversible. Step lengths are computed
/// where the particles are stored, so that the host never waits. Averages are weighted by
/// Scalar::step_weight. With an interval in the settings, a step of the run is as many steps of the
/// method as reach its end, and output is at even times: a step of Verlet's method leads back there
/// from the end of the first step beyond.
class AdaptiveSteps : public Integrator {
  public:
    /// Throws SimulationError where the objective gives no step length at the start.
    void prepare(System& system) override;
    /// With an interval the host reads the time after each step of the method, or, where steps have
    /// a longest length, when they may have reached its end. Throws SimulationError if ten thousand
    /// steps do not reach it.
    void step(System& system) final;
    [[nodiscard]] double dt() const override {
        return is_even() ? settings_.steps.interval : settings_.dt;
    }
    [[nodiscard]] double flow_time() const override { return settings_.dt; }
    [[nodiscard]] const Word& word() const override { return word_; }
    [[nodiscard]] bool adapts() const override { return true; }
    [[nodiscard]] bool follows_pair_sum() const override {
        return objective().of == StepMeasure::pair_sum;
    }
    [[nodiscard]] bool is_even() const override { return settings_.steps.interval > 0.0; }
    [[nodiscard]] bool has_output_state() const override { return is_even(); }
    void go_to_output(System& system) override;
    [[nodiscard]] std::string note_of_start(System& system) const override;

  protected:
    /// One step of the method, without declaring its end.
    virtual void advance(System& system) = 0;
    /// Measures the objective, except for the potential energy.
    void measure(System& system) const;
    /// Scalar::energy_0 <- the energy at the start, of which both parts have been measured.
    static void keep_energy(System& system);
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
    void advance_to(System& system, double time);

    Word word_;
};

/// Adaptive Verlet (Huang and Leimkuhler 1997; Leimkuhler and Reich 2004, section 9.2.4), as a
/// symmetric composition (section 9.4) of drift and kick with the step factor of the start of the
/// step, and of kick and drift with that of its end: the objective is measured at the positions of
/// the only force evaluation of the step.
class AdaptiveVerlet final : public AdaptiveSteps {
  public:
    explicit AdaptiveVerlet(const MethodSettings& settings) : AdaptiveSteps(settings, "A½ B1 A½") {}
    [[nodiscard]] Claims claims() const override;

  protected:
    void advance(System& system) override;
};

/// Verlet's method with a density of steps that changes with its objective along the motion (Hairer
/// and Söderlind 2005; Modin 2009, Paper III, "SYMM").
class StepDensityVerlet final : public AdaptiveSteps {
  public:
    explicit StepDensityVerlet(const MethodSettings& settings)
        : AdaptiveSteps(settings, "B½ A1 B½") {}
    [[nodiscard]] Claims claims() const override;

  protected:
    void advance(System& system) override;
};

/// Verlet's method with kicks over dt g(E - V, V) and the drift over dt g(T, E - T), where T and V
/// are the kinetic and potential energies and E is the energy at the start: flows of a Hamiltonian
/// e(T) + f(V) in the fictive time, so that it is symplectic (Modin 2009, Paper III, "SYMP(T, V)").
class EnergyScaledVerlet final : public AdaptiveSteps {
  public:
    explicit EnergyScaledVerlet(const MethodSettings& settings)
        : AdaptiveSteps(settings, "B½ A1 B½") {}
    void prepare(System& system) override;
    [[nodiscard]] Claims claims() const override;

  protected:
    void advance(System& system) override;
};

/// Symplectic Euler for Poincaré's Hamiltonian g (K + V - E) in the fictive time, with g a function
/// of the potential energy V, between two half kicks that make it of second order: one force
/// evaluation and one scalar quadratic equation (Leimkuhler and Reich 2004, eqs. 9.33 and 9.34;
/// Modin 2009, Paper II, the time-transformed variational method with alpha = beta = 0).
class PoincareVerlet final : public AdaptiveSteps {
  public:
    /// The objective is the potential energy, whatever the settings give.
    explicit PoincareVerlet(const MethodSettings& settings) : AdaptiveSteps(settings, "B½ A1 B½") {
        settings_.steps.objective.of = StepMeasure::potential_energy;
    }
    void prepare(System& system) override;
    [[nodiscard]] Claims claims() const override;

  protected:
    void advance(System& system) override;
};

} // namespace shadow
