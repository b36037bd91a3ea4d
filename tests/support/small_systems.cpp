// SPDX-License-Identifier: BSD-3-Clause
#include "support/small_systems.hpp"

#include "src/models/runge_kutta.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace shadow::test {

Problem free_particle() {
    return {"free",
            {2.0, 0.5},
            {0.1, 0.2},
            {0.3, -0.4},
            [](const double*, ForceLevel) { return 0.0; },
            [](const double*, ForceLevel, double* g) { g[0] = g[1] = 0.0; },
            true};
}

bool is_extended(const Integrator& method, const System& system) {
    const ExtendedEnergy energy = method.extended_energy(system);
    return energy.bath_mass != 0.0 || energy.generalized.size > 0;
}

namespace {

/// Rates of the variables of a generalized bath, s and their momenta; `excess` is K + V - E.
void generalized_rate(const GeneralizedBath& bath, double excess, double twice_kinetic,
                      std::size_t n, const std::vector<double>& y, std::vector<double>& f) {
    const auto size = static_cast<std::size_t>(bath.size), half = n + size + 1;
    std::vector<double> numbers(Scalar::count);
    const Scalars x{numbers.data()};
    const double s = y[half - 1], pi = y[2 * half - 1];
    x[Scalar::s] = s;
    x[Scalar::pi] = pi;
    double spread = 1.0;
    for (std::size_t k = 0; k < size; ++k) {
        const int i = static_cast<int>(k);
        x[of_row(Scalar::bath_position, i)] = y[n + k];
        x[of_row(Scalar::bath_momentum, i)] = y[half + n + k];
        spread += y[n + k] * y[n + k];
    }
    for (std::size_t k = 0; k < size; ++k) {
        const int i = static_cast<int>(k);
        f[n + k] = s * y[half + n + k] / bath.mass_of(i);
        f[half + n + k] = -s * (y[n + k] * pi * pi / bath.mass + bath.kT * bath.slope(x, i));
    }
    f[half - 1] = s * spread * pi / bath.mass;
    f[2 * half - 1] = twice_kinetic - bath.g * bath.kT - excess - bath.energy(x);
}

/// Rates of the scales of thermostats and their momenta; `excess` is the total that must be zero.
void recursive_rate(const RecursiveBath& bath, double excess, double twice_kinetic, std::size_t n,
                    const std::vector<double>& y, std::vector<double>& f) {
    const std::size_t size = static_cast<std::size_t>(bath.further()), half = n + size + 1;
    const double s = y[half - 1], pi = y[2 * half - 1];
    double held = 0.0, pushed = 0.0; // by thermostats after the first, along s and pi
    std::vector<double> energy(size), speed(size);
    for (std::size_t k = 0; k < size; ++k) {
        double heavy = bath.mass;
        for (std::size_t j = k + 1; j < size; ++j) heavy *= y[n + j] * y[n + j];
        const double own = y[half + n + k] + pi * s / y[n + k];
        speed[k] = own / heavy;
        energy[k] = 0.5 * own * own / heavy;
        held += speed[k] * s / y[n + k];
        pushed += speed[k] * pi / y[n + k];
    }
    for (std::size_t k = 0; k < size; ++k) {
        const double scale = y[n + k];
        double slope =
            -speed[k] * pi * s / (scale * scale) +
            bath.kT * (static_cast<double>(k + 1) + (bath.g + 16.0) * std::log(scale)) / scale;
        for (std::size_t j = 0; j < k; ++j) slope -= 2.0 * energy[j] / scale;
        f[n + k] = s * speed[k];
        f[half + n + k] = -s * slope;
    }
    f[half - 1] = s * (pi / bath.mass + held);
    f[2 * half - 1] = twice_kinetic - bath.g * bath.kT - excess - s * pushed;
}

/// The energy from the numbers of the method.
double energy_of(const RecursiveBath& bath, std::size_t n, const std::vector<double>& y) {
    const std::size_t size = static_cast<std::size_t>(bath.further()), half = n + size + 1;
    std::vector<double> numbers(Scalar::count);
    const Scalars x{numbers.data()};
    x[Scalar::s] = y[half - 1];
    x[Scalar::pi] = y[2 * half - 1];
    for (std::size_t k = 0; k < size; ++k) {
        RecursiveBath::scale(x, static_cast<int>(k)) = y[n + k];
        RecursiveBath::momentum(x, static_cast<int>(k)) = y[half + n + k];
    }
    return bath.energy(x);
}

/// E for a given F(E), by bisection.
double where_density_is(const Boost& density, double flatter) {
    double low = -1e3, high = 1e3;
    for (int k = 0; k < 200; ++k) {
        const double mid = 0.5 * (low + high);
        (mid + density.energy(mid) < flatter ? low : high) = mid;
    }
    return 0.5 * (low + high);
}

} // namespace

std::vector<double> reference_solution(SmallSystem system, const ExtendedEnergy& energy, double t,
                                       int steps, double damping) {
    const GeneralizedBath& bath = energy.generalized;
    const bool extended = energy.bath_mass != 0.0 || bath.size > 0;
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
        const double s = extended ? y[half - 1] : 1.0,
                     friction = damping + (thermostats > 0 ? v[0] : 0.0);
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
        if (bath.size > 0) {
            const double inner = 0.5 * twice_kinetic + problem.potential(y.data(), all_levels);
            return generalized_rate(bath, inner - energy_0, twice_kinetic, n, y, f);
        }
        if (energy.recursive.further() > 0) {
            const double excess = 0.5 * twice_kinetic + problem.potential(y.data(), all_levels) +
                                  energy_of(energy.recursive, n, y) - energy_0;
            return recursive_rate(energy.recursive, excess, twice_kinetic, n, y, f);
        }
        const double pi = p[n], mass = energy.bath_mass;
        if (energy.density.any()) {
            const double held = energy_0 - 0.5 * pi * pi / mass - energy.g_kT * std::log(s),
                         total = where_density_is(energy.density, held),
                         slope = energy.density.slope(total);
            f[n] = s * pi / (mass * slope);
            f[half + n] = 0.5 * twice_kinetic - problem.potential(y.data(), all_levels) + total -
                          energy.g_kT / slope;
            return;
        }
        const double delta_h = 0.5 * twice_kinetic + problem.potential(y.data(), all_levels) +
                               0.5 * pi * pi / mass + energy.g_kT * std::log(s) - energy_0;
        f[n] = s * pi / mass;
        f[half + n] = twice_kinetic - energy.g_kT - delta_h;
    };
    for (int step = 0; step < steps; ++step) models::runge_kutta_step(rate, t / steps, z);
    z.resize(2 * half);
    return z;
}

void OscillatorMoments::kick(FlowTime t, ForceLevel level) {
    mix(-t.value * stiffness_ * share(level), 1.0);
}

void OscillatorMoments::mix(double a, double b) {
    pp = a * a * qq + 2.0 * a * b * qp + b * b * pp;
    qp = a * qq + b * qp;
}

/// f = -fast x at x = q + shift p + push (f - slower q)
void OscillatorMoments::implicit_kick(double t, ForceLevel level, double theta) {
    const double fast = stiffness_ * share(1),
                 slower = level == all_levels ? stiffness_ - fast : 0.0;
    const double shift = (theta - 0.5) * t / mass_, push = 0.5 * theta * t * t / mass_;
    const double soft = 1.0 + push * fast;
    mix(-t * (slower + fast * (1.0 - push * slower) / soft), 1.0 - t * fast * shift / soft);
}

/// Averaging multiplies q by a factor, and its transpose the force by the same factor.
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
