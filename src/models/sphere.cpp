// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/sphere.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace shadow::models {
namespace {

bool is_coupled(const Matrix& m) {
    for (std::size_t i = 0; i < m.size; ++i)
        for (std::size_t j = 0; j < m.size; ++j)
            if (i != j && m(i, j) != 0.0) return true;
    return false;
}

/// q_i' of all vectors.
std::vector<Three> velocities(const State& z) {
    const std::size_t n = z.size() / 6;
    std::vector<Three> v(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = cross(vector_at(z, n + i), vector_at(z, i));
    return v;
}

Matrix inverse(const Matrix& m) {
    Matrix result(m.size);
    for (std::size_t j = 0; j < m.size; ++j) {
        std::vector<double> unit(m.size);
        unit[j] = 1.0;
        const std::vector<double> column = solution(m, unit);
        for (std::size_t i = 0; i < m.size; ++i) result(i, j) = column[i];
    }
    return result;
}

/// dexp_u^-1 w up to its second commutator.
Three inverse_of_dexp(const Three& u, const Three& w) {
    const Three first = cross(u, w);
    return plus(plus(w, -0.5, first), 1.0 / 12.0, cross(u, first));
}

class Newmark {
  public:
    Newmark(SphereProblem problem, double h)
        : problem_(std::move(problem)), h_(h), coupled_(is_coupled(problem_.inertia)) {}

    void step(State& z) {
        const std::size_t n = problem_.size();
        kick(z, z);
        for (std::size_t i = 0; i < n; ++i)
            put_vector(z, i, times(rotation_of(scaled(h_, vector_at(z, n + i))), vector_at(z, i)));
        const State half = z;
        // One iteration where the acceleration does not depend on w.
        for (int round = 0; round < 100; ++round) {
            const State before = z;
            kick(half, z);
            double change = 0.0;
            for (std::size_t c = 3 * n; c < 6 * n; ++c)
                change = std::max(std::abs(z[c] - before[c]), change);
            if (!coupled_ || change < 1e-15) break;
        }
    }

  private:
    /// w of z <- w of `from` after half a step with the acceleration at z.
    void kick(const State& from, State& z) {
        problem_.accelerate(z, rate_);
        const std::size_t n = problem_.size();
        for (std::size_t i = 0; i < n; ++i)
            put_vector(z, n + i, plus(vector_at(from, n + i), 0.5 * h_, rate_[i]));
    }

    SphereProblem problem_;
    double h_;
    bool coupled_;
    std::vector<Three> rate_;
};

class SphereRattle {
  public:
    SphereRattle(SphereProblem problem, double h)
        : problem_(std::move(problem)), mobility_(inverse(problem_.inertia)), h_(h),
          force_(3 * problem_.size()) {}

    void step(State& z) {
        const std::size_t n = problem_.size();
        std::vector<Three> v = velocities(z), old(n), q(n);
        half_kick(z, v);
        for (std::size_t i = 0; i < n; ++i) {
            old[i] = vector_at(z, i);
            q[i] = plus(old[i], h_, v[i]);
        }
        return_to_spheres(old, q, v);
        for (std::size_t i = 0; i < n; ++i) put_vector(z, i, q[i]);
        half_kick(z, v);
        stay_tangential(q, v);
        for (std::size_t i = 0; i < n; ++i) put_vector(z, n + i, cross(q[i], v[i]));
    }

  private:
    static constexpr int max_sweeps = 200;

    void half_kick(const State& z, std::vector<Three>& v) {
        problem_.gradient(z, force_);
        for (std::size_t i = 0; i < v.size(); ++i)
            for (std::size_t j = 0; j < v.size(); ++j)
                v[i] = plus(v[i], -0.5 * h_ * mobility_(i, j), vector_at(force_, j));
    }

    /// By sweeps, to rounding.
    void return_to_spheres(const std::vector<Three>& old, std::vector<Three>& q,
                           std::vector<Three>& v) const {
        double most = 1.0;
        for (int sweep = 0; most > 2e-16 && sweep < max_sweeps; ++sweep) {
            most = 0.0;
            for (std::size_t i = 0; i < q.size(); ++i) {
                const double off = 0.5 * (dot(q[i], q[i]) - 1.0);
                most = std::max(std::abs(off), most);
                const double impulse = off / (mobility_(i, i) * dot(q[i], old[i]));
                for (std::size_t j = 0; j < q.size(); ++j) {
                    q[j] = plus(q[j], -mobility_(j, i) * impulse, old[i]);
                    v[j] = plus(v[j], -mobility_(j, i) * impulse / h_, old[i]);
                }
            }
        }
    }

    void stay_tangential(const std::vector<Three>& q, std::vector<Three>& v) const {
        double most = 1.0;
        for (int sweep = 0; most > 1e-16 && sweep < max_sweeps; ++sweep) {
            most = 0.0;
            for (std::size_t i = 0; i < q.size(); ++i) {
                const double off = dot(q[i], v[i]);
                most = std::max(std::abs(off), most);
                for (std::size_t j = 0; j < q.size(); ++j)
                    v[j] = plus(v[j], -mobility_(j, i) * off / mobility_(i, i), q[i]);
            }
        }
    }

    SphereProblem problem_;
    Matrix mobility_;
    double h_;
    State force_;
};

} // namespace

Three vector_at(const State& z, std::size_t i) {
    return {z[3 * i], z[3 * i + 1], z[3 * i + 2]};
}

void put_vector(State& z, std::size_t i, const Three& x) {
    std::copy(x.begin(), x.end(), z.begin() + static_cast<std::ptrdiff_t>(3 * i));
}

double SphereProblem::energy(const State& z) const {
    const std::vector<Three> v = velocities(z);
    double energy = potential(z);
    for (std::size_t i = 0; i < size(); ++i)
        for (std::size_t j = 0; j < size(); ++j) energy += 0.5 * inertia(i, j) * dot(v[i], v[j]);
    return energy;
}

Three SphereProblem::angular_momentum(const State& z) const {
    const std::vector<Three> v = velocities(z);
    Three sum{};
    for (std::size_t i = 0; i < size(); ++i)
        for (std::size_t j = 0; j < size(); ++j)
            sum = plus(sum, inertia(i, j), cross(vector_at(z, i), v[j]));
    return sum;
}

void SphereProblem::accelerate(const State& z, std::vector<Three>& rate) const {
    const std::size_t n = size();
    State g(3 * n);
    gradient(z, g);
    rate.resize(n);
    for (std::size_t i = 0; i < n; ++i)
        rate[i] = scaled(-1.0 / inertia(i, i), cross(vector_at(z, i), vector_at(g, i)));
    if (!is_coupled(inertia)) return;
    // M_ii w_i' - sum of M_ij q_i x (q_j x w_j') = sum of M_ij |w_j|^2 q_i x q_j - q_i x grad_i V
    Matrix m(3 * n);
    std::vector<double> right(3 * n);
    for (std::size_t i = 0; i < n; ++i) {
        const Three a = vector_at(z, i);
        Three sum = scaled(inertia(i, i), rate[i]);
        for (std::size_t k = 0; k < 3; ++k) m(3 * i + k, 3 * i + k) = inertia(i, i);
        for (std::size_t j = 0; j < n; ++j) {
            if (i == j) continue;
            const Three b = vector_at(z, j), w = vector_at(z, n + j);
            sum = plus(sum, inertia(i, j) * dot(w, w), cross(a, b));
            // a x (b x w) = b (a.w) - (a.b) w
            for (std::size_t k = 0; k < 3; ++k)
                for (std::size_t l = 0; l < 3; ++l)
                    m(3 * i + k, 3 * j + l) =
                        inertia(i, j) * ((k == l ? dot(a, b) : 0.0) - b[k] * a[l]);
        }
        std::copy(sum.begin(), sum.end(), right.begin() + static_cast<std::ptrdiff_t>(3 * i));
    }
    const std::vector<double> all = solution(std::move(m), std::move(right));
    for (std::size_t i = 0; i < n; ++i) rate[i] = vector_at(all, i);
}

double turn_about_itself(const State& z) {
    const std::size_t n = z.size() / 6;
    double most = 0.0;
    for (std::size_t i = 0; i < n; ++i)
        most = std::max(std::abs(dot(vector_at(z, i), vector_at(z, n + i))), most);
    return most;
}

Map sphere_newmark(const SphereProblem& problem, double h) {
    const auto method = std::make_shared<Newmark>(problem, h);
    return [method](State& z) { method->step(z); };
}

Map sphere_munthe_kaas(const SphereProblem& problem, const Tableau& tableau, double h) {
    const auto start = std::make_shared<State>();
    const auto turned = [start](const State& uw) {
        State z = uw;
        for (std::size_t i = 0; i < uw.size() / 6; ++i)
            put_vector(z, i, times(rotation_of(vector_at(uw, i)), vector_at(*start, i)));
        return z;
    };
    const Rate rate = [problem, turned, all = std::vector<Three>()](const State& uw,
                                                                    State& f) mutable {
        const std::size_t n = problem.size();
        problem.accelerate(turned(uw), all);
        for (std::size_t i = 0; i < n; ++i) {
            put_vector(f, i, inverse_of_dexp(vector_at(uw, i), vector_at(uw, n + i)));
            put_vector(f, n + i, all[i]);
        }
    };
    const auto method = std::make_shared<RungeKutta>(rate, tableau);
    return [method, start, turned, h](State& z) {
        *start = z;
        std::fill_n(z.begin(), z.size() / 2, 0.0);
        method->step(z, h);
        z = turned(z);
    };
}

Map sphere_rattle(const SphereProblem& problem, double h) {
    const auto method = std::make_shared<SphereRattle>(problem, h);
    return [method](State& z) { method->step(z); };
}

} // namespace shadow::models
