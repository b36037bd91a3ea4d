// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/reversible_averaging.hpp"

namespace shadow::models {

Map averaging_step(const SlowFastModel& model, double dt, Averaging how) {
    return [&model, dt, how](State& z) {
        double &q = z[0], &p = z[2];
        p += 0.5 * dt * (model.mean_force(z, how.window * dt) - q);
        if (how.at_rest) {
            q += 0.5 * dt * p;
            model.follow(z, 0.0, dt);
            q += 0.5 * dt * p;
        } else {
            model.follow(z, p, dt);
        }
        p += 0.5 * dt * (model.mean_force(z, how.window * dt) - q);
    };
}

} // namespace shadow::models
