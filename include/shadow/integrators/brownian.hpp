// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/composition.hpp"
#include "shadow/integrators/integrator.hpp"

namespace shadow {

/// Brownian dynamics, the limit of Langevin dynamics in which momenta decorrelate instantly:
///
///     m gamma dq = F dt + (2 kT m gamma)^1/2 dW
///
/// by the method of Leimkuhler and Matthews (2013, Appl. Math. Res. eXpress 2013, 34), whose noise
/// is the mean of the noises of this step and of the next:
///
///     q <- q + F dt/(m gamma) + (kT dt/(2 m gamma))^1/2 (R + R')
///
/// The positions are those of BAOAB with a bath that replaces the momenta, in steps of h =
/// (2 dt/gamma)^1/2. Averages of functions of positions have an error of order two in dt, for an
/// oscillator none. Momenta are m^1/2 R, and have exactly the Maxwell-Boltzmann distribution.
class Brownian final : public Integrator {
  public:
    /// Uses dt, kT >= 0 and the friction gamma > 0.
    explicit Brownian(const MethodSettings& settings);

    void prepare(System& system) override;
    void step(System& system) override;
    [[nodiscard]] double dt() const override { return settings_.dt; }
    [[nodiscard]] const Word& word() const override { return word_; }
    [[nodiscard]] Claims claims() const override;
    [[nodiscard]] std::optional<double> bath_kT() const override { return settings_.kT.last(); }
    [[nodiscard]] double bath_rate() const override { return settings_.friction.last(); }
    [[nodiscard]] std::int64_t steady_from() const override;
    [[nodiscard]] bool moves_with_momenta() const override { return false; }
    [[nodiscard]] double flow_time() const override;
    [[nodiscard]] double step_of(double flow_time) const override;
    [[nodiscard]] std::string conserved_name() const override {
        return "total energy minus bath heat";
    }

  private:
    MethodSettings settings_;
    Word word_;
};

} // namespace shadow
