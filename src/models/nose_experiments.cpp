// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/experiment.hpp"
#include "src/models/following.hpp"
#include "src/models/windows.hpp"

#include "shadow/integrators/registry.hpp"
#include "shadow/statistics/blocking.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace shadow::models {
namespace {

using std::numbers::pi;

/// Averages over a motion in contact with a bath, and standard errors.
struct BathAverages {
    double p2, p4, q2, q4, potential;
    std::array<double, 5> error;
    std::vector<double> histogram; ///< density of q over bins from -4 to 4

    [[nodiscard]] double kurtosis_of_p() const { return p4 / (p2 * p2); }
    [[nodiscard]] double kurtosis_of_q() const { return q4 / (q2 * q2); }
};

constexpr int bins = 160;

/// Averages with physical momenta p / s. `mass` is that of the bath variable.
BathAverages averages_with_bath(const Problem& problem, const char* method, double kT, double mass,
                                double dt, double time) {
    MethodSettings settings;
    settings.dt = dt;
    settings.kT = kT;
    settings.mass = mass;
    settings.chain = 1;
    settings.period =
        2.0 * pi * std::sqrt(0.5 * mass / kT); // one variable: mass 2 kT (period / 2 pi)^2
    const auto integrator = find_integrator(method)->make(settings);
    SmallSystem system(problem);
    integrator->prepare(system);
    BlockingAverage sums(5);
    std::vector<double> histogram(bins);
    const auto steps = std::llround(time / dt);
    for (std::int64_t k = 0; k < steps; ++k) {
        integrator->step(system);
        const double q = system.q()[0], p = system.p()[0] / system.scalar(Scalar::s);
        const double q2 = q * q, p2 = p * p;
        const std::array<double, 5> now = {p2, p2 * p2, q2, q2 * q2, system.potential_energy()};
        sums.add(now);
        const double bin = (q + 4.0) * bins / 8.0;
        if (bin >= 0.0 && bin < bins) histogram[static_cast<std::size_t>(bin)] += 1.0;
    }
    for (double& count : histogram) count *= bins / (8.0 * static_cast<double>(steps));
    const std::vector<double> mean = sums.mean(), error = sums.error();
    BathAverages found{mean[0], mean[1], mean[2], mean[3], mean[4], {}, histogram};
    std::copy(error.begin(), error.end(), found.error.begin());
    return found;
}

Problem double_well(double kT) {
    return {"double-well",
            {1.0},
            {0.0},
            {std::sqrt(kT)},
            [](const double* q, ForceLevel) {
                const double x = q[0] * (q[0] - 1.0);
                return x * x;
            },
            [](const double* q, ForceLevel, double* g) {
                g[0] = 2.0 * q[0] * (q[0] - 1.0) * (2.0 * q[0] - 1.0);
            }};
}

/// Canonical means of q^2 and V, by quadrature.
std::array<double, 2> canonical_means(const Problem& problem, double kT) {
    double z = 0.0, q2 = 0.0, v = 0.0;
    for (int k = -6000; k <= 7000; ++k) {
        const double q = 1e-3 * k, potential = problem.potential(&q, all_levels),
                     weight = std::exp(-potential / kT);
        z += weight;
        q2 += weight * q * q;
        v += weight * potential;
    }
    return {q2 / z, v / z};
}

} // namespace

