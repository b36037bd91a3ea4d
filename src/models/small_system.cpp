// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/small_system.hpp"

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
    // Differences of sixth order, with displacements of 1e-3 of a unit of length.
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
