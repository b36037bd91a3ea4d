// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/models/split_model.hpp"

#include "shadow/integrators/composition.hpp"

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace shadow::models {

/// A mechanical system of a few coordinates: its start and its potential.
struct Problem {
    std::string name;
    std::vector<double> mass, q, p;
    /// The potential of a level.
    std::function<double(const double* q, ForceLevel level)> potential;
    /// g <- its gradient.
    std::function<void(const double* q, ForceLevel level, double* g)> gradient;
    bool translation_invariant = false;
};

[[nodiscard]] Problem oscillator(); ///< mass 2, stiffness 3
/// Mass and stiffness 1, from (0, 1) on.
[[nodiscard]] Problem unit_oscillator();
[[nodiscard]] Problem pendulum();      ///< V = -cos q
[[nodiscard]] Problem kepler();        ///< V = -1/|q| in 2D, eccentricity 0.3, period 2 pi
[[nodiscard]] Problem chain();         ///< three masses on a line: fast bond, slow quartic bond
[[nodiscard]] Problem lj_oscillator(); ///< V = q^-12 - 2 q^-6, unit mass
/// A particle of mass 1 on a spring to the origin, the slow force, and one of mass eps joined to it
/// by a spring 1 / eps, the fast force (Leimkuhler and Reich 2004, eq. 10.12).
[[nodiscard]] Problem slow_fast_pair(double eps);
/// The problems on which orders and symmetries are tested.
[[nodiscard]] std::vector<Problem> problems();

/// The share of a level in a potential without a physical splitting: three quarters fast, one
/// quarter slow.
[[nodiscard]] double share(ForceLevel level);

/// A `System` of a few coordinates on the host, with the same scalar functors and the same random
/// numbers as particles.
class SmallSystem final : public System {
  public:
    explicit SmallSystem(Problem problem, std::uint64_t seed = 1);

    void kick(FlowTime t, ForceLevel level) override;
    void gradient_kick(FlowTime t, double square) override;
    void mollified_kick(FlowTime t, ForceLevel level) override;
    void mollify(const std::vector<Mollifier>& mollifiers) override { mollifiers_ = mollifiers; }
    /// By Newton's method, to rounding.
    void implicit_kick(double t, ForceLevel level, double theta) override;
    void averaged_kick(double t, double window, const LightMotion& light) override;
    void move_light(double t, const LightMotion& light) override;
    void drift(FlowTime t) override;
    /// By small steps of order 8.
    void move_exactly(double t) override;
    void bath(const BathFlow& flow, int occurrence) override;
    using System::scale_momenta;
    void scale_momenta(Scalar factor, Axes axes) override;
    void measure_kinetic() override;
    /// Each coordinate counts as a particle.
    void measure_motion() override;
    /// The sum over pairs is the potential of the first level.
    void measure_slope(StepMeasure of) override;
    void measure_descent() override;
    void descend(double longest_move) override;
    void measure_potential(ForceLevel level) override;
    void draw(RandomStream stream, double squares) override;
    void advance(const ScalarFlow& flow) override;
    void set_scalar(Scalar which, double value) override;
    [[nodiscard]] double scalar(Scalar which) override;
    void end_step(double dt) override;
    void end_step() override { ++step_; }
    void begin_clock() override {}
    void keep() override { kept_ = {q_, p_, scalars_}; }
    void put_back() override { std::tie(q_, p_, scalars_) = *kept_; }
    [[nodiscard]] std::int64_t step() const override { return step_; }
    [[nodiscard]] double degrees_of_freedom() const override { return freedom_; }
    /// Sets the number that a bath counts, if it is not that of the coordinates.
    void set_degrees_of_freedom(double number) { freedom_ = number; }
    [[nodiscard]] double kinetic_energy() override;
    [[nodiscard]] double potential_energy() override;
    [[nodiscard]] double bath_heat() override { return heat_; }

    [[nodiscard]] const Problem& problem() const { return problem_; }
    /// Positions, then where `extended` the variables of a generalized bath and s; then their
    /// momenta.
    [[nodiscard]] std::vector<double> state(bool extended) const;
    void set_state(const std::vector<double>& z, bool extended);
    /// p -> -p, pi -> -pi, and the same for other variables that are odd under time reversal
    void flip();
    [[nodiscard]] const std::vector<double>& q() const { return q_; }
    [[nodiscard]] const std::vector<double>& p() const { return p_; }
    [[nodiscard]] double time() const { return time_ + scalars_[Scalar::elapsed]; }
    [[nodiscard]] double conserved(const Integrator& method);

  private:
    /// Coordinates as particles on a line, and their forces.
    [[nodiscard]] std::pair<ParticlesView<1>, TotalForce<1>> on_a_line();
    [[nodiscard]] std::ptrdiff_t bath_size() const {
        return static_cast<std::ptrdiff_t>(scalars_[Scalar::bath_size]);
    }
    /// minus the derivative of the forces of a level along v
    [[nodiscard]] std::vector<double> hessian(const std::vector<double>& q,
                                              const std::vector<double>& v, ForceLevel level) const;

    /// A step of Verlet's method under the fast forces for coordinates lighter than `mass`; the
    /// others are fixed, or move with their current momenta.
    void light_step(double dt, double mass, bool others, std::vector<double>& q,
                    std::vector<double>& p) const;
    /// The positions at each step of a motion from rest, and their average.
    [[nodiscard]] std::vector<std::vector<double>> motion(const Mollifier& mollifier) const;
    [[nodiscard]] std::vector<double> average(const Mollifier& mollifier) const;

    Problem problem_;
    std::vector<Mollifier> mollifiers_;
    std::vector<double> q_, p_, gradient_;
    using AllScalars = std::array<double, Scalar::count>;
    AllScalars scalars_{};
    std::optional<std::tuple<std::vector<double>, std::vector<double>, AllScalars>> kept_;
    std::uint64_t seed_;
    double freedom_, heat_ = 0.0, time_ = 0.0;
    std::int64_t step_ = 0;
};

/// A step of a method of the engine, without a bath, on a problem.
[[nodiscard]] Map step_of(const Problem& problem, std::string_view method,
                          const MethodSettings& settings);
[[nodiscard]] Map step_of(const Problem& problem, std::string_view method, double dt);

} // namespace shadow::models
