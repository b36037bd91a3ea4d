// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/composition.hpp"
#include "shadow/integrators/integrator.hpp"

namespace shadow {

/// Constant temperature by stochastic velocity rescaling (Bussi, Donadio and Parrinello 2007,
/// J. Chem. Phys. 126, 014101): after each step of Verlet, or of RESPA, all momenta are multiplied
/// by one number, such that the kinetic energy relaxes in a time t to that of a canonical ensemble,
/// by the exact solution of its stochastic equation. Momenta keep their directions relative to each
/// other, so that the dynamics is hardly changed. What momenta are given is in Scalar::bath_heat.
class StochasticRescaling final : public Integrator {
  public:
    /// Uses dt, kT >= 0 and the time t > 0. `multiple`: with forces by level, those of the slow
    /// ones in steps of dt.
    explicit StochasticRescaling(const MethodSettings& settings, bool multiple = false);

    void prepare(System& system) override;
    void step(System& system) override;
    [[nodiscard]] double dt() const override { return settings_.dt; }
    [[nodiscard]] const Word& word() const override { return word_; }
    [[nodiscard]] Claims claims() const override;
    [[nodiscard]] std::optional<double> bath_kT() const override { return settings_.kT.last(); }
    /// Friction f takes the kinetic energy away at the rate 2 f.
    [[nodiscard]] double bath_rate() const override { return 0.5 / settings_.time; }
    [[nodiscard]] std::int64_t steady_from() const override { return settings_.kT.steady_from(); }
    [[nodiscard]] std::string conserved_name() const override {
        return "total energy minus bath heat";
    }

  private:
    MethodSettings settings_;
    Word word_;
};

} // namespace shadow
