// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/energy_scaled.hpp"
#include "src/models/experiment.hpp"
#include "src/models/following.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace shadow::models {
namespace {

/// The order of the steps of the two halves of a doubled system.
enum class DoubledOrder {
    one_after_other,
    symmetric, ///< half a step of one, a step of the other, half a step of the first
    printed    ///< with the last flow of the second half that of the first, as printed
};

struct DoubledRun {
    double energy = 0.0, distance = 0.0;
    int steps = 0; ///< while in the well
};

/// The oscillator of example 2 with steps proportional to (1 / q^2 + 1 / (q - 10)^2)^(-1/2).
DoubledRun doubled_run(DoubledOrder order, double eps, int steps, Curves* curves = nullptr) {
    const Separable h = uneven_oscillator();
    const double start = h.energy({1.0, 0.0});
    const auto scale = [](double q) {
        const double a = 1.0 / q, b = 1.0 / (q - 10.0);
        return 1.0 / std::sqrt(a * a + b * b);
    };
    const auto slope = [](double q) {
        const double a = 1.0 / q, b = 1.0 / (q - 10.0);
        return (a * a * a + b * b * b) / std::pow(a * a + b * b, 1.5);
    };
    const DoubledHalf one(h, start, scale, slope, 0), other(h, start, scale, slope, 1);
    const Word drift_first = parse_word("A½ B1 A½");
    const bool symmetric = order == DoubledOrder::symmetric;
    const Map first = step_of(other, drift_first, symmetric ? 0.5 * eps : eps),
              second = step_of(one, drift_first, eps);
    State z = {1.0, 1.0, 0.0, 0.0};
    DoubledRun found;
    for (int k = 1; k <= steps; ++k) {
        first(z);
        if (order == DoubledOrder::printed) {
            one.fast(z, 0.5 * eps);
            one.slow(z, eps);
            other.fast(z, 0.5 * eps);
        } else {
            second(z);
            if (symmetric) first(z);
        }
        const State mean = {0.5 * (z[0] + z[1]), 0.5 * (z[2] + z[3])};
        if (!(mean[0] > 0.0 && mean[0] < 10.0)) break;
        found.steps = k;
        const double error = h.energy(mean) - start;
        found.energy = std::max(std::abs(error), found.energy);
        found.distance = std::max(std::hypot(z[0] - z[1], z[2] - z[3]), found.distance);
        if (curves && k <= 2000) curves->rows.push_back({double(k), error, z[0] - z[1]});
    }
    return found;
}

} // namespace

/// Paper III, example 3: any scale function of positions, by a doubled system.
Results doubled_system() {
    Results results;
    struct Known {
        double eps, energy, distance;
    };
    using enum DoubledOrder;
    Curves& curves = results.add_curves("doubled_system", {"step", "energy", "difference"});
    for (const Known& k :
         {Known{0.05, 1.2e-3, 0.128}, Known{0.1, 4.9e-3, 0.255}, Known{0.2, 2.5e-2, 0.508}}) {
        const DoubledRun found =
            doubled_run(one_after_other, k.eps, 100000, k.eps == 0.2 ? &curves : nullptr);
        const std::string name = fmt::format("eps = {}: ", k.eps);
        results.compare(name + "energy", k.energy, found.energy, last_of(2, k.energy));
        results.compare(name + "distance of the two", k.distance, found.distance, 1e-3);
        results.compare(name + "steps in the well", 100000.0, found.steps, 0.0);
    }
    results.compare("eps = 0.25: leaves", 1.0,
                    doubled_run(one_after_other, 0.25, 100000).steps < 100000 ? 1.0 : 0.0, 0.0);
    results.compare("eps = 0.3: steps until it leaves", 66.0,
                    doubled_run(one_after_other, 0.3, 1000).steps, 0.0);
    results.compare("as printed, eps = 0.2: steps until it leaves", 136.0,
                    doubled_run(printed, 0.2, 1000).steps, 1.0);
    results.compare("symmetric, eps = 0.25: steps in the well", 100000.0,
                    doubled_run(symmetric, 0.25, 100000).steps, 0.0);
    results.compare("symmetric, eps = 0.2, energy over that of the other: above one", 1.0,
                    doubled_run(symmetric, 0.2, 100000).energy > 2.5e-2 ? 1.0 : 0.0, 0.0);
    results.compare("symmetric, eps = 0.3: leaves", 1.0,
                    doubled_run(symmetric, 0.3, 100000).steps < 100000 ? 1.0 : 0.0, 0.0);
    return results;
}

} // namespace shadow::models
