// SPDX-License-Identifier: BSD-3-Clause
#include "support/small_systems.hpp"

#include "shadow/integrators/composition.hpp"

#include "kernels/ops/sums.hpp"
#include "kernels/philox.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace shadow::test {

double share(ForceLevel level) {
    return level == 1 ? 0.75 : level == 2 ? 0.25 : 1.0;
}

Problem oscillator() {
    return {"oscillator",
            {2.0},
            {0.3},
            {1.1},
            [](const double* q, ForceLevel f) { return share(f) * 1.5 * q[0] * q[0]; },
            [](const double* q, ForceLevel f, double* g) { g[0] = share(f) * 3.0 * q[0]; }};
}

Problem unit_oscillator() {
    return {"unit-oscillator",
            {1.0},
            {0.0},
            {1.0},
            [](const double* q, ForceLevel f) { return share(f) * 0.5 * q[0] * q[0]; },
            [](const double* q, ForceLevel f, double* g) { g[0] = share(f) * q[0]; }};
}

Problem pendulum() {
    return {"pendulum",
            {1.0},
            {1.2},
            {0.4},
            [](const double* q, ForceLevel f) { return -share(f) * std::cos(q[0]); },
            [](const double* q, ForceLevel f, double* g) { g[0] = share(f) * std::sin(q[0]); }};
}

Problem kepler() {
    return {"kepler",
            {1.0, 1.0},
            {0.7, 0.0},
            {0.0, std::sqrt(1.3 / 0.7)},
            [](const double* q, ForceLevel f) {
                return -share(f) / std::sqrt(q[0] * q[0] + q[1] * q[1]);
            },
            [](const double* q, ForceLevel f, double* g) {
                const double r2 = q[0] * q[0] + q[1] * q[1];
                const double factor = share(f) / (r2 * std::sqrt(r2));
                g[0] = factor * q[0];
                g[1] = factor * q[1];
            }};
}

Problem chain() {
    return {"chain",
            {1.0, 2.0, 3.0},
            {0.1, -0.2, 0.5},
            {0.5, 0.9, -1.3},
            [](const double* q, ForceLevel f) {
                const double a = f == 2 ? 0.0 : q[1] - q[0], b = f == 1 ? 0.0 : q[2] - q[1];
                return 12.5 * a * a + 0.25 * b * b * b * b;
            },
            [](const double* q, ForceLevel f, double* g) {
                const double a = f == 2 ? 0.0 : 25.0 * (q[1] - q[0]);
                const double b = f == 1 ? 0.0 : std::pow(q[2] - q[1], 3);
                g[0] = -a;
                g[1] = a - b;
                g[2] = b;
            },
            true};
}

Problem lj_oscillator() {
    return {"lj-oscillator",
            {1.0},
            {1.5},
            {0.0},
            [](const double* q, ForceLevel f) {
                return share(f) * (std::pow(q[0], -12) - 2.0 * std::pow(q[0], -6));
            },
            [](const double* q, ForceLevel f, double* g) {
                g[0] = share(f) * 12.0 * (std::pow(q[0], -7) - std::pow(q[0], -13));
            }};
}

Problem free_particle() {
    return {"free",
            {2.0, 0.5},
            {0.1, 0.2},
            {0.3, -0.4},
            [](const double*, ForceLevel) { return 0.0; },
            [](const double*, ForceLevel, double* g) { g[0] = g[1] = 0.0; },
            true};
}

std::vector<Problem> problems() {
    return {oscillator(), pendulum(), kepler(), chain()};
}

SmallSystem::SmallSystem(Problem problem, std::uint64_t seed)
    : problem_(std::move(problem)), q_(problem_.q), p_(problem_.p), gradient_(q_.size()),
      seed_(seed) {
    set_scalar(Scalar::one, 1.0);
    set_scalar(Scalar::s, 1.0);
    set_scalar(Scalar::drift_scale, 1.0);
}

