// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/models/split_model.hpp"

#include "shadow/integrators/flow_word.hpp"

/// A slow oscillator (q, p) and a fast one (x, p_x) that depends on q, H = (p^2 + q^2) / 2 + H_fast
/// (Leimkuhler and Reich 2004, sections 10.1.4 and 10.2). State (q, x, p, p_x).
namespace shadow::models {

/// The value of most figures.
inline constexpr double eps_of_figures = 1.0 / 40.0;

class SlowFastModel : public SplitModel {
  public:
    /// The slow oscillator rotates; the fast one is fixed.
    void slow(State& z, double t) const override;
    [[nodiscard]] double energy(const State& z) const override;
    [[nodiscard]] std::size_t size() const override { return 4; }

    [[nodiscard]] virtual double fast_energy(const State& z) const = 0;
    /// H_fast over the frequency of x: conserved by the fast motion while q changes slowly.
    [[nodiscard]] virtual double action(const State& z) const = 0;
    /// Mean of the fast force on q over times from -`window` to `window`, with q fixed.
    [[nodiscard]] virtual double mean_force(const State& z, double window) const = 0;
    /// The motion of x and p_x alone, while q moves with a constant velocity.
    virtual void follow(State& z, double velocity, double t) const = 0;
};

/// H_fast = (p_x^2 + (x - q)^2) / 2 eps: a spring from the slow particle to one of mass eps.
class LinearPair final : public SlowFastModel {
  public:
    explicit LinearPair(double eps) : eps_(eps) {}

    void fast(State& z, double t) const override;
    [[nodiscard]] double fast_energy(const State& z) const override;
    [[nodiscard]] double action(const State& z) const override { return eps_ * fast_energy(z); }
    [[nodiscard]] double mean_force(const State& z, double window) const override;
    void follow(State& z, double velocity, double t) const override;

  private:
    double eps_;
};

/// How a motion without a closed form is integrated by short steps.
struct Substeps {
    Word word = parse_word("B½ A1 B½");
    double length = 0.1;     ///< in units of eps
    bool rounded_up = false; ///< their number; otherwise rounded to the nearest
};

/// H_fast = (p_x^2 + k^2 x^2) / 2 eps with k^2 = 1 + alpha q^2: the slow coordinate makes the fast
/// spring stiffer.
class NonlinearPair final : public SlowFastModel {
  public:
    explicit NonlinearPair(double eps, double alpha = 0.1, Substeps substeps = {})
        : eps_(eps), alpha_(alpha), substeps_(std::move(substeps)) {}

    void fast(State& z, double t) const override;
    [[nodiscard]] double fast_energy(const State& z) const override;
    [[nodiscard]] double action(const State& z) const override;
    [[nodiscard]] double mean_force(const State& z, double window) const override;
    /// By substeps, but exactly where q is fixed.
    void follow(State& z, double velocity, double t) const override;

    [[nodiscard]] double stiffness(double q) const { return 1.0 + alpha_ * q * q; }

  private:
    /// The integral of x^2 from now to `angle` / frequency, times the frequency, with q fixed.
    [[nodiscard]] double square_over(const State& z, double angle) const;

    double eps_, alpha_;
    Substeps substeps_;
};

} // namespace shadow::models
