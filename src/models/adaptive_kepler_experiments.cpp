// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/adaptive.hpp"
#include "src/models/experiment.hpp"
#include "src/models/following.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace shadow::models {
namespace {

using std::numbers::pi;

/// An ellipse of semi-axis 1, starting at its farthest or nearest point.
Problem ellipse(double eccentricity, bool farthest) {
    const double e = farthest ? eccentricity : -eccentricity;
    return started_at(kepler(), {1.0 + e, 0.0}, {0.0, std::sqrt((1.0 - e) / (1.0 + e))});
}

/// The fictive time of a period where g = r^power, over the eccentric anomaly.
double fictive_period(double eccentricity, double power) {
    constexpr int n = 100000;
    double sum = 0.0;
    for (int k = 0; k < n; ++k)
        sum += std::pow(1.0 - eccentricity * std::cos(2.0 * pi * k / n), 1.0 - power);
    return 2.0 * pi * sum / n;
}

struct AdaptiveRun {
    double energy = 0.0, wobble = 0.0, time = 0.0;
    bool broken = false;
};

/// `periods` periods of `steps` steps each, by g = r^(3/2).
AdaptiveRun adaptive_run(double eccentricity, ScaleRule rule, int steps, int periods) {
    const Problem problem = ellipse(eccentricity, true);
    const double start = energy_of(problem, start_of(problem));
    AdaptiveMotion motion(problem, power_of_radius(1.5), rule,
                          fictive_period(eccentricity, 1.5) / steps);
    AdaptiveRun run;
    for (int k = 0; k < steps * periods && !motion.broken(); ++k) {
        motion.step();
        run.energy = std::max(std::abs(energy_of(problem, motion.state()) - start), run.energy);
        run.wobble = std::max(std::abs(motion.wobble()), run.wobble);
    }
    run.time = motion.time();
    run.broken = motion.broken();
    return run;
}

/// Largest difference of positions between two orbits related by scaling, step by step.
double difference_by_scaling(double scale) {
    const double of_q = std::pow(scale, 2.0 / 3.0), of_p = std::pow(scale, -1.0 / 3.0);
    const Problem problem = ellipse(0.9, true);
    Problem other = problem;
    for (double& q : other.q) q *= of_q;
    for (double& p : other.p) p *= of_p;
    AdaptiveMotion a(problem, power_of_radius(1.5), ScaleRule::harmonic, 0.05),
        b(other, power_of_radius(1.5), ScaleRule::harmonic, 0.05);
    double largest = 0.0;
    for (int k = 0; k < 1000; ++k) {
        a.step();
        b.step();
        for (std::size_t i = 0; i < 2; ++i)
            largest = std::max(std::abs(a.state()[i] - b.state()[i] / of_q), largest);
    }
    return largest;
}

Curves adaptive_curves() {
    const Problem problem = ellipse(0.9, true);
    Curves curves{"adaptive_kepler", {"time", "mean", "harmonic", "step"}, {}};
    const double dtau = fictive_period(0.9, 1.5) / 200;
    AdaptiveMotion mean(problem, power_of_radius(1.5), ScaleRule::mean, dtau),
        harmonic(problem, power_of_radius(1.5), ScaleRule::harmonic, dtau);
    for (int k = 0; k < 600; ++k) {
        mean.step();
        harmonic.step();
        curves.rows.push_back(
            {harmonic.time(), mean.wobble(), harmonic.wobble(), dtau * harmonic.factor()});
    }
    return curves;
}

} // namespace

