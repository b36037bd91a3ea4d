// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/composition.hpp"
#include "shadow/integrators/integrator.hpp"

#include <string_view>

namespace shadow {

/// Verlet's method with steps that follow the motion, and go back with it. They are found where
/// the particles are, so that no host waits. Averages have Scalar::step_weight as their weight.
/// With an interval of the settings a step of the run is as many of them as that takes, and output
/// is at even times: a step of Verlet's method leads back there from the first place behind it.
class AdaptiveSteps : public Integrator {
  public:
    /// Throws SimulationError where what steps follow gives none at the start.
    void prepare(System& system) override;
    /// With an interval the host looks at the time after each step of the method, or, where steps
    /// have a longest length, when they may have come to the end of it. Throws SimulationError
    /// where ten thousand do not.
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
    /// Measures what steps follow, but for the potential energy.
    void measure(System& system) const;
    /// Scalar::energy_0 <- that of the start, of which both parts have been measured.
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
/// symmetric composition (section 9.4) of drift and kick with the factor of the start of the step,
/// and of kick and drift with that of its end: what steps follow is taken where the one force of
/// the step is.
class AdaptiveVerlet final : public AdaptiveSteps {
  public:
    explicit AdaptiveVerlet(const MethodSettings& settings) : AdaptiveSteps(settings, "A½ B1 A½") {}
    [[nodiscard]] Claims claims() const override;

  protected:
    void advance(System& system) override;
};

/// Verlet's method with a density of steps that changes as its objective does along the motion
/// (Hairer and Söderlind 2005; Modin 2009, Paper III, "SYMM").
class StepDensityVerlet final : public AdaptiveSteps {
  public:
    explicit StepDensityVerlet(const MethodSettings& settings)
        : AdaptiveSteps(settings, "B½ A1 B½") {}
    [[nodiscard]] Claims claims() const override;

  protected:
    void advance(System& system) override;
};

/// Verlet's method with kicks over dt g(E - V, V) and the drift over dt g(T, E - T), of kinetic and
/// potential energies T and V and the energy E of the start: flows of a Hamiltonian e(T) + f(V) in
/// the fictive time, so that it is symplectic (Modin 2009, Paper III, "SYMP(T, V)").
class EnergyScaledVerlet final : public AdaptiveSteps {
  public:
    explicit EnergyScaledVerlet(const MethodSettings& settings)
        : AdaptiveSteps(settings, "B½ A1 B½") {}
    void prepare(System& system) override;
    [[nodiscard]] Claims claims() const override;

  protected:
    void advance(System& system) override;
};

/// Symplectic Euler for Poincaré's Hamiltonian g (K + V - E) in the fictive time, with g of the
/// potential energy V, between two half kicks that make it of second order: one evaluation of
/// forces and one quadratic equation of a scalar (Leimkuhler and Reich 2004, eqs. 9.33 and 9.34;
/// Modin 2009, Paper II, the time-transformed variational method with alpha = beta = 0).
class PoincareVerlet final : public AdaptiveSteps {
  public:
    /// Whatever the objective of the settings, it follows the potential energy.
    explicit PoincareVerlet(const MethodSettings& settings) : AdaptiveSteps(settings, "B½ A1 B½") {
        settings_.steps.objective.of = StepMeasure::potential_energy;
    }
    void prepare(System& system) override;
    [[nodiscard]] Claims claims() const override;

  protected:
    void advance(System& system) override;
};

} // namespace shadow
