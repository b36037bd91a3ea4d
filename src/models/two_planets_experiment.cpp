// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/experiment.hpp"
#include "src/models/following.hpp"
#include "src/models/kepler_flow.hpp"
#include "src/models/windows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <utility>

namespace shadow::models {
namespace {

using std::numbers::pi;

/// Two planets around a fixed star: the fast part is each planet on its ellipse, the slow part
/// their interaction. States hold positions, then momenta.
class TwoPlanets final : public SplitModel {
  public:
    TwoPlanets(double first, double second, double coupling)
        : mass_{first, second}, coupling_(coupling) {}

    void fast(State& z, double t) const override {
        for (std::size_t i = 0; i < 2; ++i) {
            Three x = {z[3 * i], z[3 * i + 1], z[3 * i + 2]},
                  v = scaled(1.0 / mass_[i], {z[6 + 3 * i], z[7 + 3 * i], z[8 + 3 * i]});
            move_on_ellipse(x, v, 1.0, t);
            for (std::size_t k = 0; k < 3; ++k) {
                z[3 * i + k] = x[k];
                z[6 + 3 * i + k] = mass_[i] * v[k];
            }
        }
    }
    void slow(State& z, double t) const override {
        const Three d = {z[0] - z[3], z[1] - z[4], z[2] - z[5]};
        const double r = std::sqrt(dot(d, d)),
                     force = coupling_ * mass_[0] * mass_[1] / (r * r * r);
        for (std::size_t k = 0; k < 3; ++k) {
            z[6 + k] -= t * force * d[k];
            z[9 + k] += t * force * d[k];
        }
    }
    [[nodiscard]] double energy(const State& z) const override {
        double sum =
            -coupling_ * mass_[0] * mass_[1] / std::hypot(z[0] - z[3], z[1] - z[4], z[2] - z[5]);
        for (std::size_t i = 0; i < 2; ++i) {
            const double *q = &z[3 * i], *p = &z[6 + 3 * i];
            sum += 0.5 * (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) / mass_[i] -
                   mass_[i] / std::hypot(q[0], q[1], q[2]);
        }
        return sum;
    }
    [[nodiscard]] std::size_t size() const override { return 12; }

    [[nodiscard]] State start() const {
        State z(12);
        std::size_t i = 0;
        for (const Elements& orbit : {Elements{1.0, 0.05, 1.0, 30.0, 100.0, 20.0},
                                      Elements{1.83, 0.06, 2.5, 200.0, 15.0, 110.0}}) {
            const PlaceAndVelocity at = on_orbit(orbit, 1.0);
            for (std::size_t k = 0; k < 3; ++k) {
                z[3 * i + k] = at.x[k];
                z[6 + 3 * i + k] = mass_[i] * at.v[k];
            }
            ++i;
        }
        return z;
    }
    /// The same as coordinates and forces, for Verlet's method.
    [[nodiscard]] Problem problem() const {
        const State z = start();
        const auto masses = mass_;
        const TwoPlanets model = *this;
        return {"two-planets",
                {masses[0], masses[0], masses[0], masses[1], masses[1], masses[1]},
                {z.begin(), z.begin() + 6},
                {z.begin() + 6, z.end()},
                [model](const double* q, ForceLevel) {
                    State at(12);
                    std::copy_n(q, 6, at.begin());
                    return model.energy(at);
                },
                [model, masses](const double* q, ForceLevel, double* g) {
                    State at(12);
                    std::copy_n(q, 6, at.begin());
                    model.slow(at, -1.0);
                    for (std::size_t i = 0; i < 2; ++i) {
                        const double* x = q + 3 * i;
                        const double r = std::hypot(x[0], x[1], x[2]);
                        for (std::size_t k = 0; k < 3; ++k)
                            g[3 * i + k] = at[6 + 3 * i + k] + masses[i] * x[k] / (r * r * r);
                    }
                }};
    }

  private:
    std::array<double, 2> mass_;
    double coupling_;
};

/// Largest relative error of the energy over a thousand periods of the inner planet.
double planets_error(const Map& step, const Quantity& energy, State z, int steps) {
    const double start = energy(z);
    return change_of(energy, step, 1000 * steps, std::move(z)).largest / std::abs(start);
}

double split_error(double scale, int steps) {
    const TwoPlanets model(1e-3 * scale, 3e-4 * scale, 1.0);
    return planets_error(
        step_of(model, "verlet", 2.0 * pi / steps), [&](const State& z) { return model.energy(z); },
        model.start(), steps);
}

} // namespace

/// Section 4.5.1, Wisdom and Holman's splitting: its error is that of the coupling.
Results two_planets() {
    Results results;
    // Without coupling each step is exact, whatever its length.
    const TwoPlanets apart(1e-3, 3e-4, 0.0);
    results.compare("no coupling, 5 steps a period: energy", 0.0,
                    planets_error(
                        step_of(apart, "verlet", 0.4 * pi),
                        [&](const State& z) { return apart.energy(z); }, apart.start(), 5),
                    1e-11);
    // Scale of the masses, and steps per period; the last run is by Verlet's method.
    constexpr std::array<std::pair<double, int>, 7> runs = {
        {{1.0, 20}, {1.0, 40}, {1.0, 80}, {0.1, 40}, {0.01, 40}, {0.001, 40}, {0.0, 40}}};
    std::array<double, 7> found{};
    const TwoPlanets model(1e-3, 3e-4, 1.0);
    in_parallel(7, [&](std::size_t k) {
        const auto [scale, steps] = runs[k];
        found[k] = scale > 0.0 ? split_error(scale, steps)
                               : planets_error(step_of(model.problem(), "verlet", 2.0 * pi / steps),
                                               energy_of(model.problem()), model.start(), steps);
    });
    results.compare("error by twice as many steps, 20 to 40", 4.0, found[0] / found[1], 0.2);
    results.compare("error by twice as many steps, 40 to 80", 4.0, found[1] / found[2], 0.2);
    results.compare("error by ten times the masses, 1e-5 to 1e-4", 10.0, found[3] / found[4], 0.2);
    results.compare("error by ten times the masses, 1e-6 to 1e-5", 10.0, found[4] / found[5], 0.2);
    // The interaction of the planets is a thousandth of the attraction by the star.
    results.compare("error less than a hundredth of Verlet's", 1.0,
                    found[1] < 0.01 * found[6] ? 1.0 : 0.0, 0.0);
    Curves& curves = results.add_curves("two_planets", {"time", "energy"});
    State z = model.start();
    const double start = model.energy(z);
    const Map step = step_of(model, "verlet", 2.0 * pi / 40);
    for (int k = 1; k <= 2000; ++k) {
        step(z);
        curves.rows.push_back({k / 40.0, model.energy(z) / start - 1.0});
    }
    return results;
}

} // namespace shadow::models
