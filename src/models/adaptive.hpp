// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/models/small_system.hpp"

#include "kernels/ops/step_control.hpp"

#include <functional>
#include <utility>

/// Steps that follow the motion, by a fictive time tau with equal steps: dt = g dtau (Leimkuhler
/// and Reich 2004, chapter 9).
namespace shadow::models {

/// g, a positive function of positions, and its gradient.
struct TimeScale {
    std::function<double(const double* q)> value;
    std::function<void(const double* q, double* gradient)> gradient;
};

/// |q|^power
[[nodiscard]] TimeScale power_of_radius(double power);

/// The rule for the factor of time at the end of a step.
enum class ScaleRule {
    mean,     ///< its mean with the factor at the start is g in the middle (eq. 9.19)
    harmonic, ///< its harmonic mean is (eq. 9.20)
    ends ///< it is g at the end, an equation: the generalized leapfrog method (eqs. 9.8 to 9.12)
};

/// A motion by a word of the engine over the first half of a step and by the reversed word over the
/// second, each with its own factor of time. `B1 A1` gives Adaptive Verlet.
class AdaptiveMotion {
  public:
    AdaptiveMotion(const Problem& problem, TimeScale scale, ScaleRule rule, double dtau,
                   Word half = parse_word("B1 A1"));

    /// A factor that is no longer positive is kept: the method has broken down.
    void step();
    [[nodiscard]] State state() const { return system_.state(false); }
    [[nodiscard]] double time() const { return time_; }
    [[nodiscard]] double factor() const { return factor_; }
    /// The factor over g, minus one, which oscillates from step to step.
    [[nodiscard]] double wobble() const;
    [[nodiscard]] bool broken() const { return !(factor_ > 0.0); }
    /// Reverses the motion from here on.
    void flip() { system_.flip(); }

  private:
    [[nodiscard]] double next_factor() const;

    SmallSystem system_;
    TimeScale scale_;
    ScaleRule rule_;
    Word half_, back_;
    double dtau_, factor_, time_ = 0.0;
};

/// A state and its time.
struct TimedState {
    State z;
    double time = 0.0;
};

/// K = g(q) (H - E), whose motion is that of H with the energy E in the fictive time tau
/// (Poincaré's transformation).
class Poincare {
  public:
    /// E is the energy at the start of `problem`.
    Poincare(Problem problem, TimeScale scale);

    /// Symplectic Euler, momenta first, by one quadratic equation (eqs. 9.33 and 9.34). Throws
    /// std::runtime_error if the equation has no solution: the step is too long.
    void euler(TimedState& s, double dtau) const;
    /// Its adjoint, by one equation for g (eqs. 9.35 to 9.37).
    void adjoint(TimedState& s, double dtau) const;
    /// Both, half a step each: order two.
    void symmetric(TimedState& s, double dtau) const;
    /// The implicit midpoint rule.
    void midpoint(TimedState& s, double dtau) const;
    [[nodiscard]] double value(const State& z) const;
    [[nodiscard]] double energy() const { return energy_; }

  private:
    [[nodiscard]] double kinetic(const State& z) const;

    Problem problem_;
    TimeScale scale_;
    double energy_;
};

/// Steps eps / rho with a density rho of steps that follows Q: rho' = d log Q / dt. Half of its
/// change, a step, and half of its change with the rate at the end (Hairer and Söderlind 2005;
/// Modin 2009, Paper III, algorithm "SYMM").
class StepDensity {
  public:
    /// `step` is a time-reversible method; `rate` is d log Q / dt of a state.
    StepDensity(std::function<void(State& z, double dt)> step,
                std::function<double(const State& z)> rate, double eps, double density)
        : step_(std::move(step)), rate_(std::move(rate)), eps_(eps), density_(density) {}

    void step(TimedState& s);
    [[nodiscard]] double density() const { return density_; }

  private:
    std::function<void(State& z, double dt)> step_;
    std::function<double(const State& z)> rate_;
    double eps_, density_;
};

} // namespace shadow::models
