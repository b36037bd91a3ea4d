// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/adaptive.hpp"
#include "src/models/experiment.hpp"
#include "src/models/following.hpp"

#include "shadow/integrators/registry.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace shadow::models {
namespace {

constexpr double spring = 0.1, impact_end = 100.0;

/// A weak spring and a soft wall at 0.
Problem soft_impact() {
    return {"soft-impact",
            {1.0},
            {2.0},
            {-4.0},
            [](const double* q, ForceLevel) {
                return 1.0 / (q[0] * q[0]) + 0.5 * spring * q[0] * q[0];
            },
            [](const double* q, ForceLevel, double* g) {
                g[0] = spring * q[0] - 2.0 / (q[0] * q[0] * q[0]);
            }};
}

/// Short steps at the wall.
TimeScale near_wall() {
    return {[](const double* q) { return q[0] * q[0] / (1.0 + q[0] * q[0]); },
            [](const double* q, double* g) {
                const double c = 1.0 + q[0] * q[0];
                g[0] = 2.0 * q[0] / (c * c);
            }};
}

/// The result of a number of fictive steps of a method: the time reached, and the largest change of
/// the energy.
struct ImpactRun {
    double time = 0.0, energy = 0.0;
};

/// Largest change of the energy in a number of equal steps.
double with_equal_steps(const Map& step, int steps) {
    const Problem problem = soft_impact();
    return change_of(energy_of(problem), step, steps, start_of(problem)).largest;
}

/// The trapezoidal rule for q' = g H_p, p' = -g H_q, whose time is the third variable.
Rate scaled_rate() {
    return [motion = rate_of(soft_impact()), scale = near_wall()](const State& z, State& f) {
        motion(z, f);
        const double g = scale.value(z.data());
        for (double& x : f) x *= g;
    };
}

ImpactRun by_trapezoids(bool scaled, double step, int steps, Curves* curves = nullptr) {
    const Problem problem = soft_impact();
    RungeKutta method(scaled ? scaled_rate() : rate_of(problem), trapezoidal_rule(), 1e-13,
                      RungeKutta::Solver::newton);
    State z = start_of(problem);
    const TimeScale scale = near_wall();
    const double start = energy_of(problem, z);
    ImpactRun run;
    for (int k = 0; k < steps; ++k) {
        const double before = scaled ? scale.value(z.data()) : 1.0;
        method.step(z, step);
        run.time += 0.5 * step * (before + (scaled ? scale.value(z.data()) : 1.0));
        const double error = energy_of(problem, z) - start;
        run.energy = std::max(std::abs(error), run.energy);
        if (curves) curves->rows.push_back({run.time, error});
    }
    return run;
}

ImpactRun by_adaptive_verlet(ScaleRule rule, double dtau, int steps) {
    const Problem problem = soft_impact();
    AdaptiveMotion motion(problem, near_wall(), rule, dtau);
    const double start = energy_of(problem, motion.state());
    ImpactRun run;
    for (int k = 0; k < steps; ++k) {
        motion.step();
        run.energy = std::max(std::abs(energy_of(problem, motion.state()) - start), run.energy);
    }
    run.time = motion.time();
    return run;
}

/// The trapezoidal rule with steps from its local error: third derivatives are computed from slopes
/// at three positions, and a step whose error exceeds the tolerance is repeated with a shorter one
/// (as "TR23" in the book).
struct ControlledRun {
    int steps = 0;
    ImpactRun run;
    double last = 0.0;           ///< change of the energy at the end
    std::vector<double> between; ///< and half-way between collisions
};

ControlledRun by_local_error(double tolerance) {
    constexpr double collision = 0.4814, period = 9.934588;
    const Problem problem = soft_impact();
    const Rate rate = rate_of(problem);
    RungeKutta method(rate, trapezoidal_rule(), 1e-13, RungeKutta::Solver::newton);
    State z = start_of(problem), before(2), slope(2), ahead(2);
    const double start = energy_of(problem, z);
    rate(z, slope);
    ControlledRun found;
    double h = 1e-3, h_before = 0.0;
    for (double& t = found.run.time; t < impact_end;) {
        State next = z;
        method.step(next, h);
        rate(next, ahead);
        double factor = 1.0;
        if (h_before > 0.0) {
            double third = 0.0;
            for (std::size_t c = 0; c < 2; ++c)
                third = std::max(
                    std::abs(2.0 * ((ahead[c] - slope[c]) / h - (slope[c] - before[c]) / h_before) /
                             (h + h_before)),
                    third);
            factor = std::clamp(0.8 * std::cbrt(12.0 * tolerance / (h * h * h * third)), 0.2, 5.0);
            if (factor < 0.8) {
                h *= factor;
                continue;
            }
        }
        before = slope;
        slope = ahead;
        z = next;
        h_before = h;
        t += h;
        ++found.steps;
        found.last = energy_of(problem, z) - start;
        found.run.energy = std::max(std::abs(found.last), found.run.energy);
        if (t > collision + period * (0.5 + static_cast<double>(found.between.size())))
            found.between.push_back(found.last);
        h *= factor;
    }
    return found;
}

/// The fictive step with which `steps` steps end at 100, by bisection; and that run.
template <class Method>
std::pair<double, ImpactRun> tuned(const Method& method, int steps) {
    double low = 120.0 / steps, high = 130.0 / steps;
    for (int k = 0; k < 40; ++k) {
        const double middle = 0.5 * (low + high);
        (method(middle).time < impact_end ? low : high) = middle;
    }
    return {low, method(low)};
}

/// 1 far from the wall, 0 near it, by a polynomial of degree five in between.
double share_far_from_wall(double monitor) {
    const double x = std::clamp((monitor - 1.05) / 0.25, 0.0, 1.0);
    return 1.0 - x * x * x * (10.0 - x * (15.0 - 6.0 * x));
}

/// Verlet's method far from the wall and one of order four near it, in shares given by a monitor:
/// its mean over both ends of a step is 1 + 1 / q^2 in the middle, or with the printed equation
/// half of that.
struct SwitchedRun {
    double energy = 0.0, least_monitor = 1e300;
};

SwitchedRun switched(double dt, double sum_of_monitors) {
    static const Word one = find_integrator("verlet")->make({})->word(),
                      other = find_integrator("triple-jump")->make({})->word();
    const Problem problem = soft_impact();
    SmallSystem system(problem);
    const double start = energy_of(problem, system.state(false));
    double monitor = 1.0 + 1.0 / (system.q()[0] * system.q()[0]);
    SwitchedRun run;
    for (int k = 0; k < static_cast<int>(std::lround(impact_end / dt)); ++k) {
        double far = share_far_from_wall(monitor);
        apply_word(system, one, 0.5 * dt * far);
        apply_word(system, other, 0.5 * dt * (1.0 - far));
        monitor = sum_of_monitors * (1.0 + 1.0 / (system.q()[0] * system.q()[0])) - monitor;
        far = share_far_from_wall(monitor);
        apply_word(system, other, 0.5 * dt * (1.0 - far));
        apply_word(system, one, 0.5 * dt * far);
        run.energy =
            std::max(std::abs(energy_of(problem, system.state(false)) - start), run.energy);
        run.least_monitor = std::min(run.least_monitor, monitor);
    }
    return run;
}

} // namespace

