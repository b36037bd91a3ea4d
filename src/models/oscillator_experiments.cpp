// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/experiment.hpp"
#include "src/models/linear_map.hpp"
#include "src/models/linear_models.hpp"
#include "src/models/resonances.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace shadow::models {
namespace {

using std::numbers::pi;

/// Lower end, largest growth and its position, at the multiples 1, 2 and 3 of pi.
struct KnownResonances {
    double frequency;
    double from[3], most[3], at[3];
};

void compare_resonances(Results& results, const KnownResonances& known) {
    const PerturbedOscillator model(known.frequency);
    const auto windows =
        unstable_windows(growth_of(model, kicked(), known.frequency), 0.01, 10.0, 0.01);
    const std::string name = fmt::format("w = {}: ", known.frequency);
    results.compare(name + "windows", 3.0, static_cast<double>(windows.size()), 0.0);
    for (std::size_t k = 0; k < std::min<std::size_t>(3, windows.size()); ++k) {
        const std::string which = fmt::format("{}{}. ", name, k + 1);
        results.compare(which + "from", known.from[k], windows[k].from, 1e-5);
        // The upper end is exactly the multiple.
        results.compare(which + "to", static_cast<double>(k + 1) * pi, windows[k].to, 1e-8);
        results.compare(which + "growth", known.most[k], windows[k].most, 1e-5);
        results.compare(which + "largest at", known.at[k], windows[k].at, 1e-4);
    }
}

} // namespace

Results resonant_oscillator() {
    Results results;
    compare_resonances(
        results,
        {10.0, {2.85774, 5.72555, 8.61160}, {1.16098, 1.34393, 1.54732}, {2.9997, 6.0047, 9.0191}});
    compare_resonances(
        results,
        {50.0, {3.08001, 6.16014, 9.24049}, {1.03159, 1.06415, 1.09767}, {3.1108, 6.2217, 9.3327}});
    const PerturbedOscillator ten(10.0), fifty(50.0);
    results.curves.push_back(
        growth_curves("resonant_oscillator", {"w_10", "w_50"},
                      {growth_of(ten, kicked(), 10.0), growth_of(fifty, kicked(), 50.0)}));
    return results;
}

/// Steps of about a period act like an oscillator of frequency w - 2 pi / dt: unstable where that
/// is between -1 and 0 (exercise 10.2), and growing by exp(dt / 2) at -1/2. The method itself has 2
/// atan(dt / 2) and asinh(dt / 2): less by dt^3 / 12 and dt^3 / 48, and terms of higher order.
Results aliased_oscillator() {
    Results results;
    constexpr double w = 50.0;
    const PerturbedOscillator model(w);
    const auto windows = unstable_windows(growth_of(model, kicked(), w), 5.5, 7.0, 0.01);
    const Window found = window_near(windows, 2.0 * pi);
    const double third = std::pow(found.at / w, 3);
    results.compare("modified system: from", 2.0 * pi / (1.0 + 1.0 / w), found.from, third / 10.0);
    results.compare("modified system: growth", std::exp(0.5 * found.at / w), found.most,
                    third / 40.0);
    // Exercise 10.3: half a rotation more in each step changes the sign.
    const double dt = 0.1;
    const PerturbedOscillator turned(w + pi / dt);
    const Matrix one = matrix_of(step_of(model, kicked(), dt), 2);
    const Matrix other = matrix_of(step_of(turned, kicked(), dt), 2);
    double sum = 0.0;
    for (std::size_t k = 0; k < 4; ++k)
        sum = std::max(sum, std::abs(one.value[k] + other.value[k]));
    results.compare("half a turn more: matrix + the other", 0.0, sum, 1e-13);
    return results;
}

namespace {

/// The mean of the exercise, over the time 2 dt from now on, instead of dt before and after: for a
/// motion by the angle `a`, sinc(a) times a rotation by `a`. The kick is a shear.
Map step_with_later_mean(const PerturbedOscillator& model, double frequency, double dt) {
    const double a = frequency * dt, strength = dt * sinc(a) * sinc(a);
    const auto half_kick = [=](State& z) {
        const double mean = std::cos(a) * z[0] + std::sin(a) * z[1];
        z[0] += 0.5 * strength * mean * std::sin(a);
        z[1] -= 0.5 * strength * mean * std::cos(a);
    };
    return [=, &model](State& z) {
        half_kick(z);
        model.fast(z, dt);
        half_kick(z);
    };
}

} // namespace

Results mollified_oscillator() {
    Results results;
    const PerturbedOscillator model(10.0);
    const Growth growth = growth_of(model, mollified(), 10.0);
    compare_windows(results, "w = 10", growth, {}, 0.01, 10.0, 0.001);
    for (const int k : {1, 2, 3}) {
        const Matrix m = matrix_of(step_of(model, mollified(), 0.1 * k * pi), 2);
        const double sign = k % 2 == 0 ? 1.0 : -1.0;
        results.compare(fmt::format("{} pi: the step is a rotation", k), 0.0,
                        std::abs(m(0, 0) - sign) + std::abs(m(1, 1) - sign) + std::abs(m(0, 1)) +
                            std::abs(m(1, 0)),
                        1e-12);
    }
    // Conjugate maps have the same trace.
    double difference = 0.0;
    for (const double angle : grid(0.1, 10.0, 0.1)) {
        const Matrix m = matrix_of(step_of(model, mollified(), 0.1 * angle), 2);
        const Matrix other = matrix_of(step_with_later_mean(model, 10.0, 0.1 * angle), 2);
        difference = std::max(difference, std::abs(m(0, 0) + m(1, 1) - other(0, 0) - other(1, 1)));
    }
    results.compare("with the mean from now on: traces differ by", 0.0, difference, 1e-13);
    results.curves.push_back(growth_curves("mollified_oscillator", {"impulses", "mollified"},
                                           {growth_of(model, kicked(), 10.0), growth}));
    return results;
}

} // namespace shadow::models
