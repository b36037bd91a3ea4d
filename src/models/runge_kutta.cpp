// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/runge_kutta.hpp"

#include <array>

namespace shadow::models {

void runge_kutta_step(const Rate& rate, double h, State& z) {
    std::array<State, 4> k;
    k.fill(z);
    State y = z;
    rate(z, k[0]);
    for (std::size_t stage = 1; stage < 4; ++stage) {
        const double c = stage == 3 ? h : 0.5 * h;
        for (std::size_t i = 0; i < z.size(); ++i) y[i] = z[i] + c * k[stage - 1][i];
        rate(y, k[stage]);
    }
    for (std::size_t i = 0; i < z.size(); ++i)
        z[i] += h / 6.0 * (k[0][i] + 2.0 * (k[1][i] + k[2][i]) + k[3][i]);
}

} // namespace shadow::models
