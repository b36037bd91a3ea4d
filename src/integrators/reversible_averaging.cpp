// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/reversible_averaging.hpp"

namespace shadow {

ReversibleAveraging::ReversibleAveraging(const MethodSettings& settings)
    : settings_(settings),
      word_(parse_word(slow_kicks_of_all("S½ (F½ A1 F½)^n S½", settings.levels),
                       settings.inner.front(), settings.levels)) {}

void ReversibleAveraging::step(System& system) {
    const double dt = settings_.dt;
    const LightMotion light{settings_.light_mass, settings_.inner.front()};
    const auto kick_slowly = [&] {
        for (ForceLevel level = 2; level <= settings_.levels; ++level) system.kick(0.5 * dt, level);
    };
    system.mollify({}); // a previous method may have set averages
    system.averaged_kick(0.5 * dt, dt, light);
    kick_slowly();
    system.move_light(dt, light);
    system.arrive();
    kick_slowly();
    system.averaged_kick(0.5 * dt, dt, light);
    system.end_step(dt);
}

Claims ReversibleAveraging::claims() const {
    return {2,     true,  false,
            false, false, "Leimkuhler and Reich 2001, J. Comput. Phys. 171, 95; 2004, eq. 10.18"};
}

} // namespace shadow