void SmallSystem::kick(FlowTime t, ForceLevel level) {
    const double time = t.value * scalar(t.scale);
    problem_.gradient(q_.data(), level, gradient_.data());
    for (std::size_t i = 0; i < p_.size(); ++i) p_[i] -= time * gradient_[i];
}

std::vector<double> SmallSystem::fast_hessian(const std::vector<double>& q,
                                              const std::vector<double>& v) const {
    // Differences of sixth order.
    constexpr double h = 1e-3, weight[] = {45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0};
    std::vector<double> sum(q.size()), at(q.size()), g(q.size());
    for (int k = 1; k <= 3; ++k)
        for (const double sign : {1.0, -1.0}) {
            for (std::size_t i = 0; i < q.size(); ++i) at[i] = q[i] + sign * k * h * v[i];
            problem_.gradient(at.data(), 1, g.data());
            for (std::size_t i = 0; i < q.size(); ++i) sum[i] += sign * weight[k - 1] * g[i] / h;
        }
    return sum;
}

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

/// By the book: the derivative of each place of the motion, column by column.
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
            const std::vector<double> bend = fast_hessian(place[k], now);
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

void SmallSystem::drift(FlowTime t) {
    const double time = t.value * scalar(t.scale);
    for (std::size_t i = 0; i < q_.size(); ++i) q_[i] += time * p_[i] / problem_.mass[i];
}

void SmallSystem::move_exactly(double t) {
    constexpr int steps = 32;
    static const Word word = [] {
        const auto& rows = splitting_methods();
        const auto row = std::find_if(rows.begin(), rows.end(), [](const SplittingMethod& method) {
            return method.name == "mclachlan-8";
        });
        Word flows = parse_word(row->word);
        for (Flow& flow : flows)
            if (flow.is_kick()) flow.level = 1;
        return flows;
    }();
    for (int k = 0; k < steps; ++k) apply_word(*this, word, t / steps);
}

void SmallSystem::scale_momenta(Scalar factor) {
    for (double& p : p_) p *= scalar(factor);
}

void SmallSystem::bath(const BathFlow& flow, int occurrence) {
    const auto stream =
        static_cast<std::uint32_t>(RandomStream::langevin) + static_cast<std::uint32_t>(occurrence);
    const auto numbers = [&](std::uint32_t id, std::uint32_t block) {
        return Philox(seed_, stream, id, static_cast<std::uint64_t>(step_), block);
    };
    const double kept = flow.collides() ? 0.0 : flow.kept(),
                 noise = (flow.collides() ? 1.0 : flow.renewed()) * flow.kT;
    for (std::size_t i = 0; i < p_.size(); ++i) {
        const auto id = static_cast<std::uint32_t>(i);
        const std::uint32_t who = flow.kind == BathKind::all_at_once ? 0xFFFFFFFFU : id;
        if (flow.collides() && numbers(who, 2).uniform(0) >= 1.0 - flow.kept()) continue;
        double a = 0.0, b = 0.0;
        numbers(id, 0).normal(a, b);
        const double before = p_[i];
        p_[i] = kept * p_[i] + std::sqrt(noise * problem_.mass[i]) * a;
        heat_ += 0.5 * (p_[i] * p_[i] - before * before) / problem_.mass[i];
    }
}

void SmallSystem::measure_kinetic() {
    double sum = 0.0;
    for (std::size_t i = 0; i < p_.size(); ++i) sum += p_[i] * p_[i] / problem_.mass[i];
    set_scalar(Scalar::kinetic, sum);
}

void SmallSystem::measure_potential(ForceLevel level) {
    set_scalar(Scalar::potential, problem_.potential(q_.data(), level));
}

void SmallSystem::draw(RandomStream stream, double squares) {
    DrawNumbers{{scalars_.data()}, seed_, static_cast<std::uint32_t>(stream), step_, squares}(0);
}

