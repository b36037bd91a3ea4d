// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/nose_poincare.hpp"

namespace shadow {

NosePoincare::NosePoincare(const MethodSettings& settings, bool multiple)
    : NoseMethod(settings, multiple), multiple_(multiple) {}

void NosePoincare::prepare(System& system) {
    system.set_scalar(Scalar::energy_0, begin(system));
    for (ForceLevel level = 2; level <= max_levels; ++level) {
        const bool slow = multiple_ && level <= settings().levels;
        if (slow) system.measure_potential(level);
        system.set_scalar(level_energy_0(level), slow ? system.scalar(Scalar::potential) : 0.0);
    }
}

void NosePoincare::step(System& system) {
    const double now = middle_of_step(system);
    const double kT = settings().kT.at(now), change = kT - settings().kT.at(now - 1.0);
    if (change != 0.0) system.advance(NosePoincareChange{system.degrees_of_freedom() * change});
    if (multiple_)
        step(system, settings().levels, settings().dt, kT);
    else
        for (std::size_t k = 0; k < parts().size(); ++k)
            leapfrog(system, all_levels, parts()[k] * settings().dt, kT, k == 0);
    system.end_step(settings().dt);
}

/// A step under the forces of a level and those below.
void NosePoincare::step(System& system, ForceLevel level, double dt, double kT) const {
    if (level == 1) {
        system.measure_potential(1);
        return leapfrog(system, 1, dt, kT, true);
    }
    const int inner = settings().inner[static_cast<std::size_t>(level) - 2];
    kick(system, level, 0.5 * dt);
    for (int k = 0; k < inner; ++k) step(system, level - 1, dt / inner, kT);
    kick(system, level, 0.5 * dt);
}

void NosePoincare::kick(System& system, ForceLevel level, double dt) const {
    system.kick({dt, Scalar::s}, level);
    system.measure_potential(level);
    system.advance(NosePoincareSlow{dt, level});
}

/// Scalar::potential must be V of the level.
void NosePoincare::leapfrog(System& system, ForceLevel level, double dt, double kT,
                            bool begins) const {
    const double mass = bath_mass(system), g = system.degrees_of_freedom();
    NoseMethod::leapfrog(system, level, dt, NosePoincareFirst{dt, mass, kT, g, {}, begins},
                         NosePoincareSecond{dt, mass, kT, g});
}

Claims NosePoincare::claims() const {
    return symplectic(
        "Bond, Leimkuhler and Laird 1999, J. Comput. Phys. 151, 114; Leimkuhler and Reich 2004, "
        "eqs. 11.12 to 11.22");
}

} // namespace shadow
