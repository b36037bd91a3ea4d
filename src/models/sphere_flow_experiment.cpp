// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/experiment.hpp"
#include "src/models/following.hpp"
#include "src/models/sphere.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace shadow::models {
namespace {

constexpr double flow_time = 20.8;

/// x' = -y + x z^2, y' = x + y z^2, z' = -z (x^2 + y^2): spirals to the equator, |x| constant.
Rate flow_to_equator() {
    return [](const State& x, State& f) {
        const double square = x[2] * x[2];
        f = {-x[1] + x[0] * square, x[0] + x[1] * square, -x[2] * (x[0] * x[0] + x[1] * x[1])};
    };
}

/// The same as a rotation, x' = w x x; w has no component along x.
Three turn_to_equator(const Three& x) {
    return {-x[2] * (x[0] + x[1]), x[2] * (x[0] - x[1]), x[0] * x[0] + x[1] * x[1]};
}

/// Lie-Euler steps: x <- exp(h w) x.
Map lie_euler(double h) {
    return [h](State& x) {
        const Three old = vector_at(x, 0);
        put_vector(x, 0, times(rotation_of(scaled(h, turn_to_equator(old))), old));
    };
}

/// The azimuth grows by one per unit of time, z decays.
State exact_flow(const State& start, double t) {
    const double angle = std::atan2(start[1], start[0]) + t, decay = std::exp(-t);
    const double z = start[2], height = z * decay / std::sqrt(1.0 - z * z * (1.0 - decay * decay));
    const double radius = std::sqrt(1.0 - height * height);
    return {radius * std::cos(angle), radius * std::sin(angle), height};
}

struct FlowRun {
    double error = 0.0; ///< largest distance from the exact motion
    double norm = 0.0;  ///< largest |x| - 1
    double last = 0.0;  ///< |x| at the end
};

FlowRun flow_run(const Map& step, const State& start, int steps, Curves* curves = nullptr) {
    State x = start;
    FlowRun run;
    for (int k = 1; k <= steps; ++k) {
        step(x);
        const double t = flow_time * k / steps;
        const State exact = exact_flow(start, t);
        const double error = std::hypot(x[0] - exact[0], x[1] - exact[1], x[2] - exact[2]);
        run.last = std::hypot(x[0], x[1], x[2]);
        run.error = std::max(error, run.error);
        run.norm = std::max(std::abs(run.last - 1.0), run.norm);
        if (curves) curves->rows.push_back({t, run.last - 1.0});
    }
    return run;
}

} // namespace

/// Lie-Euler steps stay on the sphere; Euler's methods leave it, outwards or inwards.
Results sphere_flow() {
    Results results;
    const double edge = 1.0 / std::sqrt(3.0);
    const State off_equator = {edge, edge, edge}, on_equator = {0.0, 1.0, 0.0};
    const Rate rate = flow_to_equator();
    struct Known {
        double h, forward, backward;
        int digits;
    };
    for (const Known& k : {Known{0.04, 1.514, 0.660, 3}, Known{0.02, 1.231, 0.813, 3},
                           Known{0.002, 1.0210, 0.9795, 4}, Known{0.0002, 1.00208, 0.99793, 5}}) {
        const int steps = static_cast<int>(std::lround(flow_time / k.h));
        const std::string name = fmt::format("step {}: |x| at the end, ", k.h);
        const double unit = std::pow(10.0, -k.digits);
        results.compare(name + "Euler", k.forward,
                        flow_run(step_of(rate, explicit_euler(), k.h), off_equator, steps).last,
                        unit);
        results.compare(name + "implicit Euler", k.backward,
                        flow_run(step_of(rate, implicit_euler(), k.h), off_equator, steps).last,
                        unit);
    }
    for (const auto& [steps, error] : {std::pair{104, 5.5e-2}, {1040, 5.5e-3}, {10400, 5.5e-4}}) {
        const FlowRun run = flow_run(lie_euler(flow_time / steps), off_equator, steps);
        const std::string name = fmt::format("Lie-Euler, {} steps: ", steps);
        results.compare(name + "error", error, run.error, last_of(2, error));
        // Rounding of each step.
        results.compare(name + "|x| - 1", 0.0, run.norm, 1e-16 * steps);
    }
    const double h = flow_time / 104;
    const Map fourth = step_of(rate, runge_kutta_4(), h);
    const FlowRun off = flow_run(fourth, off_equator, 104), on = flow_run(fourth, on_equator, 104);
    results.compare("Runge-Kutta, 104 steps: error", 2.7e-4, off.error, 1e-5);
    results.compare("Runge-Kutta, 104 steps: |x| - 1", 5.6e-5, off.norm, 1e-6);
    results.compare("equator, Lie-Euler, 104 steps: error", 0.0,
                    flow_run(lie_euler(h), on_equator, 104).error, 1e-13);
    results.compare(
        "equator, Euler, 104,000 steps: error", 2.1e-3,
        flow_run(step_of(rate, explicit_euler(), flow_time / 104000), on_equator, 104000).error,
        1e-4);
    results.compare("equator, Runge-Kutta, 104 steps: error", 2.8e-4, on.error, 1e-5);
    Curves& curves =
        results.add_curves("sphere_flow", {"time", "euler", "implicit_euler", "lie_euler"});
    Curves forward, backward, lie;
    (void)flow_run(step_of(rate, explicit_euler(), 0.02), off_equator, 1040, &forward);
    (void)flow_run(step_of(rate, implicit_euler(), 0.02), off_equator, 1040, &backward);
    (void)flow_run(lie_euler(0.02), off_equator, 1040, &lie);
    for (std::size_t k = 0; k < lie.rows.size(); ++k)
        curves.rows.push_back(
            {lie.rows[k][0], forward.rows[k][1], backward.rows[k][1], lie.rows[k][1]});
    return results;
}

} // namespace shadow::models
