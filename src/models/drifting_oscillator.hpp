// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/models/split_model.hpp"

/// Systems that change in time: time is a further coordinate, which the fast flow advances, so that
/// kicks are at the time of their positions.
namespace shadow::models {

/// q'' = -w(eps t)^2 q with w(s) = 1 / sqrt(1 + sin(2 pi s) / 4): H = p^2 / 2 + eps P + w(Q)^2 q^2
/// / 2 with Q = eps t (Leimkuhler and Reich 2004, section 5.3, example 6). State (q, Q, p, P).
class DriftingOscillator final : public SplitModel {
  public:
    explicit DriftingOscillator(double eps) : eps_(eps) {}

    void fast(State& z, double t) const override;
    void slow(State& z, double t) const override;
    [[nodiscard]] double energy(const State& z) const override;
    [[nodiscard]] std::size_t size() const override { return 4; }
    /// Energy of the oscillator over its frequency.
    [[nodiscard]] static double action(const State& z);

  private:
    double eps_;
};

/// An unbalanced disc on a shaft, q'' = -q + u W^2 (-cos W t, sin W t), with u = 0.1 and W = 1.02
/// (Modin 2009, Paper I): H = |p|^2 / 2 + P + |q|^2 / 2 + u W^2 (q_1 cos W Q - q_2 sin W Q). State
/// (q_1, q_2, Q, p_1, p_2, P).
class UnbalancedRotor final : public SplitModel {
  public:
    static constexpr double unbalance = 0.1, speed = 1.02;

    void fast(State& z, double t) const override;
    void slow(State& z, double t) const override;
    [[nodiscard]] double energy(const State& z) const override;
    [[nodiscard]] std::size_t size() const override { return 6; }
    /// q_1 from rest at the origin.
    [[nodiscard]] static double exact(double t);
};

} // namespace shadow::models
