// SPDX-License-Identifier: BSD-3-Clause
/// Kicks and motions of methods for fast forces: mollified, implicit, and of light atoms.
#include "src/models/linear_map.hpp"
#include "src/models/small_system.hpp"

#include <algorithm>
#include <cmath>

namespace shadow::models {

std::vector<std::vector<double>> SmallSystem::motion(const Mollifier& mollifier) const {
    const std::size_t n = q_.size();
    const double dt2 = mollifier.dt * mollifier.dt;
    std::vector<std::vector<double>> place = {q_};
    std::vector<double> g(n);
    for (std::size_t k = 0; k + 1 < mollifier.weight.size(); ++k) {
        problem_.gradient(place[k].data(), 1, g.data());
        std::vector<double> next(n);
        for (std::size_t i = 0; i < n; ++i) {
            const double push = dt2 * g[i] / problem_.mass[i];
            next[i] =
                k == 0 ? place[k][i] - 0.5 * push : 2.0 * place[k][i] - place[k - 1][i] - push;
        }
        place.push_back(next);
    }
    return place;
}

std::vector<double> SmallSystem::average(const Mollifier& mollifier) const {
    const auto place = motion(mollifier);
    std::vector<double> mean(q_.size());
    for (std::size_t k = 0; k < place.size(); ++k)
        for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += mollifier.weight[k] * place[k][i];
    return mean;
}

/// By definition: the derivative of each position of the motion, column by column.
void SmallSystem::mollified_kick(FlowTime t, ForceLevel level) {
    const Mollifier& mollifier = mollifiers_[static_cast<std::size_t>(level) - 1];
    const std::size_t n = q_.size();
    const double dt2 = mollifier.dt * mollifier.dt;
    const auto place = motion(mollifier);
    const std::vector<double> mean = average(mollifier);
    problem_.gradient(mean.data(), level, gradient_.data());
    for (std::size_t j = 0; j < n; ++j) {
        std::vector<double> before(n), now(n);
        now[j] = 1.0;
        double force = 0.0;
        for (std::size_t k = 0; k < mollifier.weight.size(); ++k) {
            for (std::size_t i = 0; i < n; ++i)
                force -= mollifier.weight[k] * now[i] * gradient_[i];
            const std::vector<double> bend = hessian(place[k], now, averaged_level);
            std::vector<double> next(n);
            for (std::size_t i = 0; i < n; ++i) {
                const double push = dt2 * bend[i] / problem_.mass[i];
                next[i] = k == 0 ? now[i] - 0.5 * push : 2.0 * now[i] - before[i] - push;
            }
            before = now;
            now = next;
        }
        p_[j] += t.value * scalar(t.scale) * force;
    }
}

void SmallSystem::implicit_kick(double t, ForceLevel level, double theta) {
    const std::size_t n = q_.size();
    std::vector<double> all(n), fast(n), start(n), given(n), place, force(n);
    problem_.gradient(q_.data(), 1, fast.data());
    problem_.gradient(q_.data(), all_levels, all.data());
    for (std::size_t i = 0; i < n; ++i) {
        start[i] = q_[i] + (theta - 0.5) * t * p_[i] / problem_.mass[i];
        given[i] = level == all_levels ? fast[i] - all[i] : 0.0;
    }
    place = start;
    double change = 1.0;
    for (int k = 0; change > 1e-15 && k < 30; ++k) {
        problem_.gradient(place.data(), 1, fast.data());
        Matrix matrix(n);
        for (std::size_t j = 0; j < n; ++j) {
            std::vector<double> unit(n);
            unit[j] = 1.0;
            const std::vector<double> column = hessian(place, unit, 1);
            for (std::size_t i = 0; i < n; ++i) matrix(i, j) = column[i];
        }
        for (std::size_t i = 0; i < n; ++i) {
            const double inertia = problem_.mass[i] / (0.5 * theta * t * t);
            matrix(i, i) += inertia;
            force[i] = given[i] - fast[i] - inertia * (place[i] - start[i]);
        }
        const std::vector<double> way = solution(matrix, force);
        change = 0.0;
        for (std::size_t i = 0; i < n; ++i) {
            place[i] += way[i];
            change = std::max(change, std::abs(way[i]));
        }
    }
    problem_.gradient(place.data(), 1, fast.data());
    for (std::size_t i = 0; i < n; ++i) p_[i] += t * (given[i] - fast[i]);
}

void SmallSystem::light_step(double dt, double mass, bool others, std::vector<double>& q,
                             std::vector<double>& p) const {
    std::vector<double> g(q.size());
    problem_.gradient(q.data(), 1, g.data());
    for (std::size_t i = 0; i < q.size(); ++i) {
        const bool light = problem_.mass[i] < mass;
        if (light) p[i] -= 0.5 * dt * g[i];
        if (light || others) q[i] += dt * p[i] / problem_.mass[i];
    }
    problem_.gradient(q.data(), 1, g.data());
    for (std::size_t i = 0; i < q.size(); ++i)
        if (problem_.mass[i] < mass) p[i] -= 0.5 * dt * g[i];
}

void SmallSystem::averaged_kick(double t, double window, const LightMotion& light) {
    const std::size_t n = q_.size();
    std::vector<double> g(n), mean(n);
    const auto add = [&](const std::vector<double>& q, double weight) {
        problem_.gradient(q.data(), 1, g.data());
        for (std::size_t i = 0; i < n; ++i) mean[i] -= weight * g[i] / (2 * light.steps);
    };
    for (const double sign : {1.0, -1.0}) {
        std::vector<double> q = q_, p = p_;
        add(q, 0.5);
        for (int k = 1; k <= light.steps; ++k) {
            light_step(sign * window / light.steps, light.mass, false, q, p);
            add(q, k < light.steps ? 1.0 : 0.5);
        }
    }
    for (std::size_t i = 0; i < n; ++i)
        if (problem_.mass[i] >= light.mass) p_[i] += t * mean[i];
}

void SmallSystem::move_light(double t, const LightMotion& light) {
    for (int k = 0; k < light.steps; ++k) light_step(t / light.steps, light.mass, true, q_, p_);
}

} // namespace shadow::models