/// Figures 9.2 to 9.4.
Results soft_impact_oscillator() {
    Results results;
    const Problem problem = soft_impact();
    const Map reference = step_of(problem, "mclachlan-8", 0.005);
    State z = start_of(problem);
    for (int k = 0; k < 20000; ++k) reference(z);
    results.compare("q at t = 100", 0.788113, z[0], 1e-6);
    struct Known {
        int steps;
        double trapezoidal, scaled, mean, harmonic, ends, dtau;
        int digits;
    };
    for (const Known& k : {Known{1000, 1.09, 5.5e-2, 6.1e-2, 4.8e-2, 4.8e-2, 0.1239, 2},
                           Known{4000, 0.118, 3.4e-3, 3.0e-3, 2.98e-3, 2.97e-3, 0.0310, 3}}) {
        const std::string name = fmt::format("{} steps: ", k.steps);
        Curves curves{"soft_impact_oscillator", {"time", "energy"}, {}};
        results.compare(name + "trapezoidal", k.trapezoidal,
                        by_trapezoids(false, impact_end / k.steps, k.steps).energy,
                        last_of(3, k.trapezoidal));
        const auto [dtau, scaled] =
            tuned([&](double step) { return by_trapezoids(true, step, k.steps); }, k.steps);
        results.compare(name + "fictive step", k.dtau, dtau, 1e-4);
        results.compare(name + "trapezoidal, scaled", k.scaled, scaled.energy,
                        last_of(2, k.scaled));
        const auto compare = [&](const char* rule, ScaleRule scale, double known, int digits) {
            const auto run = [&](double step) { return by_adaptive_verlet(scale, step, k.steps); };
            results.compare(name + rule, known, tuned(run, k.steps).second.energy,
                            last_of(digits, known));
        };
        compare("Adaptive Verlet, mean", ScaleRule::mean, k.mean, 2);
        compare("Adaptive Verlet, harmonic", ScaleRule::harmonic, k.harmonic, k.digits);
        compare("generalized leapfrog", ScaleRule::ends, k.ends, k.digits);
        if (k.steps == 4000) {
            (void)by_trapezoids(true, dtau, k.steps, &curves);
            results.curves.push_back(std::move(curves));
        }
    }
    struct Controlled {
        int steps;
        double tolerance, largest, last;
    };
    for (const Controlled& k :
         {Controlled{1000, 6.17e-4, 0.170, 0.159}, Controlled{4000, 9.465e-6, 5.7e-3, 4.6e-3}}) {
        const ControlledRun found = by_local_error(k.tolerance);
        const std::string name = fmt::format("{} steps by the local error: ", k.steps);
        results.compare(name + "steps", k.steps, found.steps, 0.01 * k.steps);
        int losses = 0;
        for (std::size_t n = 1; n < found.between.size(); ++n)
            losses += found.between[n] < found.between[n - 1] ? 1 : 0;
        results.compare(name + "collisions that lose energy, of nine", 9.0, losses, 0.0);
        // The known values belong to another step control: a factor of two.
        results.compare(name + "log10 of the largest change", std::log10(k.largest),
                        std::log10(found.run.energy), std::log10(2.0));
        results.compare(name + "log10 of the loss", std::log10(k.last), std::log10(-found.last),
                        std::log10(2.0));
    }
    results.compare("Verlet, 4000 steps", 6.6e-2,
                    with_equal_steps(step_of(problem, "verlet", 0.025), 4000), 1e-3);
    return results;
}

