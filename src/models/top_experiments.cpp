// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/experiment.hpp"
#include "src/models/following.hpp"
#include "src/models/turning.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <string>
#include <utility>

namespace shadow::models {
namespace {

/// A body with a fixed point under a force at the end of its axis.
struct Top {
    Three inertia;
    Turning start;
    std::function<Three(const Three& axis)> force;
    std::function<double(const Three& axis)> potential;
    double below; ///< only minima below this height are counted

    [[nodiscard]] double energy(const Turning& a) const {
        return kinetic_energy_of(a, inertia) + potential(axis_in_space(a));
    }
    void kick(Turning& a, double t) const {
        a.momentum = plus(a.momentum, t, torque_at_axis(a, force(axis_in_space(a))));
    }
};

/// With a spring from the end of its axis to a point below (section 8.1.4).
Top sprung_top_problem() {
    constexpr double spring = 5.0;
    return {{4.0, 4.0, 1.0},
            {no_rotation, {0.0, 0.1, 2.0}},
            [](const Three& q) {
                return scaled(-spring, plus(q, 1.0, {0.0, 0.0, 1.0}));
            },
            [](const Three& q) {
                const Three d = plus(q, 1.0, {0.0, 0.0, 1.0});
                return 0.5 * spring * dot(d, d);
            },
            0.0};
}

/// Released at an inclination, with a spin alone (section 8.3.2).
Top lagrangian_top_problem() {
    const double c = std::cos(0.6), s = std::sin(0.6);
    return {{5.0, 5.0, 1.0},
            {{c, 0.0, -s, 0.0, 1.0, 0.0, s, 0.0, c}, {0.0, 0.0, 5.0}},
            [](const Three&) {
                return Three{0.0, 0.0, -1.0};
            },
            [](const Three& q) { return q[2]; },
            0.6};
}

using FreeTurn = std::function<void(Turning& a, double t)>;

struct TopMethod {
    std::string name;
    FreeTurn turn;
    bool turns_first = false;

