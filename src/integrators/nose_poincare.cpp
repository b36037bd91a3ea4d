// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/nose_poincare.hpp"

#include <cmath>

namespace shadow {

NosePoincare::NosePoincare(const MethodSettings& settings, bool multiple)
    : NoseMethod(settings, multiple), multiple_(multiple) {}

void NosePoincare::prepare(System& system) {
    system.mollify({});
    system.set_scalar(Scalar::s, 1.0);
    system.set_scalar(Scalar::pi, 0.0);
    system.set_scalar(Scalar::work, 0.0);
    system.measure_kinetic();
    system.measure_potential();
    system.set_scalar(Scalar::energy_0,
                      0.5 * system.scalar(Scalar::kinetic) + system.scalar(Scalar::potential));
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

/// Of a level and those below.
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

/// Begins with V of the level as Scalar::potential.
void NosePoincare::leapfrog(System& system, ForceLevel level, double dt, double kT,
                            bool begins) const {
    const double mass = bath_mass(system), g = system.degrees_of_freedom();
    system.kick({0.5 * dt, Scalar::s}, level);
    system.measure_kinetic();
    system.advance(NosePoincareFirst{dt, mass, kT, g, {}, begins});
    system.drift({dt, Scalar::drift_scale});
    system.measure_potential(level);
    system.advance(NosePoincareSecond{dt, mass, kT, g});
    system.kick({0.5 * dt, Scalar::s}, level);
}

Claims NosePoincare::claims() const {
    return {
        settings().order,
        true,
        true,
        false,
        true,
        "Bond, Leimkuhler and Laird 1999, J. Comput. Phys. 151, 114; Leimkuhler and Reich 2004, "
        "eqs. 11.12 to 11.22"};
}

ExtendedEnergy NosePoincare::extended_energy(const System& system) const {
    return {.bath_mass = bath_mass(system),
            .g_kT = system.degrees_of_freedom() * settings().kT.at(middle_of_step(system) - 1.0)};
}

} // namespace shadow
