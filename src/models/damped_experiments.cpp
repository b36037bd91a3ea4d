// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/experiment.hpp"
#include "src/models/radial_damping.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace shadow::models {
namespace {

int damped_steps(double time, double h) {
    return static_cast<int>(std::lround(time / h));
}

/// Energies after all steps.
std::vector<double> energies(const Problem& problem, const Map& step, double h, double time) {
    State z = start_of(problem);
    std::vector<double> all = {energy_of(problem, z)};
    for (int k = 0; k < damped_steps(time, h); ++k) {
        step(z);
        all.push_back(energy_of(problem, z));
    }
    return all;
}

/// The energy at the end, by a method of order six.
double exact_energy(const Problem& problem, const Rate& rate, double time) {
    return energies(problem, step_of(rate, gauss(3), 0.05), 0.05, time).back();
}

/// The rate of the problem with friction eps p.
Rate with_friction(const Problem& problem, double eps) {
    return [eps, motion = rate_of(problem)](const State& z, State& f) {
        motion(z, f);
        for (std::size_t i = z.size() / 2; i < z.size(); ++i) f[i] -= eps * z[i];
    };
}

/// A step of a method of the engine with this friction.
Map damped_step(const Problem& problem, const char* method, double eps, double h) {
    MethodSettings settings;
    settings.dt = h;
    settings.friction = eps;
    return step_of(problem, method, settings);
}

double max_apart(const std::vector<double>& a, const std::vector<double>& b) {
    double largest = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(std::abs(a[k] - b[k]), largest);
    return largest;
}

Problem thrown_pendulum() {
    return started_at(pendulum(), {0.0}, {1.5});
}

double vertical_spin(const State& z) {
    return z[0] * z[4] - z[1] * z[3];
}

/// On the circle on which an elastic pendulum of angular momentum 1 rotates for ever.
Problem turning_pendulum() {
    constexpr double r = 1.165542907295, z = -1.845495810278;
    return elastic_pendulum({r, 0.0, z}, {0.0, 1.0 / r, 0.0});
}

} // namespace

/// Figures 1 to 3: the energy loss of a damped pendulum does not depend on the step.
Results damped_pendulum() {
    Results results;
    struct Known {
        double eps, h, splitting, heun, to_exact, to_heun;
    };
    constexpr std::array<Known, 6> known = {{{0.01, 0.05, -1.9e-4, 6.3e-4, 6.0e-6, 4.6e-8},
                                             {0.01, 0.1, -7.7e-4, 6.0e-3, 2.4e-5, 1.9e-7},
                                             {0.01, 0.2, -3.1e-3, 5.4e-2, 9.6e-5, 7.4e-7},
                                             {0.01, 0.4, -1.2e-2, 5.4e-1, 3.8e-4, 4.7e-6},
                                             {0.001, 0.1, -8.0e-4, 7.6e-2, 2.4e-6, 2.3e-9},
                                             {0.001, 0.2, -1.4e-3, 7.7e-1, 9.6e-6, 2.2e-8}}};
    const Problem problem = thrown_pendulum();
    for (const auto& [eps, time, energy] :
         {std::array{0.01, 100.0, -0.562092}, {0.001, 1000.0, -0.561402}}) {
        const double exact = exact_energy(problem, with_friction(problem, eps), time);
        results.compare(fmt::format("eps = {}: energy at t = {}", eps, time), energy, exact, 1e-6);
        for (const Known& k : known) {
            if (k.eps != eps) continue;
            const auto run = [&, t = time](const Map& step) {
                return energies(problem, step, k.h, t);
            };
            const auto outside = run(damped_step(problem, "damped-verlet", k.eps, k.h)),
                       within = run(damped_step(problem, "damped-exponential", k.eps, k.h)),
                       heun_kick = run(damped_step(problem, "damped-heun", k.eps, k.h)),
                       plain = run(step_of(with_friction(problem, k.eps), heun(), k.h));
            const std::string name = fmt::format("eps = {}, step {}: ", eps, k.h);
            results.compare(name + "3.1 at the end", k.splitting, outside.back() - exact,
                            last_of(2, k.splitting));
            results.compare(name + "Heun at the end", k.heun, plain.back() - exact,
                            last_of(2, k.heun));
            results.compare(name + "3.1 less 3.2", k.to_exact, max_apart(outside, within),
                            last_of(2, k.to_exact));
            results.compare(name + "3.2 less 3.3", k.to_heun, max_apart(within, heun_kick),
                            last_of(2, k.to_heun));
        }
    }
    Curves& curves = results.add_curves("damped_pendulum", {"time", "splitting", "heun"});
    const auto a = energies(problem, damped_step(problem, "damped-verlet", 0.01, 0.2), 0.2, 100.0),
               b = energies(problem, step_of(with_friction(problem, 0.01), heun(), 0.2), 0.2,
                            100.0);
    for (std::size_t k = 0; k < a.size(); ++k)
        curves.rows.push_back({0.2 * static_cast<double>(k), a[k], b[k]});
    return results;
}

