// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/adaptive.hpp"
#include "src/models/experiment.hpp"
#include "src/models/following.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace shadow::models {
namespace {

using std::numbers::pi;

constexpr double soft = 1.0, stiff = 1e4;

/// Between a soft spring above 0 and a stiff one below.
Problem two_walls() {
    return {
        "two-walls",
        {1.0},
        {1.0},
        {0.0},
        [](const double* q, ForceLevel) { return 0.5 * (q[0] > 0.0 ? soft : stiff) * q[0] * q[0]; },
        [](const double* q, ForceLevel, double* g) { g[0] = (q[0] > 0.0 ? soft : stiff) * q[0]; }};
}

/// The inverse frequency, which changes from one spring to the other over `width`.
TimeScale of_frequency(double width) {
    const auto part = [width](double u) { return std::atan(u / width) / pi + 0.5; };
    const auto square = [part](double q) {
        return soft * part(q) * part(q) + stiff * part(-q) * part(-q);
    };
    return {[square](const double* q) { return 1.0 / std::sqrt(square(q[0])); },
            [part, square, width](const double* q, double* g) {
                const double slope = width / (pi * (width * width + q[0] * q[0]));
                const double change = 2.0 * slope * (soft * part(q[0]) - stiff * part(-q[0]));
                g[0] = -0.5 * change * std::pow(square(q[0]), -1.5);
            }};
}

/// Half a period of each spring in turn.
double exact_place(double t) {
    const double u = std::fmod(t + 0.5 * pi, 1.01 * pi);
    return u < pi ? std::sin(u) : -0.01 * std::sin(100.0 * (u - pi));
}

struct WallRun {
    double density = 0.0, place = 0.0, energy = 0.0;
};

WallRun wall_run(bool midpoint, double eps, Curves* curves = nullptr) {
    const Problem problem = two_walls();
    const Poincare transformed(problem, of_frequency((midpoint ? 0.033 : 0.04) * eps));
    TimedState s{start_of(problem), 0.0};
    WallRun run;
    int steps = 0;
    for (; s.time < 200.0; ++steps) {
        const double before = s.time;
        if (midpoint)
            transformed.midpoint(s, eps);
        else
            transformed.euler(s, eps);
        const double error = energy_of(problem, s.z) - transformed.energy();
        run.place = std::max(std::abs(s.z[0] - exact_place(s.time)), run.place);
        run.energy = std::max(std::abs(error), run.energy);
        if (curves && s.time < 40.0)
            curves->rows.push_back({s.time, s.z[0], s.time - before, error});
    }
    run.density = steps / s.time;
    return run;
}

} // namespace

/// Paper II, example 3.2: the midpoint rule and symplectic Euler for l (H - E), where l is the time
/// of a radian.
Results two_walls_contact() {
    Results results;
    struct Known {
        bool midpoint;
        int row; ///< of the ten steps from 0.3 to 0.01 of the source
        double density, place, energy;
        int digits;
    };
    Curves& curves = results.add_curves("two_walls", {"time", "q", "step", "energy"});
    for (const Known& k :
         {Known{true, 0, 8.0, 1.01, 0.23, 3}, Known{true, 3, 21.2, 0.157, 0.034, 3},
          Known{true, 6, 63.7, 0.0159, 3.6e-3, 3}, Known{true, 9, 197.0, 1.65e-3, 5.3e-4, 3},
          Known{false, 1, 0.0, 0.93, 0.85, 2}, Known{false, 3, 0.0, 0.165, 0.097, 3},
          Known{false, 6, 0.0, 0.0245, 0.017, 3}, Known{false, 9, 0.0, 5.8e-3, 3.4e-3, 2}}) {
        const double eps = 0.3 * std::pow(1.0 / 30.0, k.row / 9.0);
        const WallRun found =
            wall_run(k.midpoint, eps, k.midpoint && k.row == 6 ? &curves : nullptr);
        const std::string name =
            fmt::format("{}, eps = {:.4g}: ", k.midpoint ? "midpoint" : "symplectic Euler", eps);
        if (k.density > 0.0)
            results.compare(name + "steps in a unit of time", k.density, found.density,
                            k.density > 100.0 ? 1.0 : 0.1);
        results.compare(name + "error of q", k.place, found.place, last_of(k.digits, k.place));
        results.compare(name + "energy", k.energy, found.energy, last_of(2, k.energy));
    }
    return results;
}

} // namespace shadow::models