/// One oscillator with one bath variable: momenta have the right mean square, but the wrong
/// distribution.
Results nose_oscillator() {
    Results results;
    struct Known {
        const char* method;
        double mass, p2, kurtosis_of_p, q2, kurtosis_of_q;
    };
    constexpr std::array<Known, 4> known = {{{"nose-poincare", 1.0, 1.0, 2.175, 0.8255, 1.834},
                                             {"nose-poincare", 10.0, 1.0, 1.820, 0.9801, 1.794},
                                             {"nose-poincare", 0.1, 1.0005, 1.579, 3.699, 1.839},
                                             {"nose-hoover", 1.0, 1.0, 2.175, 0.8255, 1.834}}};
    std::array<BathAverages, 4> found;
    in_parallel(4, [&](std::size_t k) {
        // Twice the step where that is accurate enough for the known digits.
        const double dt = k == 0 || k == 1 ? 0.02 : 0.01;
        found[k] =
            averages_with_bath(unit_oscillator(), known[k].method, 1.0, known[k].mass, dt, 4e4);
    });
    Curves& curves =
        results.add_curves("nose_oscillator", {"q", "mass_1", "mass_10", "mass_0.1", "canonical"});
    for (std::size_t k = 0; k < bins; ++k) {
        const double q = (static_cast<double>(k) + 0.5) * 8.0 / bins - 4.0;
        curves.rows.push_back({q, found[0].histogram[k], found[1].histogram[k],
                               found[2].histogram[k],
                               std::exp(-0.5 * q * q) / std::sqrt(2.0 * pi)});
    }
    for (std::size_t k = 0; k < known.size(); ++k) {
        const std::string name = fmt::format("{}, mass {}: ", known[k].method, known[k].mass);
        results.compare(name + "mean square of p", known[k].p2, found[k].p2, 1e-4);
        results.compare(name + "kurtosis of p", known[k].kurtosis_of_p, found[k].kurtosis_of_p(),
                        1e-3);
        results.compare(name + "mean square of q", known[k].q2, found[k].q2,
                        last_of(4, known[k].q2));
        results.compare(name + "kurtosis of q", known[k].kurtosis_of_q, found[k].kurtosis_of_q(),
                        1e-3);
    }
    return results;
}

/// Figure 11.4: canonical where the motion is ergodic, otherwise not.
Results nose_double_well() {
    Results results;
    struct Known {
        double kT, mass, exact_q2, exact_potential;
        double q2, potential, kurtosis; ///< of the motion
        bool ergodic;
    };
    constexpr std::array<Known, 4> known = {
        {{0.05, 1.0, 0.45772, 0.02307, 0.45772, 0.02307, 3.0, true},
         {0.1, 0.1, 0.46616, 0.03346, 0.46616, 0.03346, 3.0, true},
         {0.5, 1.0, 0.57262, 0.10685, 0.599, 0.0934, 1.30, false},
         {0.5, 0.1, 0.57262, 0.10685, 0.558, 0.102, 2.37, false}}};
    std::array<BathAverages, 4> found;
    in_parallel(4, [&](std::size_t k) {
        found[k] = averages_with_bath(double_well(known[k].kT), "nose-poincare", known[k].kT,
                                      known[k].mass, 0.02, 5e4);
    });
    for (std::size_t n = 0; n < known.size(); ++n) {
        const Known& k = known[n];
        const BathAverages& run = found[n];
        const std::string name = fmt::format("kT = {}, mass {}: ", k.kT, k.mass);
        const auto exact = canonical_means(double_well(k.kT), k.kT);
        results.compare(name + "canonical mean square of q", k.exact_q2, exact[0], 1e-5);
        results.compare(name + "canonical mean of V", k.exact_potential, exact[1], 1e-5);
        // An ergodic motion within four standard errors, another one within the known digits.
        const auto within = [&](double error, double digit) {
            return k.ergodic ? 4.0 * error : digit;
        };
        results.compare(name + "mean square of q", k.q2, run.q2, within(run.error[2], 1e-3));
        results.compare(name + "mean of V", k.potential, run.potential,
                        within(run.error[4], last_of(3, k.potential)));
        results.compare(name + "kurtosis of p", k.kurtosis, run.kurtosis_of_p(),
                        within(3.0 * (run.error[1] / run.p4 + 2.0 * run.error[0] / run.p2), 0.01));
    }
    Curves& curves =
        results.add_curves("nose_double_well", {"q", "mass_1", "mass_0.1", "canonical"});
    double z = 0.0;
    const Problem problem = double_well(0.5);
    for (std::size_t k = 0; k < bins; ++k) {
        const double q = (static_cast<double>(k) + 0.5) * 8.0 / bins - 4.0;
        curves.rows.push_back({q, found[2].histogram[k], found[3].histogram[k],
                               std::exp(-problem.potential(&q, all_levels) / 0.5)});
        z += curves.rows.back()[3] * 8.0 / bins;
    }
    for (auto& row : curves.rows) row[3] /= z;
    return results;
}

} // namespace shadow::models