    void step(const Top& top, Turning& a, double h) const {
        if (turns_first) {
            turn(a, 0.5 * h);
            top.kick(a, h);
            turn(a, 0.5 * h);
        } else {
            top.kick(a, 0.5 * h);
            turn(a, h);
            top.kick(a, 0.5 * h);
        }
    }
};

FreeTurn about_axes(const Three& inertia, std::array<std::size_t, 3> axes) {
    return [inertia, axes](Turning& a, double t) { turn_about_axes(a, inertia, axes, t); };
}

FreeTurn as_symmetric(const Three& inertia) {
    return [inertia](Turning& a, double t) { turn_symmetric(a, inertia, t); };
}

FreeTurn by_rattle(const Three& inertia) {
    return [inertia](Turning& a, double t) { turn_by_rattle(a, inertia, t); };
}

struct TopRun {
    double energy = 0.0, spin = 0.0;       ///< largest changes; `spin`: momentum along the axis
    double lowest = 1.0, highest = -1.0;   ///< of the end of the axis
    int minima = 0;                        ///< of its height
    std::vector<std::vector<double>> rows; ///< time, height and change of the energy
};

TopRun top_run(const Top& top, const TopMethod& method, double h, double time) {
    Turning a = top.start;
    const double energy = top.energy(a), spin = a.momentum[2];
    TopRun run;
    double before = axis_in_space(a)[2], now = before;
    for (int k = 1; k <= static_cast<int>(std::lround(time / h)); ++k) {
        method.step(top, a, h);
        const double height = axis_in_space(a)[2], error = top.energy(a) - energy;
        if (now < before && now <= height && now < top.below) ++run.minima;
        before = std::exchange(now, height);
        run.energy = std::max(std::abs(error), run.energy);
        run.spin = std::max(std::abs(a.momentum[2] - spin), run.spin);
        run.lowest = std::min(height, run.lowest);
        run.highest = std::max(height, run.highest);
        run.rows.push_back({h * k, height, error});
    }
    return run;
}

} // namespace

/// Sections 8.1.4 and 8.3.2: how often a nearly upright top falls and rises in 200 units of time.
Results sprung_top() {
    Results results;
    const Top top = sprung_top_problem();
    results.compare("energy of the start", 12.00125, top.energy(top.start), 1e-12);
    struct Known {
        TopMethod method;
        std::array<int, 4> minima;
        std::array<double, 4> energy; ///< for steps 0.1, 0.05, 0.025, 0.0125
        double spin;                  ///< for step 0.1
    };
    const Three& i = top.inertia;
    const std::array<Known, 7> known = {
        {{{"RATTLE", by_rattle(i)}, {19, 19, 19, 19}, {7.95e-2, 1.97e-2, 4.92e-3, 1.23e-3}, 0.0},
         {{"exact turns", as_symmetric(i)},
          {19, 19, 19, 19},
          {1.93e-2, 4.83e-3, 1.21e-3, 3.02e-4},
          0.0},
         {{"exact turns first", as_symmetric(i), true},
          {19, 19, 19, 19},
          {8.8e-3, 2.2e-3, 5.6e-4, 1.4e-4},
          0.0},
         {{"axes 1, 2, 3", about_axes(i, {0, 1, 2})},
          {22, 20, 18, 18},
          {3.96e-2, 1.02e-2, 2.3e-3, 6.4e-4},
          2e-2},
         {{"axes 3, 2, 1", about_axes(i, {2, 1, 0})},
          {19, 18, 19, 19},
          {2.14e-2, 5.7e-3, 1.4e-3, 3.6e-4},
          -1.0},
         {{"axes 3, 1, 2", about_axes(i, {2, 0, 1})},
          {19, 19, 19, 19},
          {2.33e-2, 5.6e-3, 1.4e-3, 3.6e-4},
          -1.0},
         {{"axes 1, 3, 2", about_axes(i, {0, 2, 1})},
          {25, 21, 20, 19},
          {1.19e-1, 3.0e-2, 7.6e-3, 1.9e-3},
          -1.0}}};
    Curves& curves = results.add_curves("sprung_top", {"time", "rattle", "exact", "axes"});
    for (const Known& k : known)
        for (std::size_t n = 0; n < 4; ++n) {
            const double h = 0.1 / double(1 << n);
            const TopRun run = top_run(top, k.method, h, 200.0);
            const std::string name = fmt::format("{}, step {}: ", k.method.name, h);
            results.compare(name + "minima", k.minima[n], run.minima, 0.0);
            results.compare(name + "energy", k.energy[n], run.energy, last_of(2, k.energy[n]));
            if (n > 0) continue;
            if (k.spin >= 0.0)
                results.compare(name + "momentum along the axis", k.spin, run.spin,
                                k.spin == 0.0 ? 1e-12 : last_of(1, k.spin));
            const auto column = static_cast<std::size_t>(&k - known.data());
            if (column != 0 && column != 1 && column != 3) continue;
            for (std::size_t r = 0; r < run.rows.size(); ++r) {
                if (column == 0) curves.rows.push_back({run.rows[r][0]});
                curves.rows[r].push_back(run.rows[r][1]);
            }
        }
    return results;
}

/// Figure 8.3: a top between two heights.
Results lagrangian_top() {
    Results results;
    const Top top = lagrangian_top_problem();
    results.compare("energy of the start", 13.325336, top.energy(top.start), 1e-6);
    const TopMethod exact{"exact turns", as_symmetric(top.inertia)},
        axes{"axes 1, 2, 3", about_axes(top.inertia, {0, 1, 2})},
        rattle{"RATTLE", by_rattle(top.inertia)};
    const TopRun run = top_run(top, exact, 0.1, 100.0), by_axes = top_run(top, axes, 0.1, 100.0),
                 of_rattle = top_run(top, rattle, 0.1, 100.0);
    results.compare("exact turns: energy", 1.5e-4, run.energy, 1e-5);
    results.compare("exact turns: least height", 0.543755, run.lowest, 1e-6);
    results.compare("exact turns: largest height", std::cos(0.6), run.highest, 1e-5);
    results.compare("exact turns: minima", 11.0, run.minima, 0.0);
    results.compare("exact turns: momentum along the axis", 0.0, run.spin, 1e-12);
    results.compare("exact turns, step 0.005: least height", 0.543486757,
                    top_run(top, exact, 0.005, 20.0).lowest, 1e-5);
    results.compare("axes 1, 2, 3: energy", 3.4e-3, by_axes.energy, 1e-4);
    results.compare("axes 1, 2, 3: momentum along the axis", 7e-4, by_axes.spin, 1e-4);
    results.compare("RATTLE: energy", 3.6e-3, of_rattle.energy, 1e-4);
    results.compare("RATTLE: least height", 0.55003, of_rattle.lowest, 1e-5);
    results.curves.push_back({"lagrangian_top", {"time", "height", "energy"}, run.rows});
    return results;
}

} // namespace shadow::models
