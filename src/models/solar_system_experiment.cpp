// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/experiment.hpp"
#include "src/models/following.hpp"
#include "src/models/kepler_flow.hpp"
#include "src/models/windows.hpp"

#include "shadow/integrators/processed.hpp"
#include "shadow/integrators/registry.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace shadow::models {
namespace {

/// The sun and nine planets, barycentric; the unit of mass is that of the sun, the unit of time a
/// day. Positions are those of E. M. Standish's elements (JPL, epoch J2000).
Problem ten_bodies() {
    constexpr double gravity = 0.01720209895 * 0.01720209895;
    struct Planet {
        double mass_of_sun; ///< over that of the planet with its moons
        Elements orbit;
    };
    static const std::array<Planet, 9> planets = {
        {{6023600.0, {0.38709927, 0.20563593, 7.00497902, 252.25032350, 77.45779628, 48.33076593}},
         {408523.71, {0.72333566, 0.00677672, 3.39467605, 181.97909950, 131.60246718, 76.67984255}},
         {328900.56, {1.00000261, 0.01671123, -0.00001531, 100.46457166, 102.93768193, 0.0}},
         {3098708.0, {1.52371034, 0.09339410, 1.84969142, -4.55343205, -23.94362959, 49.55953891}},
         {1047.3486, {5.20288700, 0.04838624, 1.30439695, 34.39644051, 14.72847983, 100.47390909}},
         {3497.898, {9.53667594, 0.05386179, 2.48599187, 49.95424423, 92.59887831, 113.66242448}},
         {22902.98, {19.18916464, 0.04725744, 0.77263783, 313.23810451, 170.95427630, 74.01692503}},
         {19412.24, {30.06992276, 0.00859048, 1.77004347, -55.12002969, 44.96476227, 131.78422574}},
         {1.35e8,
          {39.48211675, 0.24882730, 17.14001206, 238.92903833, 224.06891629, 110.30393684}}}};
    constexpr std::size_t bodies = 10;
    std::vector<double> mass(3 * bodies, 1.0), q(3 * bodies), v(3 * bodies);
    for (std::size_t i = 0; i < planets.size(); ++i) {
        const double m = 1.0 / planets[i].mass_of_sun;
        const PlaceAndVelocity at = on_orbit(planets[i].orbit, gravity * (1.0 + m));
        for (std::size_t k = 0; k < 3; ++k) {
            mass[3 * (i + 1) + k] = m;
            q[3 * (i + 1) + k] = at.x[k];
            v[3 * (i + 1) + k] = at.v[k];
        }
    }
    for (std::vector<double>* x : {&q, &v})
        for (std::size_t k = 0; k < 3; ++k) {
            double sum = 0.0, total = 0.0;
            for (std::size_t i = 0; i < bodies; ++i) {
                sum += mass[3 * i + k] * (*x)[3 * i + k];
                total += mass[3 * i + k];
            }
            for (std::size_t i = 0; i < bodies; ++i) (*x)[3 * i + k] -= sum / total;
        }
    std::vector<double> p(3 * bodies);
    for (std::size_t k = 0; k < p.size(); ++k) p[k] = mass[k] * v[k];
    const auto pairs = [mass](const double* x, const auto& act) {
        for (std::size_t i = 0; i < bodies; ++i)
            for (std::size_t j = 0; j < i; ++j) {
                const Three d = {x[3 * i] - x[3 * j], x[3 * i + 1] - x[3 * j + 1],
                                 x[3 * i + 2] - x[3 * j + 2]};
                const double square = dot(d, d),
                             strength = gravity * mass[3 * i] * mass[3 * j] / std::sqrt(square);
                act(i, j, d, strength, square);
            }
    };
    return {"ten-bodies",
            mass,
            q,
            p,
            [pairs](const double* x, ForceLevel) {
                double sum = 0.0;
                pairs(x, [&](std::size_t, std::size_t, const Three&, double strength, double) {
                    sum -= strength;
                });
                return sum;
            },
            [pairs](const double* x, ForceLevel, double* g) {
                std::fill_n(g, 3 * bodies, 0.0);
                pairs(x, [&](std::size_t i, std::size_t j, const Three& d, double strength,
                             double square) {
                    for (std::size_t k = 0; k < 3; ++k) {
                        g[3 * i + k] += strength / square * d[k];
                        g[3 * j + k] -= strength / square * d[k];
                    }
                });
            },
            true};
}

constexpr double ten_years = 3652.5;
constexpr int solar_samples = 240;

struct SolarRun {
    double error = 0.0;       ///< largest relative error of the energy
    double evaluations = 0.0; ///< of forces, per day
    std::vector<double> samples;
};

/// Ten years by a word with the given force evaluations per day; the state is processed back where
/// it is sampled.
SolarRun by_words(const Processed& words, int stages, double evaluations) {
    const Problem problem = ten_bodies();
    SmallSystem system(problem);
    const double start = energy_of(problem, system.state(false));
    const int stride = std::max(
        1, static_cast<int>(std::lround(ten_years * evaluations / stages / solar_samples)));
    const int steps = solar_samples * stride;
    const double dt = ten_years / steps;
    SolarRun run;
    run.evaluations = steps * stages / ten_years;
    apply_word(system, words.before, dt);
    for (int k = 1; k <= steps; ++k) {
        apply_word(system, words.kernel, dt);
        if (k % stride != 0) continue;
        SmallSystem there = system;
        apply_word(there, words.after, dt);
        run.samples.push_back(energy_of(problem, there.state(false)) / start - 1.0);
        run.error = std::max(std::abs(run.samples.back()), run.error);
    }
    return run;
}

/// The same by a Gauss method, with stages by iteration.
SolarRun by_gauss(int stages, double dt) {
    const Problem problem = ten_bodies();
    const int steps = static_cast<int>(std::lround(ten_years / dt));
    RungeKutta method(rate_of(problem), gauss(stages), 1e-13);
    State z = start_of(problem);
    SolarRun run;
    run.error =
        change_of(
            energy_of(problem), [&](State& y) { method.step(y, ten_years / steps); }, steps, z)
            .largest /
        std::abs(energy_of(problem, z));
    run.evaluations = static_cast<double>(method.rounds() * stages) / ten_years;
    return run;
}

} // namespace

