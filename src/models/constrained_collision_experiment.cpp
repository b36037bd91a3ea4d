// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/experiment.hpp"
#include "src/models/following.hpp"
#include "src/models/three.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace shadow::models {
namespace {

constexpr Three soft_ball = {0.8, 0.0, -0.6};

/// A pendulum of length 1 that collides with a soft ball on its sphere, V = z + r^-alpha.
class BallOnSphere {
  public:
    explicit BallOnSphere(double alpha) : alpha_(alpha), p_{1.28, 0.02, -0.96} {
        stay_tangential();
    }

    void kick(double t) {
        const Three d = plus(q_, -1.0, soft_ball);
        const double force = alpha_ * std::pow(dot(d, d), -0.5 * alpha_ - 1.0);
        p_ = plus(p_, t * force, d);
        p_[2] -= t;
    }
    /// Returns to the sphere along the previous position.
    void drift(double t) {
        const Three free = plus(q_, t, p_);
        const double along = dot(q_, free), off = dot(free, free) - 1.0;
        const double back = off / (along + std::sqrt(along * along - off));
        p_ = plus(p_, -back / t, q_);
        q_ = plus(free, -back, q_);
    }
    void stay_tangential() { p_ = plus(p_, -dot(q_, p_) / dot(q_, q_), q_); }

    [[nodiscard]] double energy() const {
        return 0.5 * dot(p_, p_) + q_[2] + std::pow(distance(), -alpha_);
    }
    /// Short steps near the ball.
    [[nodiscard]] double scale() const {
        return 1.0 / std::sqrt(1.0 + alpha_ * std::pow(distance(), -alpha_));
    }
    [[nodiscard]] double off_sphere() const { return std::abs(dot(q_, q_) - 1.0); }

  private:
    [[nodiscard]] double distance() const {
        const Three d = plus(q_, -1.0, soft_ball);
        return std::sqrt(dot(d, d));
    }

    double alpha_;
    Three q_ = {-0.6, 0.0, -0.8}, p_;
};

struct CollisionRun {
    int steps = 0;
    double energy = 0.0, off_sphere = 0.0;
};

/// Up to t = 100 by RATTLE with equal steps, or with equal steps of a fictive time: half a step of
/// constrained symplectic Euler and half a step of its adjoint, each with its own factor of time
/// (eq. 9.20).
CollisionRun collision_run(double alpha, double step, bool adaptive, Curves* curves = nullptr) {
    BallOnSphere ball(alpha);
    const double start = ball.energy();
    double factor = ball.scale();
    CollisionRun run;
    for (double t = 0.0; t < 100.0; ++run.steps) {
        if (adaptive) {
            ball.kick(0.5 * step * factor);
            ball.drift(0.5 * step * factor);
            ball.stay_tangential();
            const double next = 1.0 / (2.0 / ball.scale() - 1.0 / factor);
            ball.drift(0.5 * step * next);
            ball.kick(0.5 * step * next);
            t += 0.5 * step * (factor + next);
            factor = next;
        } else {
            ball.kick(0.5 * step);
            ball.drift(step);
            ball.kick(0.5 * step);
            t += step;
        }
        ball.stay_tangential();
        const double error = ball.energy() - start;
        run.energy = std::max(std::abs(error), run.energy);
        run.off_sphere = std::max(ball.off_sphere(), run.off_sphere);
        if (curves && t < 30.0) curves->rows.push_back({t, error, step * factor});
    }
    return run;
}

} // namespace

/// Exercise 9.4: the gain by steps that follow a collision depends on how hard it is.
Results constrained_collision() {
    Results results;
    struct Known {
        double alpha, gain;
    };
    Curves& curves = results.add_curves("constrained_collision", {"time", "energy", "step"});
    for (const Known& k : {Known{2.0, 2.1}, Known{6.0, 3.5}, Known{12.0, 5.7}}) {
        const bool hard = k.alpha == 12.0;
        const CollisionRun fixed = collision_run(k.alpha, 0.02, false),
                           adaptive = collision_run(k.alpha, 0.04, true, hard ? &curves : nullptr);
        const std::string name = fmt::format("alpha = {}: ", k.alpha);
        // An error of order two, at the same number of steps.
        const auto cost = [](const CollisionRun& run) {
            return run.energy * run.steps * double(run.steps);
        };
        results.compare(name + "gain", k.gain, cost(fixed) / cost(adaptive), 0.1);
        // Rounding of each step.
        results.compare(name + "off the sphere", 0.0,
                        std::max(fixed.off_sphere, adaptive.off_sphere), 1e-12);
        if (!hard) continue;
        results.compare(name + "RATTLE, steps", 5001.0, fixed.steps, 0.0);
        results.compare(name + "RATTLE, energy", 4.6e-3, fixed.energy, 1e-4);
        results.compare(name + "adaptive, steps", 3081.0, adaptive.steps, 0.0);
        results.compare(name + "adaptive, energy", 2.1e-3, adaptive.energy, 1e-4);
    }
    return results;
}

} // namespace shadow::models
