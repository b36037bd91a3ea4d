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

constexpr double billiard_spring = 1e4, ball_radius = 0.1;
constexpr std::size_t balls = 4;

/// Calls `contact` for each ball at each wall of the unit square and for each pair of balls, with
/// the depth of their overlap (below zero: their distance) and its gradient.
template <class Contact>
void for_contacts(const double* q, const Contact& contact) {
    std::array<double, 2 * balls> along{};
    for (std::size_t i = 0; i < 2 * balls; ++i) {
        along[i] = -1.0;
        contact(ball_radius - q[i], along);
        along[i] = 1.0;
        contact(ball_radius - 1.0 + q[i], along);
        along[i] = 0.0;
    }
    for (std::size_t i = 0; i < balls; ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const double x = q[2 * i] - q[2 * j], y = q[2 * i + 1] - q[2 * j + 1],
                         r = std::hypot(x, y);
            along = {};
            along[2 * j] = x / r;
            along[2 * j + 1] = y / r;
            along[2 * i] = -x / r;
            along[2 * i + 1] = -y / r;
            contact(2.0 * ball_radius - r, along);
        }
}

/// The first ball hits the second, which hits the third, which hits the fourth; each is reflected
/// by a wall on its way.
Problem billiard() {
    const double c = 0.5 * (1.0 + pi / std::sqrt(billiard_spring)) - ball_radius;
    return {"billiard",
            std::vector<double>(2 * balls, 1.0),
            {0.2, 0.2 + c, 0.4, 0.4 + c, 0.4 + c, 0.6, 0.6, 0.6 - c},
            {1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
            [](const double* q, ForceLevel) {
                double sum = 0.0;
                for_contacts(q, [&](double depth, const auto&) {
                    if (depth > 0.0) sum += 0.5 * billiard_spring * depth * depth;
                });
                return sum;
            },
            [](const double* q, ForceLevel, double* g) {
                std::fill_n(g, 2 * balls, 0.0);
                for_contacts(q, [&](double depth, const auto& along) {
                    if (depth <= 0.0) return;
                    for (std::size_t k = 0; k < 2 * balls; ++k)
                        g[k] += billiard_spring * depth * along[k];
                });
            }};
}

/// (sum of stiffnesses + 400)^(-1/2), with the stiffness of each contact switched on over `width`.
TimeScale of_contacts(double width) {
    constexpr double least = 400.0;
    const auto part = [width](double depth) { return std::atan(depth / width) / pi + 0.5; };
    const auto sum = [part](const double* q) {
        double stiffness = least;
        for_contacts(q, [&](double depth, const auto&) {
            stiffness += billiard_spring * part(depth) * part(depth);
        });
        return stiffness;
    };
    return {[sum](const double* q) { return 1.0 / std::sqrt(sum(q)); },
            [part, sum, width](const double* q, double* g) {
                const double factor = -billiard_spring * std::pow(sum(q), -1.5);
                std::fill_n(g, 2 * balls, 0.0);
                for_contacts(q, [&](double depth, const auto& along) {
                    const double change =
                        factor * part(depth) * width / (pi * (width * width + depth * depth));
                    for (std::size_t k = 0; k < 2 * balls; ++k) g[k] += change * along[k];
                });
            }};
}

/// The sum of the speeds of the balls that have passed on their motion.
double speeds_left(const State& z) {
    double sum = 0.0;
    for (std::size_t i = 0; i + 1 < balls; ++i)
        sum += std::hypot(z[2 * balls + 2 * i], z[2 * balls + 2 * i + 1]);
    return sum;
}

} // namespace

/// Paper II, example 3.3: three collisions, after which one ball moves alone.
Results four_ball_billiard() {
    Results results;
    const Problem problem = billiard();
    State exact = start_of(problem);
    const Map verlet = step_of(problem, "verlet", 1e-5);
    for (int k = 0; k < 100000; ++k) verlet(exact);
    results.compare("t = 1: x of the fourth ball", 0.24047, exact[6], 1e-5);
    results.compare("t = 1: y of it", 0.34382, exact[7], 1e-5);
    results.compare("t = 1: speeds of the others", 0.0, speeds_left(exact), 1e-6);
    struct Known {
        double eps;
        int steps;
        double speeds, energy;
        int digits;
    };
    Curves& curves = results.add_curves("four_ball_billiard", {"time", "step", "energy"});
    for (const Known& k : {Known{0.2, 162, 1.9e-2, 0.129, 3}, Known{0.1, 317, 7.0e-3, 0.048, 2},
                           Known{0.05, 638, 1.0e-3, 0.021, 2}, Known{0.025, 1292, 1.7e-4, 0.010, 2},
                           Known{0.0125, 2609, 1.1e-4, 0.0045, 2}}) {
        const Poincare transformed(problem, of_contacts(0.0444 * k.eps));
        TimedState s{start_of(problem), 0.0};
        double energy = 0.0;
        int steps = 0;
        for (; s.time < 1.0; ++steps) {
            const double before = s.time;
            transformed.euler(s, k.eps);
            const double error = energy_of(problem, s.z) - 1.0;
            energy = std::max(std::abs(error), energy);
            if (k.steps == 1292) curves.rows.push_back({s.time, s.time - before, error});
        }
        const std::string name = fmt::format("eps = {}: ", k.eps);
        results.compare(name + "steps", k.steps, steps, 0.0);
        results.compare(name + "speeds of the others", k.speeds, speeds_left(s.z),
                        last_of(2, k.speeds));
        results.compare(name + "energy", k.energy, energy, last_of(k.digits, k.energy));
    }
    return results;
}

} // namespace shadow::models
