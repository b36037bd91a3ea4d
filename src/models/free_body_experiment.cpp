// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/adaptive.hpp"
#include "src/models/experiment.hpp"
#include "src/models/following.hpp"
#include "src/models/free_body.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace shadow::models {
namespace {

const FreeBody& body() {
    static const FreeBody known({0.5, 1.0, 2.0});
    return known;
}

/// Near the axis of unstable rotation.
State body_start() {
    return {0.0, std::cos(0.2), std::sin(0.2)};
}

using BodyStep = std::function<void(State& x, double h)>;

struct BodyRun {
    double momentum = 0.0, kinetic = 0.0, mean_step = 0.0;
    double misfit = 0.0; ///< largest log(rho / (|x'| + 0.01)), which the motion keeps zero
};

constexpr double body_h = 0.15, regular = 0.01;

/// Largest errors of |x|^2 / 2 and of the kinetic energy: with equal steps, or, where eps is given,
/// with a step density proportional to |x'| + 0.01.
BodyRun body_run(const BodyStep& step, double eps = 0.0, Curves* curves = nullptr) {
    constexpr int steps = 100000;
    const State start = body_start();
    StepDensity density(
        step,
        [](const State& x) {
            const auto [speed, change] = body().speed(x);
            return change / (speed + regular);
        },
        eps, body().speed(start)[0] + regular);
    TimedState s{start, 0.0};
    BodyRun run;
    for (int k = 0; k < steps; ++k) {
        if (eps > 0.0) {
            density.step(s);
            run.misfit =
                std::max(std::abs(std::log(density.density() / (body().speed(s.z)[0] + regular))),
                         run.misfit);
        } else {
            step(s.z, body_h);
            s.time += body_h;
        }
        const double of_momentum = FreeBody::momentum(s.z) - FreeBody::momentum(start),
                     of_kinetic = body().kinetic(s.z) - body().kinetic(start);
        run.momentum = std::max(std::abs(of_momentum), run.momentum);
        run.kinetic = std::max(std::abs(of_kinetic), run.kinetic);
        if (curves && k < 400)
            curves->rows.push_back({s.time, s.z[0], s.z[1], s.z[2], of_momentum, of_kinetic});
    }
    run.mean_step = s.time / steps;
    return run;
}

/// The time between two zeros of x_1.
double time_between_zeros() {
    State x = body_start();
    constexpr double h = 1e-3;
    for (int k = 1;; ++k) {
        const double before = x[0];
        body().rotations(x, h, {0, 1, 2});
        if (k > 1 && before * x[0] <= 0.0) return h * (k - x[0] / (x[0] - before));
    }
}

} // namespace

Results free_body() {
    Results results;
    results.compare("kinetic energy", 0.490133, body().kinetic(body_start()), 1e-6);
    results.compare("time between zeros of x_1", 7.9449, time_between_zeros(), 1e-4);
    const auto rotations = [](std::array<int, 3> axes) -> BodyStep {
        return [axes](State& x, double h) { body().rotations(x, h, axes); };
    };
    const BodyStep shears = [](State& x, double h) { body().shears(x, h); };
    struct Known {
        std::string name;
        BodyStep step;
        double momentum, kinetic, adaptive_momentum, adaptive_kinetic;
        double digit;
    };
    Curves& curves =
        results.add_curves("free_body", {"time", "x_1", "x_2", "x_3", "momentum", "kinetic"});
    for (const Known& k :
         {Known{"shears", shears, 1.2e-3, 9.7e-4, 3.0e-4, 3.1e-4, 1e-5},
          Known{"rotations 1, 2, 3", rotations({0, 1, 2}), 0.0, 1.4e-4, 0.0, 2.1e-4, 1e-5},
          Known{"rotations 2, 1, 3", rotations({1, 0, 2}), 0.0, 1.09e-3, 0.0, 5.9e-4, 1e-5}}) {
        // The mean step should equal that of the run with equal steps.
        const double eps = 0.054 * body_h / body_run(k.step, 0.054).mean_step;
        const BodyRun equal = body_run(k.step),
                      adaptive = body_run(k.step, eps, k.momentum > 0.0 ? &curves : nullptr);
        // The rounding of 10^5 steps where the quantity is conserved.
        const auto digit = [](double known) { return known > 0.0 ? last_of(2, known) : 1e-12; };
        results.compare(k.name + ": |x|^2 / 2", k.momentum, equal.momentum, digit(k.momentum));
        results.compare(k.name + ": kinetic energy", k.kinetic, equal.kinetic, k.digit);
        results.compare(k.name + ", adaptive: |x|^2 / 2", k.adaptive_momentum, adaptive.momentum,
                        digit(k.adaptive_momentum));
        results.compare(k.name + ", adaptive: kinetic energy", k.adaptive_kinetic, adaptive.kinetic,
                        k.digit);
        // Known to be at most 0.04.
        results.compare(k.name + ", adaptive: log(Q / rho)", 0.0, adaptive.misfit, 0.04);
        results.compare(k.name + ", adaptive: eps", 0.054, eps, 1e-3);
        results.compare(k.name + ", adaptive: mean step", body_h, adaptive.mean_step, 1e-3);
    }
    const BodyRun ellipses = body_run([](State& x, double h) { body().ellipses(x, h); });
    results.compare("ellipses: kinetic energy", 0.0, ellipses.kinetic, 1e-12);
    return results;
}

} // namespace shadow::models