void SmallSystem::advance(const ScalarFlow& flow) {
    std::visit([this](const auto& functor) { functor(Scalars{scalars_.data()}); }, flow);
}

void SmallSystem::set_scalar(Scalar which, double value) {
    scalars_[static_cast<std::size_t>(which)] = value;
}

double SmallSystem::scalar(Scalar which) {
    return scalars_[static_cast<std::size_t>(which)];
}

void SmallSystem::end_step(double dt) {
    time_ += dt;
    ++step_;
}

double SmallSystem::degrees_of_freedom() const {
    return static_cast<double>(q_.size());
}

double SmallSystem::kinetic_energy() {
    const double s = scalar(Scalar::s);
    measure_kinetic();
    return 0.5 * scalar(Scalar::kinetic) / (s * s);
}

double SmallSystem::potential_energy() {
    return problem_.potential(q_.data(), all_levels);
}

std::vector<double> SmallSystem::state(bool extended) const {
    std::vector<double> z = q_;
    if (extended) z.push_back(scalars_[static_cast<std::size_t>(Scalar::s)]);
    z.insert(z.end(), p_.begin(), p_.end());
    if (extended) z.push_back(scalars_[static_cast<std::size_t>(Scalar::pi)]);
    return z;
}

void SmallSystem::set_state(const std::vector<double>& z, bool extended) {
    const std::size_t n = q_.size(), half = z.size() / 2;
    std::copy_n(z.begin(), n, q_.begin());
    std::copy_n(z.begin() + static_cast<std::ptrdiff_t>(half), n, p_.begin());
    if (extended) {
        set_scalar(Scalar::s, z[n]);
        set_scalar(Scalar::pi, z.back());
    }
    measure_potential(all_levels);
}

void SmallSystem::flip() {
    for (double& p : p_) p = -p;
    set_scalar(Scalar::pi, -scalar(Scalar::pi));
    for (int k = 0; k < max_chain; ++k) {
        const Scalar velocity = of_row(Scalar::chain_velocity, k);
        set_scalar(velocity, -scalar(velocity));
    }
}

double SmallSystem::conserved(const Integrator& method) {
    double mollified = 0.0, unmollified = 0.0;
    for (std::size_t k = 0; k < mollifiers_.size(); ++k) {
        if (mollifiers_[k].weight.empty()) continue;
        const auto level = static_cast<ForceLevel>(k) + 1;
        mollified += problem_.potential(average(mollifiers_[k]).data(), level);
        unmollified += problem_.potential(q_.data(), level);
    }
    set_scalar(Scalar::mollified, mollified);
    set_scalar(Scalar::unmollified, unmollified);
    return kinetic_energy() + potential_energy() - bath_heat() +
           method.extended_energy(*this)(Scalars{scalars_.data()});
}

bool is_extended(const Integrator& method, const System& system) {
    return method.extended_energy(system).bath_mass != 0.0;
}

