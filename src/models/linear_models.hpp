// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/models/split_model.hpp"

/// Linear systems with known resonances of large steps (Leimkuhler and Reich 2004, chapter 10).
namespace shadow::models {

/// H_fast = w (p^2 + q^2) / 2, H_slow = q^2 / 2: an oscillator and a perturbation. State (q, p).
class PerturbedOscillator final : public SplitModel {
  public:
    explicit PerturbedOscillator(double frequency) : frequency_(frequency) {}

    void fast(State& z, double t) const override;
    void slow(State& z, double t) const override;
    void mollified_slow(State& z, double t, double window) const override;
    [[nodiscard]] double energy(const State& z) const override;
    [[nodiscard]] std::size_t size() const override { return 2; }

  private:
    double frequency_;
};

/// A slow oscillator and a fast one attached to it, H = (p^2 + q^2) / 2 + (p_x^2 + (x - q)^2) / 2
/// eps, split for impulses: all kinetic energy is fast, H_slow = q^2 / 2. State (q, x, p, p_x).
class ImpulsePair final : public SplitModel {
  public:
    explicit ImpulsePair(double eps) : eps_(eps) {}

    void fast(State& z, double t) const override;
    void slow(State& z, double t) const override { z[2] -= t * z[0]; }
    void mollified_slow(State& z, double t, double window) const override;
    [[nodiscard]] double energy(const State& z) const override;
    [[nodiscard]] std::size_t size() const override { return 4; }

  private:
    [[nodiscard]] double frequency() const;

    double eps_;
};

/// Two coupled fast oscillators: H_fast = sum of w_j (p_j^2 + q_j^2) / 2, H_slow = k (q_1 + q_2)^2
/// / 2. State (q_1, q_2, p_1, p_2).
class TwoFastModes final : public SplitModel {
  public:
    TwoFastModes(double first, double second, double coupling)
        : first_(first), second_(second), coupling_(coupling) {}

    void fast(State& z, double t) const override;
    void slow(State& z, double t) const override;
    [[nodiscard]] double energy(const State& z) const override;
    [[nodiscard]] std::size_t size() const override { return 4; }

  private:
    double first_, second_, coupling_;
};

/// q and p of an oscillator (p^2 + q^2) / 2 after the time `angle`.
void rotate(double& q, double& p, double angle);
/// sin(x) / x
[[nodiscard]] double sinc(double x);

} // namespace shadow::models
