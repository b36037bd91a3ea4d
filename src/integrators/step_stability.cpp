// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/step_stability.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace shadow {

namespace {

/// The factor by which the average of a mollified kick reduces the motion of the oscillator from
/// rest.
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

/// The exact motion of the oscillator of mass 1.
void oscillate(double& q, double& p, double curvature, double t) {
    const double w = std::sqrt(std::max(0.0, curvature)), before = q;
    q = q * std::cos(w * t) + (w > 0.0 ? std::sin(w * t) / w : t) * p;
    p = p * std::cos(w * t) - w * std::sin(w * t) * before;
}

/// `given` is the constant force plus the forces that are not implicit.
void kick_implicitly(double q, double& p, double curvature, double given, double theta, double t) {
    const double push = 0.5 * theta * t * t;
    const double place = (q + (theta - 0.5) * t * p + push * given) / (1.0 + push * curvature);
    p += t * (given - curvature * place);
}

/// The images under a step of (q, p) = (1, 0), (0, 1), and of (0, 0) under a constant force of 1.
struct StepMap {
    double q[3], p[3];
};

/// The constant force belongs to all levels but the one with the largest curvature.
StepMap step_map(const Word& word, std::span<const double> curvature, double dt,
                 const std::string& mollifier) {
    const std::vector<Mollifier> mollifiers = mollifiers_of(word, mollifier, dt);
    const double all = std::accumulate(curvature.begin(), curvature.end(), 0.0);
    const auto stiffest = std::max_element(curvature.begin(), curvature.end()) - curvature.begin();
    const auto others = static_cast<double>(curvature.size()) - 1.0;
    StepMap map{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
    for (const Flow& flow : word)
        for (int k = 0; k < 3; ++k) {
            // The force of a gradient kick is F - c dt^2 V'' F.
            const double t = flow.fraction * dt * (1.0 - flow.gradient * dt * dt * all);
            if (flow.kind == FlowKind::drift) map.q[k] += t * map.p[k];
            if (flow.kind == FlowKind::exact_motion) oscillate(map.q[k], map.p[k], curvature[0], t);
            if (!flow.is_kick()) continue;
            const bool together = flow.level == all_levels;
            const bool is_pushed = k == 2 && (together || flow.level - 1 != stiffest);
            const double constant = !is_pushed ? 0.0 : together ? 1.0 : 1.0 / others;
            if (flow.kind == FlowKind::implicit_kick) {
                const double slower = together ? all - curvature[0] : 0.0;
                kick_implicitly(map.q[k], map.p[k], curvature[0], constant - slower * map.q[k],
                                flow.theta, t);
                continue;
            }
            const auto level = static_cast<std::size_t>(flow.level);
            const double mean = flow.kind == FlowKind::mollified_kick
                                    ? averaged(mollifiers[level - 1], curvature[0])
                                    : 1.0;
            map.p[k] -= t * map.q[k] * mean * mean * (together ? all : curvature[level - 1]);
            map.p[k] += t * mean * constant;
        }
    return map;
}

} // namespace

double half_trace(const Word& word, std::span<const double> curvature, double dt,
                  const std::string& mollifier) {
    const StepMap map = step_map(word, curvature, dt, mollifier);
    return 0.5 * (map.q[0] + map.p[1]);
}

double balance_at_whole_steps(const Word& word, std::span<const double> curvature, double dt,
                              const std::string& mollifier) {
    const StepMap map = step_map(word, curvature, dt, mollifier);
    // The fixed point of a step.
    const double a = 1.0 - map.q[0], b = -map.q[1], c = -map.p[0], d = 1.0 - map.p[1];
    const double all = std::accumulate(curvature.begin(), curvature.end(), 0.0);
    return all * (d * map.q[2] - b * map.p[2]) / (a * d - b * c);
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
    // In fine steps through two periods: all steps beyond may be unstable.
    while (last < longest) {
        const double step =
            last < 2.0 * period ? std::min(fine * period, coarse * longest) : coarse * longest;
        const double dt = std::min(longest, last + step);
        const bool now = unstable(dt);
        if (now != before) { // where a range begins or ends, by bisection
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