std::vector<double> reference_solution(SmallSystem system, const ExtendedEnergy& energy, double t,
                                       int steps) {
    const bool extended = energy.bath_mass != 0.0;
    const Problem& problem = system.problem();
    const std::size_t n = problem.q.size();
    const double energy_0 = system.scalar(Scalar::energy_0);
    std::vector<double> gradient(n);
    std::vector<double> z = system.state(extended);
    const std::size_t half = z.size() / 2;
    const auto thermostats = static_cast<std::size_t>(energy.chain.length);
    for (std::size_t k = 0; k < thermostats; ++k)
        z.push_back(system.scalar(of_row(Scalar::chain_velocity, static_cast<int>(k))));
    auto rate = [&](const std::vector<double>& y, std::vector<double>& f) {
        const double *p = y.data() + half, *v = p + half;
        const double s = extended ? y[n] : 1.0, friction = thermostats > 0 ? v[0] : 0.0;
        problem.gradient(y.data(), all_levels, gradient.data());
        double twice_kinetic = 0.0;
        for (std::size_t i = 0; i < n; ++i) {
            f[i] = p[i] / (problem.mass[i] * s);
            f[half + i] = -s * gradient[i] - friction * p[i];
            twice_kinetic += p[i] * p[i] / (problem.mass[i] * s * s);
        }
        for (std::size_t k = 0; k < thermostats; ++k) {
            const NoseHooverChain& chain = energy.chain;
            const double drive =
                k == 0
                    ? (twice_kinetic - chain.g * chain.kT) / chain.first_mass
                    : ((k == 1 ? chain.first_mass : chain.mass) * v[k - 1] * v[k - 1] - chain.kT) /
                          chain.mass;
            f[2 * half + k] = drive - (k + 1 < thermostats ? v[k + 1] * v[k] : 0.0);
        }
        if (!extended) return;
        const double pi = p[n], mass = energy.bath_mass;
        const double delta_h = 0.5 * twice_kinetic + problem.potential(y.data(), all_levels) +
                               0.5 * pi * pi / mass + energy.g_kT * std::log(s) - energy_0;
        f[n] = s * pi / mass;
        f[half + n] = twice_kinetic - energy.g_kT - delta_h;
    };
    const double h = t / steps;
    std::array<std::vector<double>, 4> k;
    k.fill(z);
    std::vector<double> y = z;
    for (int step = 0; step < steps; ++step) {
        rate(z, k[0]);
        for (std::size_t stage = 1; stage < 4; ++stage) {
            const double c = stage == 3 ? h : 0.5 * h;
            for (std::size_t i = 0; i < z.size(); ++i) y[i] = z[i] + c * k[stage - 1][i];
            rate(y, k[stage]);
        }
        for (std::size_t i = 0; i < z.size(); ++i)
            z[i] += h / 6.0 * (k[0][i] + 2.0 * (k[1][i] + k[2][i]) + k[3][i]);
    }
    z.resize(2 * half);
    return z;
}

void OscillatorMoments::kick(FlowTime t, ForceLevel level) {
    const double a = -t.value * stiffness_ * share(level);
    pp += 2.0 * a * qp + a * a * qq;
    qp += a * qq;
}

/// Its average leaves a fraction of q, and gives that of the force.
void OscillatorMoments::mollified_kick(FlowTime t, ForceLevel level) {
    const Mollifier& mollifier = mollifiers_[static_cast<std::size_t>(level) - 1];
    const double push = mollifier.dt * mollifier.dt * stiffness_ * share(averaged_level) / mass_;
    double before = 1.0, now = 1.0 - 0.5 * push, mean = mollifier.weight[0];
    for (std::size_t k = 1; k < mollifier.weight.size(); ++k) {
        mean += mollifier.weight[k] * now;
        before = std::exchange(now, 2.0 * now - before - push * now);
    }
    kick({t.value * mean * mean, t.scale}, level);
}

void OscillatorMoments::drift(FlowTime t) {
    const double a = t.value / mass_;
    qq += 2.0 * a * qp + a * a * pp;
    qp += a * pp;
}

void OscillatorMoments::move_exactly(double t) {
    const double k = stiffness_ * share(1), w = std::sqrt(k / mass_);
    const double c = std::cos(w * t), s = std::sin(w * t), a = s / (mass_ * w), b = -mass_ * w * s;
    const double q2 = qq, pq = qp, p2 = pp;
    qq = c * c * q2 + 2.0 * a * c * pq + a * a * p2;
    qp = b * c * q2 + (c * c + a * b) * pq + a * c * p2;
    pp = b * b * q2 + 2.0 * b * c * pq + c * c * p2;
}

void OscillatorMoments::bath(const BathFlow& flow, int) {
    const double kept = flow.kept(), renewed = flow.collides() ? 1.0 - kept : flow.renewed();
    qp *= kept;
    pp = (1.0 - renewed) * pp + renewed * flow.kT * mass_;
}

} // namespace shadow::test
