// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/experiment.hpp"
#include "src/models/runge_kutta.hpp"
#include "src/models/windows.hpp"

#include "shadow/statistics/blocking.hpp"

#include <array>
#include <cmath>
#include <fmt/format.h>

namespace shadow::models {
namespace {

constexpr double well_kT = 0.02, bath_mass = 0.1;

/// H = p^2 / 2 + q^2 (q - 1)^2, and the energy f(H) that replaces it: a ln(1 + H / a), which lowers
/// high energies; H itself for a = 0.
class RescaledWell {
  public:
    explicit RescaledWell(double a) : a_(a) {}

    [[nodiscard]] static double energy(double q, double p) {
        const double x = q * (q - 1.0);
        return 0.5 * p * p + x * x;
    }
    [[nodiscard]] double rescaled(double h) const { return a_ > 0.0 ? a_ * std::log1p(h / a_) : h; }
    [[nodiscard]] double slope(double h) const { return a_ > 0.0 ? 1.0 / (1.0 + h / a_) : 1.0; }

    /// The motion of s (f(H(q, p / s)) + pi^2 / 2 Q + kT ln s - E) from `start`; a state is
    /// (q, s, p, pi).
    [[nodiscard]] Rate with_bath(double kT, const State& start) const {
        const auto extended = [*this, kT](const State& z) {
            return rescaled(energy(z[0], z[2] / z[1])) + 0.5 * z[3] * z[3] / bath_mass +
                   kT * std::log(z[1]);
        };
        const double e = extended(start);
        return [*this, kT, extended, e](const State& z, State& f) {
            const double q = z[0], s = z[1], p = z[2] / s, factor = slope(energy(q, p));
            f = {factor * p, s * z[3] / bath_mass,
                 -s * factor * 2.0 * q * (q - 1.0) * (2.0 * q - 1.0),
                 factor * p * p - kT - (extended(z) - e)};
        };
    }

  private:
    double a_;
};

/// By quadrature: means of q^2 and V, and how often per unit of time q crosses 1/2 where f(H) has
/// the canonical distribution.
struct WellMeans {
    double q2, potential, crossings;
};

WellMeans canonical_well(const RescaledWell& well) {
    double z = 0.0, q2 = 0.0, v = 0.0;
    constexpr double step = 2e-3;
    for (int i = -1500; i <= 2000; ++i)
        for (int j = -1500; j <= 1500; ++j) {
            const double q = step * i, p = step * j, h = RescaledWell::energy(q, p),
                         weight = std::exp(-well.rescaled(h) / well_kT);
            z += weight;
            q2 += weight * q * q;
            v += weight * RescaledWell::energy(q, 0.0);
        }
    // The flux of f(H) over all momenta, up and down.
    return {q2 / z, v / z,
            2.0 * well_kT * std::exp(-well.rescaled(1.0 / 16.0) / well_kT) / (z * step * step)};
}

struct WellRun {
    std::array<double, 3> mean, error; ///< of q^2 and V with weights, and crossings
    std::vector<std::vector<double>> rows;
};

WellRun well_run(const RescaledWell& well, double h, std::int64_t steps) {
    State z = {0.0, 1.0, std::sqrt(well_kT), 0.0};
    RungeKutta midpoint(well.with_bath(well_kT, z), gauss(1), 1e-11);
    BlockingAverage sums(4);
    WellRun run{};
    for (std::int64_t k = 0; k < steps; ++k) {
        const bool left = z[0] < 0.5;
        midpoint.step(z, h);
        const double e = RescaledWell::energy(z[0], z[2] / z[1]),
                     weight = std::exp((well.rescaled(e) - e) / well_kT);
        sums.add(std::array{weight, weight * z[0] * z[0], weight * RescaledWell::energy(z[0], 0.0),
                            (left != (z[0] < 0.5)) / h});
        if (k % 8 == 0 && run.rows.size() < 2000)
            run.rows.push_back({h * static_cast<double>(k + 1), z[0]});
    }
    const auto mean = sums.mean(), error = sums.error();
    for (std::size_t i = 0; i < 2; ++i) {
        run.mean[i] = mean[1 + i] / mean[0];
        run.error[i] = run.mean[i] * (error[1 + i] / mean[1 + i] + error[0] / mean[0]);
    }
    run.mean[2] = mean[3];
    run.error[2] = error[3];
    return run;
}

} // namespace

/// Section 11.5 and figure 11.5: a flattened energy, and reweighted averages.
Results rescaled_double_well() {
    Results results;
    const std::array<RescaledWell, 2> wells = {RescaledWell(0.0), RescaledWell(0.03)};
    std::array<WellRun, 2> runs;
    in_parallel(2, [&](std::size_t k) { runs[k] = well_run(wells[k], 0.1, 1000000); });
    const WellMeans exact = canonical_well(wells[0]), flat = canonical_well(wells[1]);
    const auto compare = [&](const std::string& name, double known, std::size_t i) {
        results.compare(name, known, runs[1].mean[i], 4.0 * runs[1].error[i]);
    };
    compare("mean square of q", exact.q2, 0);
    compare("mean of V", exact.potential, 1);
    compare("crossings in a unit of time", flat.crossings, 2);
    results.compare("more than by H itself", 1.0, runs[0].mean[2] < runs[1].mean[2] ? 1.0 : 0.0,
                    0.0);
    Curves& curves = results.add_curves("rescaled_double_well", {"time", "plain", "rescaled"});
    for (std::size_t k = 0; k < runs[0].rows.size(); ++k)
        curves.rows.push_back({runs[0].rows[k][0], runs[0].rows[k][1], runs[1].rows[k][1]});
    return results;
}

} // namespace shadow::models
