// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/experiment.hpp"
#include "src/models/following.hpp"
#include "src/models/sphere.hpp"

#include <cmath>
#include <fmt/format.h>

namespace shadow::models {
namespace {

/// A free particle on a circle, by the implicit midpoint rule in stereographic coordinates
/// (xi, nu), and in those of the other pole from |xi| = `edge` on. Both have the same Hamiltonian.
class ChartMotion {
  public:
    ChartMotion(double edge, double h)
        : edge_(edge), h_(h), midpoint_(
                                  [](const State& z, State& f) {
                                      const double c = 1.0 + z[0] * z[0];
                                      f = {0.25 * c * c * z[1], -0.5 * z[1] * z[1] * z[0] * c};
                                  },
                                  gauss(1)) {}

    void step() {
        midpoint_.step(z_, h_);
        if (std::abs(z_[0]) > edge_) z_ = {1.0 / z_[0], -z_[0] * z_[0] * z_[1]};
    }
    [[nodiscard]] double energy() const {
        const double speed = (1.0 + z_[0] * z_[0]) * z_[1];
        return 0.125 * speed * speed;
    }

  private:
    State z_ = {1.0, -2.0};
    double edge_, h_;
    RungeKutta midpoint_;
};

double energy_in_charts(double edge, double h, double time, Curves* curves = nullptr) {
    ChartMotion motion(edge, h);
    const int steps = static_cast<int>(std::lround(time / h));
    for (int k = 1; k <= steps; ++k) {
        motion.step();
        if (curves && k % 50 == 0) curves->rows.push_back({h * k, motion.energy()});
    }
    return motion.energy();
}

} // namespace

/// Exercise 7.1: each change of chart changes what the method conserves.
Results chart_switching() {
    Results results;
    struct Known {
        double edge, h, time, energy;
        double within; ///< the last digit, but at least the effect of one change of chart
    };
    for (const Known& k :
         {Known{1.0, 0.2, 2000.0, 0.304, 1e-3}, Known{1.0, 0.1, 2000.0, 0.804, 1e-3},
          Known{1.0, 0.05, 2000.0, 1.57, 0.01}, Known{1.5, 0.2, 2000.0, 0.10, 0.01},
          Known{1.5, 0.1, 2000.0, 0.26, 0.01}, Known{1.5, 0.05, 2000.0, 0.62, 0.01},
          Known{1.0, 0.1, 100.0, 2.0 - 0.195, 3e-3}, Known{1.0, 0.1, 1000.0, 2.0 - 0.947, 1e-3},
          Known{1.0, 0.05, 100.0, 2.0 - 0.0263, 1e-4}, Known{1.0, 0.05, 1000.0, 2.0 - 0.247, 1e-3},
          Known{2.0, 0.1, 100.0, 2.0 - 1.08, 0.01}})
        results.compare(fmt::format("charts to {}, step {}: energy at t = {}", k.edge, k.h, k.time),
                        k.energy, energy_in_charts(k.edge, k.h, k.time), k.within);
    Matrix inertia(1);
    inertia(0, 0) = 1.0;
    const SphereProblem circle{inertia,
                               {1.0, 0.0, 0.0, 0.0, 0.0, -2.0},
                               [](const State&) { return 0.0; },
                               [](const State&, State& g) { g.assign(3, 0.0); }};
    const Change change = change_of([&](const State& z) { return circle.energy(z); },
                                    sphere_rattle(circle, 0.1), 20000, circle.start);
    results.compare("RATTLE, step 0.1: energy, t = 2000", 0.0, change.largest, 1e-11);
    Curves& curves = results.add_curves("chart_switching", {"time", "energy"});
    (void)energy_in_charts(1.0, 0.1, 2000.0, &curves);
    return results;
}

} // namespace shadow::models
