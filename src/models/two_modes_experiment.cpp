// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/experiment.hpp"
#include "src/models/linear_map.hpp"
#include "src/models/linear_models.hpp"
#include "src/models/resonances.hpp"

#include <fmt/format.h>
#include <numbers>

namespace shadow::models {
namespace {

using std::numbers::pi;

constexpr double strength = 0.05; ///< of a kick, whatever the step

/// Growth per step dt.
double growth_with(double second, double dt) {
    const TwoFastModes model(1.0, second, strength / dt);
    return growth(matrix_of(step_of(model, kicked(), dt), 4));
}

/// x J W x of each mode, with W its motion over dt: 1 where both have the same sign, so that a
/// common eigenvalue is harmless (Krein), otherwise -1.
double krein_signs(double second, double dt) {
    const TwoFastModes model(1.0, second, 0.0);
    const Matrix w = matrix_of([&](State& z) { model.fast(z, dt); }, 4);
    return w(2, 0) * w(3, 1) > 0.0 ? 1.0 : -1.0;
}

/// Kicks advance the phase of each mode by half of their strength per step, so that crossings of
/// the two are earlier than 2 pi k / (w_1 + w_2): to first order, by strength / (w_1 + w_2).
double crossing(double second, int k) {
    return (2.0 * pi * k - strength) / (1.0 + second);
}

/// All windows: those that end at half periods of the faster mode, and unstable crossings.
void compare_resonances(Results& results, double second, int last_half, int last_crossing) {
    const auto windows =
        unstable_windows([&](double dt) { return growth_with(second, dt); }, 0.2, 6.0, 1e-3);
    const std::string name = fmt::format("w_2 = {} w_1: ", second);
    results.compare(name + "windows", last_half + last_crossing,
                    static_cast<double>(windows.size()), 0.0);
    for (int k = 1; k <= last_half; ++k) {
        const double end = k * pi / second;
        results.compare(fmt::format("{}end at {} pi / {}", name, k, second), end,
                        window_near(windows, end - 0.01).to, 1e-6);
    }
    for (int k = 1; k <= last_crossing; ++k)
        results.compare(fmt::format("{}crossing at {} pi / {}", name, 2 * k, 1.0 + second),
                        crossing(second, k), window_near(windows, crossing(second, k)).at, 5e-5);
    // The largest window is where half periods of both modes coincide.
    for (const double near : {pi / second, crossing(second, 1)})
        results.compare(fmt::format("{}growth near {:.3f}", name, near), 1.025,
                        window_near(windows, near - 0.005).most, 1e-3);
}

} // namespace

Results two_fast_modes() {
    Results results;
    compare_resonances(results, 4.0, 7, 4);
    compare_resonances(results, 2.0, 3, 2);
    results.compare("w_2 = 4 w_1: growth at 2 pi / 3", 1.0, growth_with(4.0, 2.0 * pi / 3.0), 1e-6);
    results.compare("w_2 = 4 w_1: growth at 4 pi / 3", 1.0, growth_with(4.0, 4.0 * pi / 3.0), 1e-6);
    results.compare("Krein signs at 2 pi / 5", -1.0, krein_signs(4.0, 0.4 * pi), 0.0);
    results.compare("Krein signs at 2 pi / 3", 1.0, krein_signs(4.0, 2.0 * pi / 3.0), 0.0);
    Curves& curves = results.add_curves("two_fast_modes", {"step", "four", "two"});
    for (const double dt : grid(0.01, 6.28, 0.002))
        curves.rows.push_back({dt, growth_with(4.0, dt), growth_with(2.0, dt)});
    return results;
}

} // namespace shadow::models
