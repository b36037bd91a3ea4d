// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/fire.hpp"

#include <cmath>
#include <fmt/format.h>

namespace shadow {

void Fire::prepare(System& system) {
    system.mollify({});
    system.set_scalar(Scalar::descent_step, 0.1 * settings_.largest_step);
    system.set_scalar(Scalar::descent_mixing, 0.1);
    system.set_scalar(Scalar::descent_downhill, 0.0);
}

void Fire::step(System& system) {
    system.measure_descent();
    system.advance(ControlFire{settings_.largest_step});
    system.descend(settings_.longest_move);
    system.end_step(0.0);
}

Claims Fire::claims() const {
    return {.order = 0,
            .symmetric = false,
            .symplectic = false,
            .citation = "Bitzek et al. 2006, Phys. Rev. Lett. 97, 170201"};
}

Arrival Fire::arrival(System& system, std::int64_t steps, std::int64_t most) const {
    constexpr std::int64_t interval = 32; // between two checks, each of which waits for the device
    if (steps % interval != 0 && steps < most) return {};
    const double force = std::sqrt(system.scalar(Scalar::descent_largest));
    if (force <= settings_.force_tolerance)
        return {true, fmt::format("minimised in {} steps: largest force {:.3g}", steps, force)};
    if (steps != most) return {};
    return {false,
            fmt::format("the minimisation stopped after {} steps with a maximum force of {:.3g} "
                        "(force_tolerance is {:.3g}); give it more steps, or where they do not "
                        "help a larger force_tolerance",
                        steps, force, settings_.force_tolerance)};
}

} // namespace shadow
