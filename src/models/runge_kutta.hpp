// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/models/split_model.hpp"

#include <functional>
#include <string>
#include <vector>

namespace shadow::models {

/// f <- dz/dt
using Rate = std::function<void(const State& z, State& f)>;

/// Coefficients of a Runge-Kutta method (Leimkuhler and Reich 2004, eq. 2.6).
struct Tableau {
    std::string name;
    std::vector<std::vector<double>> a;
    std::vector<double> b;
    /// Coefficients of the second half of a state, the momenta, in a partitioned method; else none.
    std::vector<std::vector<double>> of_momenta = {};

    /// Each stage depends on earlier ones only.
    [[nodiscard]] bool is_explicit() const;
};

[[nodiscard]] Tableau explicit_euler();
[[nodiscard]] Tableau implicit_euler();
[[nodiscard]] Tableau heun();              ///< order 2
[[nodiscard]] Tableau explicit_midpoint(); ///< order 2
[[nodiscard]] Tableau runge_kutta_4();     ///< the classical one
[[nodiscard]] Tableau trapezoidal_rule();
/// Twice the result of two half steps of implicit Euler, minus that of a full step: order 2.
[[nodiscard]] Tableau extrapolated_euler();
/// Gauss's method of 1, 2 or 3 stages, of twice that order; one stage is the implicit midpoint rule
/// (Leimkuhler and Reich 2004, table 6.4). Throws std::logic_error for another number.
[[nodiscard]] Tableau gauss(int stages);
/// Positions by Lobatto IIIA, momenta by IIIB, of three stages, order 4 (table 6.5).
[[nodiscard]] Tableau lobatto_pair();

/// Steps of a Runge-Kutta method. Implicit stages are iterated until their positions and momenta
/// change by less than the tolerance, sum of both; throws std::runtime_error for a step that is too
/// long to converge.
class RungeKutta {
  public:
    enum class Solver { fixed_point, newton };

    RungeKutta(Rate rate, Tableau tableau, double tolerance = 1e-14,
               Solver solver = Solver::fixed_point);

    void step(State& z, double h);
    /// Iterations so far; an explicit method counts one per step.
    [[nodiscard]] long rounds() const { return rounds_; }

  private:
    [[nodiscard]] double coefficient(std::size_t i, std::size_t j, std::size_t component) const;
    /// y <- the state of stage i, with the current rates of the stages.
    void place(const State& z, double h, std::size_t i, State& y) const;
    void iterate(const State& z, double h);
    /// Changes stages by an iteration of Newton's method.
    void correct(double h, std::vector<State>& next) const;

    Rate rate_;
    Tableau tableau_;
    double tolerance_;
    Solver solver_;
    std::vector<State> stage_, slope_; ///< states of the stages, and their rates
    long rounds_ = 0;
};

/// A step h of a method from a tableau.
[[nodiscard]] Map step_of(const Rate& rate, const Tableau& tableau, double h);

/// A step h of the classical Runge-Kutta method, of order four: for solutions that are independent
/// of the flows of a splitting.
void runge_kutta_step(const Rate& rate, double h, State& z);

} // namespace shadow::models
