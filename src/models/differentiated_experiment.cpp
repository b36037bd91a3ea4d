// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/differentiated_control.hpp"
#include "src/models/experiment.hpp"
#include "src/models/following.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace shadow::models {
namespace {

constexpr double narrow = 0.9;

/// The fictive time of a period, the integral of rho over the eccentric anomaly.
double controlled_period() {
    constexpr int n = 100000;
    double sum = 0.0;
    for (int k = 0; k < n; ++k) {
        const double r = 1.0 - narrow * std::cos(2.0 * std::numbers::pi * k / n);
        sum += r * std::sqrt(2.0 / r - 1.0 + 1.0 / (r * r * r * r));
    }
    return 2.0 * std::numbers::pi * sum / n;
}

} // namespace

/// Section 9.2.3: a factor of time that is integrated by its derivative.
Results differentiated_control() {
    Results results;
    const Problem problem = started_at(kepler(), {1.0 + narrow, 0.0},
                                       {0.0, std::sqrt((1.0 - narrow) / (1.0 + narrow))});
    const auto of_force = [](const double* q, double* g) {
        const double r2 = q[0] * q[0] + q[1] * q[1], factor = -2.0 / (r2 * r2 * r2);
        g[0] = factor * q[0];
        g[1] = factor * q[1];
    };
    struct Known {
        int steps;
        double energy, misfit;
        int digits;
    };
    Curves& curves = results.add_curves("differentiated_control", {"time", "energy", "misfit"});
    for (const Known& k : {Known{200, 6.6e-3, 1.6e-3, 2}, Known{400, 1.65e-3, 4.0e-4, 3},
                           Known{800, 4.1e-4, 1.0e-4, 2}}) {
        DifferentiatedControl motion(problem, of_force, controlled_period() / k.steps);
        double energy = 0.0, misfit = 0.0;
        for (int n = 0; n < 100 * k.steps; ++n) {
            motion.step();
            const double error = energy_of(problem, motion.state()) + 0.5;
            energy = std::max(std::abs(error), energy);
            misfit = std::max(std::abs(motion.misfit()), misfit);
            if (k.steps == 200 && n < 600)
                curves.rows.push_back({motion.time(), error, motion.misfit()});
        }
        const std::string name = fmt::format("{} steps a period: ", k.steps);
        results.compare(name + "energy", k.energy, energy, last_of(k.digits, k.energy));
        results.compare(name + "rho less what it is to be", k.misfit, misfit, last_of(2, k.misfit));
    }
    return results;
}

} // namespace shadow::models