/// Section 9.2.4: Adaptive Verlet on eccentric orbits.
Results adaptive_kepler() {
    Results results;
    constexpr std::array<int, 3> steps = {100, 200, 400};
    constexpr std::array<double, 3> round_orbit = {1.7e-3, 4.3e-4, 1.08e-4},
                                    harmonic = {2.8e-2, 7.0e-3, 1.75e-3},
                                    harmonic_wobble = {2.6e-3, 6.6e-4, 1.6e-4},
                                    mean = {4.5e-2, 7.9e-3, 1.8e-3},
                                    mean_wobble = {0.86, 0.22, 0.056},
                                    eccentric = {0.63, 0.16, 0.040};
    for (std::size_t k = 0; k < 3; ++k) {
        const auto name = [&](const char* rule, double e) {
            return fmt::format("{}, eccentricity {}, {} steps: ", rule, e, steps[k]);
        };
        for (const auto& [rule, word] :
             {std::pair{"mean", ScaleRule::mean}, std::pair{"harmonic", ScaleRule::harmonic},
              std::pair{"ends", ScaleRule::ends}})
            results.compare(name(rule, 0.5) + "energy", round_orbit[k],
                            adaptive_run(0.5, word, steps[k], 200).energy,
                            last_of(k == 2 ? 3 : 2, round_orbit[k]));
        const AdaptiveRun a = adaptive_run(0.9, ScaleRule::harmonic, steps[k], 200),
                          b = adaptive_run(0.9, ScaleRule::mean, steps[k], 200),
                          c = adaptive_run(0.99, ScaleRule::harmonic, steps[k], 200);
        results.compare(name("harmonic", 0.9) + "energy", harmonic[k], a.energy,
                        last_of(k == 2 ? 3 : 2, harmonic[k]));
        results.compare(name("harmonic", 0.9) + "wobble", harmonic_wobble[k], a.wobble,
                        last_of(2, harmonic_wobble[k]));
        results.compare(name("mean", 0.9) + "energy", mean[k], b.energy, last_of(2, mean[k]));
        results.compare(name("mean", 0.9) + "wobble", mean_wobble[k], b.wobble,
                        last_of(2, mean_wobble[k]));
        results.compare(name("harmonic", 0.99) + "energy", eccentric[k], c.energy,
                        last_of(2, eccentric[k]));
        results.compare(name("mean", 0.99) + "breaks down in the first period", 1.0,
                        adaptive_run(0.99, ScaleRule::mean, steps[k], 1).broken ? 1.0 : 0.0, 0.0);
    }
    // Exercise 9.2: a scaled orbit takes the same steps; within the rounding of 1000 of them.
    results.compare("orbits that scaling makes one differ by", 0.0, difference_by_scaling(7.3),
                    1e-10);
    results.curves.push_back(adaptive_curves());
    return results;
}

/// Section 9.4: symplectic steps of Poincaré's Hamiltonian with g = r.
Results poincare_kepler() {
    Results results;
    struct Known {
        int steps;
        double first, second, of_transformed;
    };
    const Problem problem = ellipse(0.6, false);
    const Poincare transformed(problem, power_of_radius(1.0));
    const auto run = [&](bool second, int steps, Curves* curves) {
        TimedState s{start_of(problem), 0.0};
        std::array<double, 2> largest{};
        const double dtau = 2.0 * pi / steps;
        for (int k = 0; k < 200 * steps; ++k) {
            if (second)
                transformed.symmetric(s, dtau);
            else
                transformed.euler(s, dtau);
            const double error = energy_of(problem, s.z) - transformed.energy();
            largest = {std::max(std::abs(error), largest[0]),
                       std::max(std::abs(transformed.value(s.z)), largest[1])};
            if (curves && k < 3 * steps)
                curves->rows.push_back({s.time, error, transformed.value(s.z)});
        }
        return largest;
    };
    Curves& curves = results.add_curves("poincare_kepler", {"time", "energy", "transformed"});
    for (const Known& k : {Known{100, 4.7e-2, 7.7e-4, 9.3e-4}, Known{200, 2.2e-2, 1.9e-4, 2.3e-4},
                           Known{400, 1.08e-2, 4.8e-5, 5.8e-5}}) {
        const std::string name = fmt::format("{} steps a period: ", k.steps);
        const auto second = run(true, k.steps, k.steps == 200 ? &curves : nullptr);
        results.compare(name + "energy, order 1", k.first, run(false, k.steps, nullptr)[0],
                        last_of(k.steps == 400 ? 3 : 2, k.first));
        results.compare(name + "energy, order 2", k.second, second[0], last_of(2, k.second));
        results.compare(name + "transformed energy, order 2", k.of_transformed, second[1],
                        last_of(2, k.of_transformed));
    }
    return results;
}

} // namespace shadow::models
