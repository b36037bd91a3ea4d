// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/step_stability.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace shadow {

namespace {

/// What the average of a mollified kick leaves of the motion of the oscillator from rest.
double averaged(const Mollifier& mollifier, double curvature) {
    if (mollifier.at_rest) return curvature > 0.0 ? 0.0 : 1.0;
    const double push = mollifier.dt * mollifier.dt * curvature;
    double before = 1.0, now = 1.0, sum = mollifier.weight[0];
    for (std::size_t k = 1; k < mollifier.weight.size(); ++k) {
        const double next = k == 1 ? now - 0.5 * push * now : 2.0 * now - before - push * now;
        before = now;
        now = next;
        sum += mollifier.weight[k] * now;
    }
    return sum;
}

} // namespace

double half_trace(const Word& word, std::span<const double> curvature, double dt,
                  const std::string& mollifier) {
    const std::vector<Mollifier> mollifiers = mollifiers_of(word, mollifier, dt);
    const double all = std::accumulate(curvature.begin(), curvature.end(), 0.0);
    double q[] = {1.0, 0.0}, p[] = {0.0, 1.0}; // of two starts
    for (const Flow& flow : word)
        for (int k = 0; k < 2; ++k) {
            const double t = flow.fraction * dt;
            if (flow.kind == FlowKind::drift) q[k] += t * p[k];
            if (!flow.is_kick()) continue;
            const auto level = static_cast<std::size_t>(flow.level);
            const double mean = flow.kind == FlowKind::mollified_kick
                                    ? averaged(mollifiers[level - 1], curvature[0])
                                    : 1.0;
            p[k] -=
                t * q[k] * mean * mean * (flow.level == all_levels ? all : curvature[level - 1]);
        }
    return 0.5 * (q[0] + p[1]);
}

std::vector<StepRange> unstable_steps(const Word& word, std::span<const double> curvature,
                                      double longest, const std::string& mollifier) {
    constexpr double two_pi = 6.283185307179586;
    constexpr double coarse = 1.0 / 2000, fine = 1.0 / 1000;
    const double square = std::accumulate(curvature.begin(), curvature.end(), 0.0);
    const double period = square > 0.0 ? two_pi / std::sqrt(square) : longest;
    const auto unstable = [&](double dt) {
        return !(std::abs(half_trace(word, curvature, dt, mollifier)) <= 1.0);
    };
    std::vector<StepRange> all;
    double last = 0.0;
    bool before = false;
    // Finely through two periods: all steps beyond may be unstable.
    while (last < longest) {
        const double step =
            last < 2.0 * period ? std::min(fine * period, coarse * longest) : coarse * longest;
        const double dt = std::min(longest, last + step);
        const bool now = unstable(dt);
        if (now != before) { // where it begins or ends, by halves
            double a = last, b = dt;
            for (int k = 0; k < 30; ++k) {
                const double middle = 0.5 * (a + b);
                (unstable(middle) == before ? a : b) = middle;
            }
            if (now)
                all.push_back({b, longest});
            else
                all.back().to = a;
        }
        before = now;
        last = dt;
    }
    return all;
}

} // namespace shadow
