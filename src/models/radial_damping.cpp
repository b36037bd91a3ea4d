// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/radial_damping.hpp"

#include <cmath>
#include <memory>

namespace shadow::models {
namespace {

/// The component of x along q, over the length of q.
double projection(std::size_t n, const double* q, const double* x) {
    double along = 0.0, square = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        along += q[i] * x[i];
        square += q[i] * q[i];
    }
    return along / square;
}

/// Drifts, and kicks that include the damping.
class RadialKicks final : public SplitModel {
  public:
    RadialKicks(const RadiallyDamped& system, bool exact)
        : system_(system), exact_(exact), n_(system.problem().mass.size()), force_(n_), first_(n_),
          second_(n_), moved_(n_) {}

    void fast(State& z, double t) const override {
        for (std::size_t i = 0; i < n_; ++i) z[i] += t * z[n_ + i];
    }
    void slow(State& z, double t) const override {
        system_.problem().gradient(z.data(), all_levels, force_.data());
        for (double& f : force_) f = -f;
        double* p = z.data() + n_;
        if (exact_) return system_.damp(z.data(), force_.data(), p, t);
        first_ = second_ = force_;
        system_.add_damping(z.data(), p, first_.data());
        for (std::size_t i = 0; i < n_; ++i) moved_[i] = p[i] + t * first_[i];
        system_.add_damping(z.data(), moved_.data(), second_.data());
        for (std::size_t i = 0; i < n_; ++i) p[i] += 0.5 * t * (first_[i] + second_[i]);
    }
    [[nodiscard]] double energy(const State& z) const override {
        return energy_of(system_.problem(), z);
    }
    [[nodiscard]] std::size_t size() const override { return 2 * n_; }

  private:
    const RadiallyDamped& system_;
    bool exact_;
    std::size_t n_;
    mutable std::vector<double> force_, first_, second_, moved_;
};

} // namespace

void RadiallyDamped::add_damping(const double* q, const double* p, double* f) const {
    const double factor = eps_ * projection(problem_.mass.size(), q, p);
    for (std::size_t i = 0; i < problem_.mass.size(); ++i) f[i] -= factor * q[i];
}

void RadiallyDamped::damp(const double* q, const double* force, double* p, double t) const {
    const std::size_t n = problem_.mass.size();
    const double lost = -std::expm1(-eps_ * t), shorter = eps_ == 0.0 ? 0.0 : t - lost / eps_;
    const double less = lost * projection(n, q, p) + shorter * projection(n, q, force);
    for (std::size_t i = 0; i < n; ++i) p[i] += t * force[i] - less * q[i];
}

Map RadiallyDamped::step(RadialMethod method, double h) const {
    if (method != RadialMethod::outside) {
        const auto model = std::make_shared<RadialKicks>(*this, method == RadialMethod::exact);
        return [model, map = step_of(*model, "position-verlet", h)](State& z) { map(z); };
    }
    const std::vector<double> none(problem_.mass.size());
    return [this, none, h, map = step_of(problem_, "position-verlet", h)](State& z) {
        damp(z.data(), none.data(), z.data() + none.size(), 0.5 * h);
        map(z);
        damp(z.data(), none.data(), z.data() + none.size(), 0.5 * h);
    };
}

Rate RadiallyDamped::rate() const {
    return [this, motion = rate_of(problem_)](const State& z, State& f) {
        const std::size_t n = problem_.mass.size();
        motion(z, f);
        add_damping(z.data(), z.data() + n, f.data() + n);
    };
}

Problem elastic_pendulum(std::vector<double> q, std::vector<double> p) {
    return {"elastic-pendulum",
            {1.0, 1.0, 1.0},
            std::move(q),
            std::move(p),
            [](const double* x, ForceLevel) {
                const double stretch = std::hypot(x[0], x[1], x[2]) - 1.0;
                return x[2] + 0.5 * stretch * stretch;
            },
            [](const double* x, ForceLevel, double* g) {
                const double factor = 1.0 - 1.0 / std::hypot(x[0], x[1], x[2]);
                for (int i = 0; i < 3; ++i) g[i] = factor * x[i];
                g[2] += 1.0;
            }};
}

} // namespace shadow::models
