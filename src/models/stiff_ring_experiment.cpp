// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/experiment.hpp"
#include "src/models/stiff_ring.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace shadow::models {
namespace {

constexpr double angle = 0.25 * std::numbers::pi, angular_velocity = 0.5, time_of_run = 20.0;

/// Largest differences of the angle from that of the constrained particle, without and with the
/// potential J w(phi), and of the action from its value at the start.
struct RingDifferences {
    double constrained = 0.0, averaged = 0.0, action = 0.0;
};

/// Verlet's method with steps of a hundredth of eps; the reduced motion with ten times that.
RingDifferences differences(double eps, double action, Curves* curves) {
    const Problem problem = stiff_ring(eps, angle, angular_velocity, action);
    const double dt = eps / 100.0;
    constexpr int stride = 10;
    const Map step = step_of(problem, "verlet", dt);
    const ReducedRing constrained(eps, 0.0), averaged(eps, action);
    State z = {problem.q[0], problem.q[1], problem.p[0], problem.p[1]};
    State without = {angle, constrained.mass(angle) * angular_velocity}, with = without;
    double turned = angle; // without jumps
    RingDifferences largest;
    for (int k = 1; k <= static_cast<int>(std::lround(time_of_run / dt)); ++k) {
        step(z);
        turned += std::remainder(std::atan2(z[1], z[0]) - turned, 2.0 * std::numbers::pi);
        const double j = ring_action(eps, z);
        largest.action = std::max(largest.action, std::abs(j - action));
        if (k % stride != 0) continue;
        constrained.step(without, stride * dt);
        averaged.step(with, stride * dt);
        largest.constrained = std::max(largest.constrained, std::abs(turned - without[0]));
        largest.averaged = std::max(largest.averaged, std::abs(turned - with[0]));
        if (curves && k % (20 * stride) == 0)
            curves->rows.push_back({k * dt, turned, without[0], with[0], j / eps});
    }
    return largest;
}

} // namespace

Results stiff_ring_averages() {
    Results results;
    Curves& curves =
        results.add_curves("stiff_ring", {"time", "full", "constrained", "averaged", "action"});
    struct Known {
        double eps, still, constrained, averaged, action;
    };
    constexpr Known known[] = {{0.01, 3.8e-3, 1.40, 1.9e-2, 1.5e-4},
                               {0.005, 9.4e-4, 1.39, 5.4e-3, 3.8e-5}};
    for (const Known& k : known) {
        const std::string name = fmt::format("eps = {}, ", k.eps);
        const RingDifferences still = differences(k.eps, 0.0, nullptr);
        const RingDifferences moving = differences(k.eps, k.eps, k.eps == 0.01 ? &curves : nullptr);
        const bool first = k.eps == 0.01;
        results.compare(name + "J = 0: constrained", k.still, still.constrained,
                        first ? 1e-4 : 1e-5);
        results.compare(name + "J = eps: constrained", k.constrained, moving.constrained, 1e-2);
        results.compare(name + "J = eps: with J w", k.averaged, moving.averaged,
                        first ? 1e-3 : 1e-4);
        results.compare(name + "J = eps: change of J", k.action, moving.action,
                        first ? 1e-5 : 1e-6);
    }
    return results;
}

} // namespace shadow::models