/// Section 6.5.2.
Results solar_system() {
    Results results;
    struct Row {
        std::string name;
        Processed words;
        int stages;
    };
    const auto of_engine = [](const char* name) {
        return Processed{{}, find_integrator(name)->make({})->word(), {}};
    };
    const std::array<Row, 6> rows = {{{"verlet", of_engine("verlet"), 1},
                                      {"mclachlan-4", of_engine("mclachlan-4"), 5},
                                      {"yoshida-6", of_engine("yoshida-6"), 7},
                                      {"kahan-li-6", of_engine("kahan-li-6"), 9},
                                      {"processed", blanes_processed_6(), 7},
                                      {"mclachlan-8", of_engine("mclachlan-8"), 15}}};
    constexpr std::size_t works = 6;
    std::array<std::array<SolarRun, works>, 6> found;
    in_parallel(6 * works, [&](std::size_t k) {
        found[k / works][k % works] =
            by_words(rows[k / works].words, rows[k / works].stages, std::pow(2.0, k % works));
    });
    // The order from two errors above rounding, with sufficiently many steps.
    constexpr std::array<std::size_t, 6> from = {3, 2, 3, 2, 2, 2};
    constexpr std::array<double, 6> orders = {2.0, 4.0, 6.0, 6.0, 6.0, 8.0},
                                    within = {0.01, 0.01, 0.2, 0.2, 0.2, 0.2};
    for (std::size_t m = 0; m < 6; ++m) {
        const SolarRun &a = found[m][from[m]], &b = found[m][from[m] + 1];
        results.compare(rows[m].name + ": order", orders[m],
                        std::log2(a.error / b.error) / std::log2(b.evaluations / a.evaluations),
                        within[m]);
    }
    const auto better = [&](const std::string& claim, double a, double b) {
        results.compare(claim, 1.0, a < b ? 1.0 : 0.0, 0.0);
    };
    for (const std::size_t m : {4, 5})
        for (std::size_t other = 0; other < 4; ++other)
            better(fmt::format("4 evaluations a day: {} is better than {}", rows[m].name,
                               rows[other].name),
                   found[m][2].error, found[other][2].error);
    for (const int stages : {2, 3}) {
        const SolarRun run = by_gauss(stages, 2.0);
        results.compare(fmt::format("Gauss, {} stages: more than 8 evaluations a day", stages), 1.0,
                        run.evaluations > 8.0 ? 1.0 : 0.0, 0.0);
        for (const std::size_t m : {4, 5})
            better(fmt::format("{} with 8 is better", rows[m].name), found[m][3].error, run.error);
    }
    Curves& curves =
        results.add_curves("solar_system", {"time", "mclachlan_4", "processed", "mclachlan_8"});
    for (std::size_t k = 0; k < solar_samples; ++k)
        curves.rows.push_back({ten_years * double(k + 1) / solar_samples, found[1][2].samples[k],
                               found[4][2].samples[k], found[5][2].samples[k]});
    return results;
}

} // namespace shadow::models
