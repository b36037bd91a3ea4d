// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/small_system.hpp"

#include <cmath>

namespace shadow::models {

double share(ForceLevel level) {
    return level == 1 ? 0.75 : level == 2 ? 0.25 : 1.0;
}

Problem oscillator() {
    return {"oscillator",
            {2.0},
            {0.3},
            {1.1},
            [](const double* q, ForceLevel f) { return share(f) * 1.5 * q[0] * q[0]; },
            [](const double* q, ForceLevel f, double* g) { g[0] = share(f) * 3.0 * q[0]; }};
}

Problem unit_oscillator() {
    return {"unit-oscillator",
            {1.0},
            {0.0},
            {1.0},
            [](const double* q, ForceLevel f) { return share(f) * 0.5 * q[0] * q[0]; },
            [](const double* q, ForceLevel f, double* g) { g[0] = share(f) * q[0]; }};
}

Problem pendulum() {
    return {"pendulum",
            {1.0},
            {1.2},
            {0.4},
            [](const double* q, ForceLevel f) { return -share(f) * std::cos(q[0]); },
            [](const double* q, ForceLevel f, double* g) { g[0] = share(f) * std::sin(q[0]); }};
}

Problem kepler() {
    return {"kepler",
            {1.0, 1.0},
            {0.7, 0.0},
            {0.0, std::sqrt(1.3 / 0.7)},
            [](const double* q, ForceLevel f) {
                return -share(f) / std::sqrt(q[0] * q[0] + q[1] * q[1]);
            },
            [](const double* q, ForceLevel f, double* g) {
                const double r2 = q[0] * q[0] + q[1] * q[1];
                const double factor = share(f) / (r2 * std::sqrt(r2));
                g[0] = factor * q[0];
                g[1] = factor * q[1];
            }};
}

Problem chain() {
    return {"chain",
            {1.0, 2.0, 3.0},
            {0.1, -0.2, 0.5},
            {0.5, 0.9, -1.3},
            [](const double* q, ForceLevel f) {
                const double a = f == 2 ? 0.0 : q[1] - q[0], b = f == 1 ? 0.0 : q[2] - q[1];
                return 12.5 * a * a + 0.25 * b * b * b * b;
            },
            [](const double* q, ForceLevel f, double* g) {
                const double a = f == 2 ? 0.0 : 25.0 * (q[1] - q[0]);
                const double b = f == 1 ? 0.0 : std::pow(q[2] - q[1], 3);
                g[0] = -a;
                g[1] = a - b;
                g[2] = b;
            },
            true};
}

Problem lj_oscillator() {
    return {"lj-oscillator",
            {1.0},
            {1.5},
            {0.0},
            [](const double* q, ForceLevel f) {
                return share(f) * (std::pow(q[0], -12) - 2.0 * std::pow(q[0], -6));
            },
            [](const double* q, ForceLevel f, double* g) {
                g[0] = share(f) * 12.0 * (std::pow(q[0], -7) - std::pow(q[0], -13));
            }};
}

Problem slow_fast_pair(double eps) {
    return {"slow-fast-pair",
            {1.0, eps},
            {0.0, 0.0},
            {0.0, 0.0},
            [eps](const double* q, ForceLevel f) {
                const double bond = f == 2 ? 0.0 : q[1] - q[0], trap = f == 1 ? 0.0 : q[0];
                return 0.5 * bond * bond / eps + 0.5 * trap * trap;
            },
            [eps](const double* q, ForceLevel f, double* g) {
                const double bond = f == 2 ? 0.0 : (q[1] - q[0]) / eps;
                g[0] = (f == 1 ? 0.0 : q[0]) - bond;
                g[1] = bond;
            }};
}

std::vector<Problem> problems() {
    return {oscillator(), pendulum(), kepler(), chain()};
}

} // namespace shadow::models
