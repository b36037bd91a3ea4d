// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/step_stability.hpp"

#include <cmath>
#include <numeric>

namespace shadow {

double half_trace(const Word& word, std::span<const double> curvature, double dt) {
    const double all = std::accumulate(curvature.begin(), curvature.end(), 0.0);
    double q[] = {1.0, 0.0}, p[] = {0.0, 1.0}; // of two starts
    for (const Flow& flow : word)
        for (int k = 0; k < 2; ++k) {
            const double t = flow.fraction * dt;
            if (flow.kind == FlowKind::drift) q[k] += t * p[k];
            if (flow.kind == FlowKind::kick)
                p[k] -= t * q[k] *
                        (flow.level == all_levels
                             ? all
                             : curvature[static_cast<std::size_t>(flow.level) - 1]);
        }
    return 0.5 * (q[0] + p[1]);
}

std::vector<StepRange> unstable_steps(const Word& word, std::span<const double> curvature,
                                      double longest) {
    constexpr int count = 2000;
    std::vector<StepRange> all;
    bool before = false;
    for (int k = 1; k <= count; ++k) {
        const double dt = longest * k / count;
        const bool unstable = !(std::abs(half_trace(word, curvature, dt)) <= 1.0);
        if (unstable && !before) all.push_back({dt, dt});
        if (unstable) all.back().to = dt;
        before = unstable;
    }
    return all;
}

} // namespace shadow
