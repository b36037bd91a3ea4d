// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/experiment.hpp"
#include "src/models/following.hpp"
#include "src/models/turning.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace shadow::models {

/// Section 8.4: RATTLE without forces, with momenta scaled to order four and six.
Results free_body_orders() {
    Results results;
    constexpr Three inertia = {1.1, 1.4, 1.7}, momentum = {0.4, 0.9, -0.3},
                    known_momentum = {0.666752739980, -0.292690022878, -0.727855297595};
    const double t = 1e-2;
    const double third = (rattle_factor(inertia, momentum, t, 4) - 1.0) / (t * t);
    results.compare("tau_3", 0.144680404977, third, 1e-11);
    results.compare("tau_5", 0.041585057885,
                    (rattle_factor(inertia, momentum, 1.0, 6) - 1.0 - third) + 2.0 * third * third,
                    1e-10);
    const auto ending = [&](int order, double h) {
        Turning a = {no_rotation, momentum};
        const double factor = rattle_factor(inertia, momentum, h, order);
        a.momentum = scaled(1.0 / factor, a.momentum);
        for (int k = 0; k < static_cast<int>(std::lround(10.0 / h)); ++k)
            turn_by_rattle(a, inertia, h);
        a.momentum = scaled(factor, a.momentum);
        return a;
    };
    const Turning fine = ending(6, 1.0 / 2048);
    for (std::size_t k = 0; k < 3; ++k)
        results.compare(fmt::format("t = 10: momentum {}", k + 1), known_momentum[k],
                        ending(6, 0.05).momentum[k], 1e-11);
    struct Known {
        int order;
        std::array<double, 4> momentum, attitude; ///< errors for steps 0.4, 0.2, 0.1 and 0.05
    };
    for (const Known& known :
         {Known{2, {3.92e-2, 9.50e-3, 2.36e-3, 5.88e-4}, {1.8e-1, 4.3e-2, 1.07e-2, 2.66e-3}},
          Known{4, {1.19e-5, 7.32e-7, 4.55e-8, 2.84e-9}, {8.4e-2, 2.1e-2, 5.29e-3, 1.32e-3}},
          Known{6, {6.03e-9, 9.27e-11, 1.44e-12, 0.0}, {8.4e-2, 2.1e-2, 5.29e-3, 1.32e-3}}})
        for (std::size_t n = 0; n < 4; ++n) {
            const double h = 0.4 / double(1 << n);
            const Turning a = ending(known.order, h);
            double of_momentum = 0.0, of_attitude = 0.0;
            for (std::size_t k = 0; k < 3; ++k)
                of_momentum += std::pow(a.momentum[k] - known_momentum[k], 2);
            for (std::size_t k = 0; k < 9; ++k)
                of_attitude += std::pow(a.rotation[k] - fine.rotation[k], 2);
            const std::string name = fmt::format("order {}, step {}: ", known.order, h);
            // The known digits of the momentum at the end.
            results.compare(
                name + "momentum", known.momentum[n], std::sqrt(of_momentum),
                std::max(known.momentum[n] > 0.0 ? last_of(3, known.momentum[n]) : 0.0, 1e-12));
            results.compare(name + "attitude", known.attitude[n], std::sqrt(of_attitude),
                            last_of(n < 2 ? 2 : 3, known.attitude[n]));
        }
    // Without forces RATTLE conserves the kinetic energy, rotations about axes do not.
    Curves& curves = results.add_curves("free_body_orders", {"time", "rattle", "axes"});
    Turning a = {no_rotation, momentum}, b = a;
    const double start = kinetic_energy_of(a, inertia);
    double of_rattle = 0.0, of_axes = 0.0;
    for (int k = 1; k <= 20000; ++k) {
        turn_by_rattle(a, inertia, 0.4);
        turn_about_axes(b, inertia, {0, 1, 2}, 0.4);
        const double x = kinetic_energy_of(a, inertia) - start,
                     y = kinetic_energy_of(b, inertia) - start;
        of_rattle = std::max(std::abs(x), of_rattle);
        of_axes = std::max(std::abs(y), of_axes);
        if (k <= 400) curves.rows.push_back({0.4 * k, x, y});
    }
    // Rounding of 20,000 steps.
    results.compare("step 0.4: kinetic energy, RATTLE", 0.0, of_rattle, 2e-12);
    results.compare("step 0.4: kinetic energy, axes 1, 2, 3", 1.3e-3, of_axes, 1e-4);
    return results;
}

/// Figure 8.6: a moving sphere, with a spring from one of its points to the origin.
Results sphere_on_spring() {
    Results results;
    constexpr Three inertia = {1.0, 1.0, 1.0};
    Curves& curves = results.add_curves("sphere_on_spring", {"time", "x", "energy"});
    for (const auto& [h, known] : {std::pair{0.02, 1.0e-3}, {0.01, 2.6e-4}, {0.005, 6.5e-5}}) {
        Turning a = {no_rotation, {1.0, 1.0, 2.0}};
        Three q{}, p = {1.0, 0.0, 0.0};
        const auto energy = [&] {
            const Three end = plus(q, 1.0, axis_in_space(a));
            const double stretch = std::sqrt(dot(end, end)) - 1.0;
            return 0.5 * (dot(p, p) + stretch * stretch) + kinetic_energy_of(a, inertia);
        };
        const auto kick = [&](double t) {
            const Three end = plus(q, 1.0, axis_in_space(a));
            const double r = std::sqrt(dot(end, end));
            const Three force = scaled(1.0 / r - 1.0, end);
            p = plus(p, t, force);
            a.momentum = plus(a.momentum, t, torque_at_axis(a, force));
        };
        double largest = 0.0, turned = 0.0;
        for (int k = 1; k <= static_cast<int>(std::lround(50.0 / h)); ++k) {
            kick(0.5 * h);
            q = plus(q, h, p);
            turn_symmetric(a, inertia, h);
            kick(0.5 * h);
            const double error = energy() - 3.5;
            largest = std::max(std::abs(error), largest);
            const Three sum =
                plus(plus(cross(q, p), 1.0, times(a.rotation, a.momentum)), -1.0, {1.0, 1.0, 2.0});
            turned = std::max(std::sqrt(dot(sum, sum)), turned);
            if (h != 0.01) continue;
            curves.rows.push_back({h * k, q[0], error});
            if (k != 1000) continue;
            constexpr Three there = {-0.31301780, 0.13612262, -0.09709618};
            for (std::size_t c = 0; c < 3; ++c)
                results.compare(fmt::format("step 0.01, t = 10: {}", "xyz"[c]), there[c], q[c],
                                1e-8);
        }
        const std::string name = fmt::format("step {}: ", h);
        results.compare(name + "energy", known, largest, last_of(2, known));
        results.compare(name + "angular momentum", 0.0, turned, 1e-12);
    }
    return results;
}

} // namespace shadow::models
