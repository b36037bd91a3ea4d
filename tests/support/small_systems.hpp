// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/models/small_system.hpp"
#include "support/larger.hpp"

#include <vector>

namespace shadow::test {

using models::chain;
using models::kepler;
using models::lj_oscillator;
using models::oscillator;
using models::pendulum;
using models::Problem;
using models::problems;
using models::share;
using models::SmallSystem;
using models::unit_oscillator;

/// Two coordinates without forces.
[[nodiscard]] Problem free_particle();

/// Whether a method also advances s and pi.
[[nodiscard]] bool is_extended(const Integrator& method, const System& system);

/// The solution of the equations of motion after time `t`, by the classical Runge-Kutta method with
/// `steps` steps, independent of the flows of a splitting. The start is the state of `system`;
/// extended equations are those of Nosé-Poincaré, or of a Nosé-Hoover chain, with `energy` the bath
/// of the method; `damping` is a friction rate.
[[nodiscard]] std::vector<double> reference_solution(SmallSystem system,
                                                     const ExtendedEnergy& energy, double t,
                                                     int steps, double damping = 0.0);

/// Covariances of a harmonic oscillator (mass m, stiffness k) under the flows: exact averages over
/// all realisations of the noise.
class OscillatorMoments final : public System {
  public:
    OscillatorMoments(double mass, double stiffness) : mass_(mass), stiffness_(stiffness) {}

    void kick(FlowTime t, ForceLevel level) override;
    void gradient_kick(FlowTime t, double square) override {
        kick({t.value * (1.0 - square * stiffness_ / mass_), t.scale}, all_levels);
    }
    void mollified_kick(FlowTime t, ForceLevel level) override;
    void mollify(const std::vector<Mollifier>& mollifiers) override { mollifiers_ = mollifiers; }
    void drift(FlowTime t) override;
    void implicit_kick(double t, ForceLevel level, double theta) override;
    void move_exactly(double t) override;
    void averaged_kick(double t, double, const LightMotion&) override { kick(t, 1); }
    void move_light(double t, const LightMotion&) override { drift(t); }
    void bath(const BathFlow& flow, int occurrence) override;
    void scale_momenta(Scalar, Axes) override {}
    void draw(RandomStream, double) override {}
    void end_step(double) override { ++step_; }
    [[nodiscard]] std::int64_t step() const override { return step_; }
    [[nodiscard]] double degrees_of_freedom() const override { return 1.0; }
    [[nodiscard]] double kinetic_energy() override { return 0.5 * pp / mass_; }
    [[nodiscard]] double potential_energy() override { return 0.5 * stiffness_ * qq; }
    [[nodiscard]] double bath_heat() override { return 0.0; }
    void measure_kinetic() override {}
    void measure_potential(ForceLevel) override {}
    void advance(const ScalarFlow&) override {}
    void set_scalar(Scalar, double) override {}
    [[nodiscard]] double scalar(Scalar) override { return 1.0; }

    double qq = 0.0, qp = 0.0, pp = 0.0;

  private:
    /// p <- a q + b p
    void mix(double a, double b);

    std::vector<Mollifier> mollifiers_;
    double mass_, stiffness_;
    std::int64_t step_ = 0;
};

} // namespace shadow::test
