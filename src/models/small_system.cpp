// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/small_system.hpp"

#include "src/models/linear_map.hpp"

#include "shadow/integrators/registry.hpp"

#include "kernels/ops/sums.hpp"
#include "kernels/philox.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <utility>
#include <variant>

namespace shadow::models {

SmallSystem::SmallSystem(Problem problem, std::uint64_t seed)
    : problem_(std::move(problem)), q_(problem_.q), p_(problem_.p), gradient_(q_.size()),
      seed_(seed), freedom_(static_cast<double>(q_.size())) {
    if (p_.size() != q_.size() || problem_.mass.size() != q_.size())
        throw std::logic_error(problem_.name + ": not as many masses and momenta as coordinates");
    set_scalar(Scalar::one, 1.0);
    set_scalar(Scalar::s, 1.0);
}

void SmallSystem::kick(FlowTime t, ForceLevel level) {
    const double time = t.value * scalar(t.scale);
    problem_.gradient(q_.data(), level, gradient_.data());
    for (std::size_t i = 0; i < p_.size(); ++i) p_[i] -= time * gradient_[i];
}

void SmallSystem::gradient_kick(FlowTime t, double square) {
    kick(t, all_levels);
    std::vector<double> slope = gradient_;
    for (std::size_t i = 0; i < slope.size(); ++i) slope[i] /= problem_.mass[i];
    const std::vector<double> bend = hessian(q_, slope, all_levels);
    const double time = t.value * scalar(t.scale) * square;
    for (std::size_t i = 0; i < p_.size(); ++i) p_[i] += time * bend[i];
}

std::vector<double> SmallSystem::hessian(const std::vector<double>& q, const std::vector<double>& v,
                                         ForceLevel level) const {
    // Differences of sixth order over 1e-3 of a unit of length.
    constexpr double weight[] = {45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0};
    double longest = 0.0;
    for (const double x : v) longest = std::max(longest, std::abs(x));
    std::vector<double> sum(q.size()), at(q.size()), g(q.size());
    if (longest == 0.0) return sum;
    const double h = 1e-3 / longest;
    for (int k = 1; k <= 3; ++k)
        for (const double sign : {1.0, -1.0}) {
            for (std::size_t i = 0; i < q.size(); ++i) at[i] = q[i] + sign * k * h * v[i];
            problem_.gradient(at.data(), level, g.data());
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

void SmallSystem::drift(FlowTime t) {
    const double time = t.value * scalar(t.scale);
    for (std::size_t i = 0; i < q_.size(); ++i) q_[i] += time * p_[i] / problem_.mass[i];
}

void SmallSystem::move_exactly(double t) {
    constexpr int steps = 32;
    static const Word word = [] {
        Word flows = find_integrator("mclachlan-8")->make({})->word();
        for (Flow& flow : flows)
            if (flow.is_kick()) flow.level = 1;
        return flows;
    }();
    for (int k = 0; k < steps; ++k) apply_word(*this, word, t / steps);
}

void SmallSystem::scale_momenta(Scalar factor, Axes axes) {
    if (axes != all_axes) throw std::logic_error("a small system has no directions");
    for (double& p : p_) p *= scalar(factor);
}

void SmallSystem::bath(const BathFlow& flow, int occurrence) {
    if (flow.is_of_pairs()) throw std::logic_error("a small system has no pairs");
    const auto stream =
        static_cast<std::uint32_t>(RandomStream::langevin) + static_cast<std::uint32_t>(occurrence);
    const auto numbers = [&](std::uint32_t id, std::uint32_t block) {
        return Philox(seed_, stream, id, static_cast<std::uint64_t>(step_), block);
    };
    const double kept = flow.collides() ? 0.0 : flow.kept(),
                 noise = (flow.collides() ? 1.0 : flow.renewed()) * flow.kT;
    for (std::size_t i = 0; i < p_.size(); ++i) {
        const auto id = static_cast<std::uint32_t>(i);
        const std::uint32_t drawn = flow.kind == BathKind::all_at_once ? 0xFFFFFFFFU : id;
        if (flow.collides() && numbers(drawn, 2).uniform(0) >= 1.0 - flow.kept()) continue;
        float normal[4];
        numbers(id, 0).normals(normal);
        const double before = p_[i];
        p_[i] = kept * p_[i] + std::sqrt(noise * problem_.mass[i]) * normal[0];
        heat_ += 0.5 * (p_[i] * p_[i] - before * before) / problem_.mass[i];
    }
}

void SmallSystem::measure_kinetic() {
    double sum = 0.0;
    for (std::size_t i = 0; i < p_.size(); ++i) sum += p_[i] * p_[i] / problem_.mass[i];
    set_scalar(Scalar::kinetic, sum);
}

void SmallSystem::measure_motion() {
    const std::size_t n = q_.size();
    double kinetic = 0.0, power = 0.0, speed = 0.0, acceleration = 0.0, largest = 0.0;
    problem_.gradient(q_.data(), all_levels, gradient_.data());
    for (std::size_t i = 0; i < n; ++i) {
        const double v = p_[i] / problem_.mass[i], a = -gradient_[i] / problem_.mass[i];
        kinetic += p_[i] * v;
        power -= gradient_[i] * v;
        speed += v * v / static_cast<double>(n);
        acceleration += a * a / static_cast<double>(n);
        largest += std::pow(a, 16) / static_cast<double>(n);
    }
    set_scalar(Scalar::motion_kinetic, kinetic);
    set_scalar(Scalar::motion_power, power);
    set_scalar(Scalar::motion_speed, speed);
    set_scalar(Scalar::motion_acceleration, acceleration);
    set_scalar(Scalar::motion_largest, largest);
}

void SmallSystem::measure_slope(StepMeasure of) {
    const ForceLevel level = of == StepMeasure::pair_sum ? 1 : all_levels;
    if (of == StepMeasure::pair_sum)
        set_scalar(Scalar::step_sum, problem_.potential(q_.data(), level));
    problem_.gradient(q_.data(), level, gradient_.data());
    double power = 0.0, square = 0.0;
    for (std::size_t i = 0; i < q_.size(); ++i) {
        power -= gradient_[i] * p_[i] / problem_.mass[i];
        square += gradient_[i] * gradient_[i] / problem_.mass[i];
    }
    set_scalar(Scalar::slope_power, power);
    set_scalar(Scalar::slope_square, square);
}

std::pair<ParticlesView<1>, TotalForce<1>> SmallSystem::on_a_line() {
    problem_.gradient(q_.data(), all_levels, gradient_.data());
    for (double& component : gradient_) component = -component;
    std::pair<ParticlesView<1>, TotalForce<1>> all{};
    all.first.position.component[0] = q_.data();
    all.first.momentum.component[0] = p_.data();
    all.second.add({{gradient_.data()}});
    return all;
}

void SmallSystem::measure_descent() {
    const auto [particles, force] = on_a_line();
    const MeasureFire<1> measure{particles, force};
    auto sums = measure.identity();
    for (std::size_t i = 0; i < q_.size(); ++i) sums = measure.combine(sums, measure(i));
    set_scalar(Scalar::descent_power, sums.power);
    set_scalar(Scalar::descent_speed, sums.velocity2);
    set_scalar(Scalar::descent_force, sums.force2);
    set_scalar(Scalar::descent_largest, sums.largest_force);
}

void SmallSystem::descend(double longest_move) {
    const auto [particles, force] = on_a_line();
    const MoveFire<1> move{particles, force, {scalars_.data()}, longest_move};
    for (std::size_t i = 0; i < q_.size(); ++i) move(i);
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
    scalars_[which] = value;
}

double SmallSystem::scalar(Scalar which) {
    return scalars_[which];
}

void SmallSystem::end_step(double dt) {
    time_ += dt;
    ++step_;
}

double SmallSystem::kinetic_energy() {
    measure_kinetic();
    return 0.5 * physical_kinetic(scalar(Scalar::kinetic), scalar(Scalar::s));
}

double SmallSystem::potential_energy() {
    return problem_.potential(q_.data(), all_levels);
}

std::vector<double> SmallSystem::state(bool extended) const {
    std::vector<double> z;
    const auto add = [&](const std::vector<double>& own, Scalar first, Scalar last) {
        z.insert(z.end(), own.begin(), own.end());
        if (!extended) return;
        const auto bath = scalars_.begin() + first;
        z.insert(z.end(), bath, bath + bath_size());
        z.push_back(scalars_[last]);
    };
    add(q_, Scalar::bath_position, Scalar::s);
    add(p_, Scalar::bath_momentum, Scalar::pi);
    return z;
}

void SmallSystem::set_state(const std::vector<double>& z, bool extended) {
    const std::size_t n = q_.size(), half = z.size() / 2;
    std::copy_n(z.begin(), n, q_.begin());
    std::copy_n(z.begin() + static_cast<std::ptrdiff_t>(half), n, p_.begin());
    if (extended) {
        for (std::size_t k = 0; n + k + 1 < half; ++k) {
            set_scalar(of_row(Scalar::bath_position, static_cast<int>(k)), z[n + k]);
            set_scalar(of_row(Scalar::bath_momentum, static_cast<int>(k)), z[half + n + k]);
        }
        set_scalar(Scalar::s, z[half - 1]);
        set_scalar(Scalar::pi, z.back());
    }
    measure_potential(all_levels);
}

void SmallSystem::flip() {
    for (double& p : p_) p = -p;
    const auto turn = [this](Scalar first, int count = 1) {
        for (int k = 0; k < count; ++k) set_scalar(of_row(first, k), -scalar(of_row(first, k)));
    };
    turn(Scalar::pi);
    turn(Scalar::step_rate);
    turn(Scalar::chain_velocity, max_chain);
    turn(Scalar::bath_momentum, max_bath);
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
    const double total = kinetic_energy() + potential_energy();
    return total - bath_heat() + method.extended_energy(*this)(Scalars{scalars_.data()}, total);
}

Map step_of(const Problem& problem, std::string_view method, const MethodSettings& settings) {
    const std::shared_ptr<Integrator> integrator = find_integrator(method)->make(settings);
    const auto system = std::make_shared<SmallSystem>(problem);
    integrator->prepare(*system);
    return [integrator, system](State& z) {
        system->set_state(z, false);
        integrator->step(*system);
        z = system->state(false);
    };
}

Map step_of(const Problem& problem, std::string_view method, double dt) {
    MethodSettings settings;
    settings.dt = dt;
    return step_of(problem, method, settings);
}

} // namespace shadow::models
