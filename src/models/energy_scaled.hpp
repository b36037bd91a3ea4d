// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/models/split_model.hpp"

#include <functional>
#include <utility>

/// Hamiltonians in a fictive time whose two parts still have exact flows (Modin 2009, Paper III).
namespace shadow::models {

/// T(p) + V(q), with T of any form.
struct Separable {
    std::size_t size; ///< of q
    std::function<double(const double* p)> kinetic;
    std::function<void(const double* p, double* v)> velocity; ///< gradient of T
    std::function<double(const double* q)> potential;
    std::function<void(const double* q, double* g)> gradient; ///< of V

    [[nodiscard]] double energy(const State& z) const {
        return kinetic(z.data() + size) + potential(z.data());
    }
};

/// p^2 / 2 - e p^3 / 3 + 1 / q^2 + 1 / (q - 10)^2 + e q with e = 0.01: between two soft walls, with
/// a kinetic energy that is not even (example 2).
[[nodiscard]] Separable uneven_oscillator();

/// dt = g(T, V) dtau, where g is computed from T alone for drifts and from V alone for kicks, with
/// the other energy from the total energy at the start: q' = s(T) T'(p), p' = -u(V) V'(q).
class EnergyScaled final : public SplitModel {
  public:
    using Scale = std::function<double(double part)>;
    EnergyScaled(Separable hamiltonian, Scale of_kinetic, Scale of_potential)
        : h_(std::move(hamiltonian)), of_kinetic_(std::move(of_kinetic)),
          of_potential_(std::move(of_potential)), slope_(h_.size) {}
    /// Without a scale.
    explicit EnergyScaled(Separable hamiltonian);

    void fast(State& z, double t) const override;
    void slow(State& z, double t) const override;
    [[nodiscard]] double energy(const State& z) const override { return h_.energy(z); }
    [[nodiscard]] std::size_t size() const override { return 2 * h_.size; }

  private:
    Separable h_;
    Scale of_kinetic_, of_potential_;
    mutable std::vector<double> slope_;
};

/// Half of a doubled system of one coordinate, G(q_a) (T(p_b) + V(q_b) - E), for any scale function
/// G of positions; a is 0 or 1 and b the other. State (q_0, q_1, p_0, p_1).
class DoubledHalf final : public SplitModel {
  public:
    using Function = std::function<double(double q)>;
    DoubledHalf(Separable hamiltonian, double energy, Function scale, Function slope,
                std::size_t scaling)
        : h_(std::move(hamiltonian)), energy_(energy), scale_(std::move(scale)),
          slope_(std::move(slope)), a_(scaling), b_(1 - scaling) {}

    void fast(State& z, double t) const override;
    void slow(State& z, double t) const override;
    [[nodiscard]] double energy(const State& z) const override;
    [[nodiscard]] std::size_t size() const override { return 4; }

  private:
    Separable h_;
    double energy_;
    Function scale_, slope_;
    std::size_t a_, b_;
};

} // namespace shadow::models