/// Exercise 9.5: two methods, each where it is accurate.
Results switched_methods() {
    Results results;
    struct Known {
        double dt, verlet, fourth, both, printed;
    };
    const Problem problem = soft_impact();
    for (const Known& k :
         {Known{0.02, 4.2e-2, 2.1e-3, 1.41e-4, 2.3e-3}, Known{0.01, 1.0e-2, 1.4e-4, 9.0e-6, 4.7e-4},
          Known{0.005, 2.5e-3, 9.0e-6, 2.2e-6, 1.1e-4},
          Known{0.0025, 6.3e-4, 5.6e-7, 5.5e-7, 2.7e-5}}) {
        const int steps = static_cast<int>(std::lround(impact_end / k.dt));
        const std::string name = fmt::format("step {}: ", k.dt);
        const SwitchedRun both = switched(k.dt, 2.0), printed = switched(k.dt, 1.0);
        results.compare(name + "verlet", k.verlet,
                        with_equal_steps(step_of(problem, "verlet", k.dt), steps),
                        last_of(2, k.verlet));
        results.compare(name + "triple-jump", k.fourth,
                        with_equal_steps(step_of(problem, "triple-jump", k.dt), steps),
                        last_of(2, k.fourth));
        results.compare(name + "both", k.both, both.energy, last_of(k.dt == 0.02 ? 3 : 2, k.both));
        results.compare(name + "both, equation as printed", k.printed, printed.energy,
                        last_of(2, k.printed));
        if (k.dt == 0.02) {
            results.compare("least monitor", 1.005, both.least_monitor, 0.001);
            results.compare("least monitor, as printed", -0.12, printed.least_monitor, 0.01);
        }
    }
    Curves& curves = results.add_curves("switched_methods", {"step", "verlet", "fourth", "both"});
    for (int k = 0; k <= 100; ++k) {
        const int steps = 4000 + 160 * k;
        const double dt = impact_end / steps;
        curves.rows.push_back({dt, with_equal_steps(step_of(problem, "verlet", dt), steps),
                               with_equal_steps(step_of(problem, "triple-jump", dt), steps),
                               switched(dt, 2.0).energy});
    }
    return results;
}

} // namespace shadow::models