/// Figures 4 to 6: an elastic pendulum that is damped along its spring alone rotates for ever;
/// splittings keep its angular momentum.
Results damped_elastic_pendulum() {
    Results results;
    struct Known {
        double h, outside, within, heun, spin;
    };
    const Problem thrown = elastic_pendulum({1.0, 0.0, -1.5}, {0.0, 0.8, 0.3});
    const RadiallyDamped system(thrown, 0.01);
    const double exact = exact_energy(thrown, system.rate(), 200.0);
    results.compare("eps = 0.01: energy at t = 200", -0.889805, exact, 1e-6);
    results.compare("eps = 0.1: energy at t = 200", -0.924679,
                    exact_energy(thrown, RadiallyDamped(thrown, 0.1).rate(), 200.0), 1e-6);
    for (const Known& k :
         {Known{0.05, 7.7e-6, 1.1e-5, 1.2e-3, 1.4e-3}, Known{0.1, 3.2e-5, 4.6e-5, 9.5e-3, 1.1e-2},
          Known{0.2, 1.4e-4, 2.0e-4, 8.1e-2, 9.7e-2}}) {
        const auto error = [&](const Map& step) {
            return energies(thrown, step, k.h, 200.0).back() - exact;
        };
        const std::string name = fmt::format("step {}: ", k.h);
        results.compare(name + "3.1", k.outside,
                        std::abs(error(system.step(RadialMethod::outside, k.h))),
                        last_of(2, k.outside));
        results.compare(name + "3.2", k.within,
                        std::abs(error(system.step(RadialMethod::exact, k.h))),
                        last_of(2, k.within));
        results.compare(name + "3.3", k.within,
                        std::abs(error(system.step(RadialMethod::heun, k.h))),
                        last_of(2, k.within));
        const Map plain = step_of(system.rate(), heun(), k.h);
        results.compare(name + "Heun", k.heun, error(plain), last_of(2, k.heun));
        results.compare(
            name + "Heun, change of the angular momentum", k.spin,
            change_of(vertical_spin, plain, damped_steps(200.0, k.h), start_of(thrown)).largest,
            last_of(2, k.spin));
    }
    const RadiallyDamped turning(turning_pendulum(), 0.1);
    Curves& curves = results.add_curves("damped_elastic_pendulum", {"time", "splitting", "heun"});
    for (const auto& [h, radius] : {std::pair{0.05, 1.165441}, {0.1, 1.165134}, {0.2, 1.163903}}) {
        State z = start_of(turning.problem()), other = z;
        const Map step = turning.step(RadialMethod::outside, h),
                  plain = step_of(turning.rate(), heun(), h);
        double spin = 0.0;
        for (int k = 1; k <= damped_steps(500.0, h); ++k) {
            step(z);
            plain(other);
            spin = std::max(std::abs(vertical_spin(z) - 1.0), spin);
            if (h == 0.2)
                curves.rows.push_back(
                    {h * k, std::hypot(z[0], z[1]), std::hypot(other[0], other[1])});
        }
        const std::string name = fmt::format("step {}, t = 500: ", h);
        results.compare(name + "radius", radius, std::hypot(z[0], z[1]), 1e-6);
        results.compare(name + "change of the angular momentum", 0.0, spin, 1e-13);
        if (h == 0.2) results.compare("Heun, radius", 1.346, std::hypot(other[0], other[1]), 1e-3);
    }
    return results;
}

} // namespace shadow::models
