// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/semi_explicit.hpp"

#include <algorithm>
#include <cmath>

namespace shadow::models {
namespace {

constexpr double newton_tolerance = 1e-12;
constexpr int max_iterations = 50;

using Vector = std::vector<double>;

/// F with F = given + implicit(q + a h v + w F, v + b h F), by Newton's method starting from the
/// last F.
struct CommonAcceleration {
    const StiffMotion& motion;
    Vector given;
    bool all; ///< are soft accelerations implicit, too?
    double shift, push, change_of_v;

    void solve(ImplicitStep& step) const {
        const std::size_t n = motion.size;
        Vector& f = step.acceleration;
        for (int k = 0; k < max_iterations; ++k) {
            State there(2 * n);
            for (std::size_t i = 0; i < n; ++i) {
                there[i] = step.z[i] + shift * step.z[n + i] + push * f[i];
                there[n + i] = step.z[n + i] + change_of_v * f[i];
            }
            Vector left = given, a(n);
            Matrix m(n), by_q(n), by_v(n);
            for (std::size_t i = 0; i < n; ++i) m(i, i) = 1.0;
            const auto add = [&](const auto& acceleration, const auto& slope) {
                acceleration(there, a);
                slope(there, by_q, by_v);
                for (std::size_t i = 0; i < n; ++i) {
                    left[i] += a[i];
                    for (std::size_t j = 0; j < n; ++j)
                        m(i, j) -= push * by_q(i, j) + change_of_v * by_v(i, j);
                }
            };
            add(motion.stiff, motion.stiff_slope);
            if (all) add(motion.soft, motion.soft_slope);
            for (std::size_t i = 0; i < n; ++i) left[i] -= f[i];
            const Vector way = solution(m, left);
            double largest = 0.0;
            for (std::size_t i = 0; i < n; ++i) {
                f[i] += way[i];
                largest = std::max(largest, std::abs(push * way[i]));
            }
            ++step.iterations;
            if (largest < newton_tolerance) return;
        }
    }
};

/// `by_acceleration`: the coefficient of F in q.
void finish(std::size_t n, double h, double by_acceleration, ImplicitStep& step) {
    for (std::size_t i = 0; i < n; ++i) {
        step.z[i] += h * step.z[n + i] + by_acceleration * step.acceleration[i];
        step.z[n + i] += h * step.acceleration[i];
    }
}

void start(const StiffMotion& motion, ImplicitStep& step) {
    step.iterations = 0;
    if (!step.acceleration.empty()) return;
    Vector a(motion.size), b(motion.size);
    motion.soft(step.z, a);
    motion.stiff(step.z, b);
    for (std::size_t i = 0; i < motion.size; ++i) a[i] += b[i];
    step.acceleration = a;
}

} // namespace

void semi_explicit_step(const StiffMotion& motion, double h, double alpha, double beta,
                        ImplicitStep& step) {
    start(motion, step);
    State ahead = step.z;
    for (std::size_t i = 0; i < motion.size; ++i) ahead[i] += h * alpha * step.z[motion.size + i];
    Vector soft(motion.size);
    motion.soft(ahead, soft);
    CommonAcceleration{motion, soft, false, beta * h, 0.5 * beta * h * h, beta * h}.solve(step);
    finish(motion.size, h, 0.5 * h * h, step);
}

void theta_step(const StiffMotion& motion, double h, double theta, ImplicitStep& step) {
    start(motion, step);
    CommonAcceleration{motion,    Vector(motion.size),   true,
                       theta * h, theta * theta * h * h, theta * h}
        .solve(step);
    finish(motion.size, h, theta * h * h, step);
}

} // namespace shadow::models
