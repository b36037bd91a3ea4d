// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/nose_poincare.hpp"

namespace shadow {

void NosePoincare::prepare(System& system) {
    system.set_scalar(Scalar::s, 1.0);
    system.set_scalar(Scalar::pi, 0.0);
    system.set_scalar(Scalar::work, 0.0);
    system.measure_kinetic();
    system.measure_potential();
    system.set_scalar(Scalar::energy_0,
                      0.5 * system.scalar(Scalar::kinetic) + system.scalar(Scalar::potential));
}

void NosePoincare::step(System& system) {
    const double dt = settings_.dt, mass = settings_.mass;
    const double g = system.degrees_of_freedom();
    const double now = middle_of_step(system);
    const double kT = settings_.kT.at(now), change = kT - settings_.kT.at(now - 1.0);
    if (change != 0.0) system.advance(NosePoincareTemperature{g * change});
    system.kick({0.5 * dt, Scalar::s});
    system.measure_kinetic();
    system.advance(NosePoincareFirst{dt, mass, kT, g});
    system.drift({dt, Scalar::drift_scale});
    system.measure_potential();
    system.advance(NosePoincareSecond{dt, mass, kT, g});
    system.kick({0.5 * dt, Scalar::s});
    system.end_step(dt);
}

Claims NosePoincare::claims() const {
    return {
        2,
        true,
        true,
        false,
        true,
        "Bond, Leimkuhler and Laird 1999, J. Comput. Phys. 151, 114; Leimkuhler and Reich 2004, "
        "eqs. 11.12 to 11.22"};
}

ExtendedEnergy NosePoincare::extended_energy(const System& system) const {
    return {settings_.mass,
            system.degrees_of_freedom() * settings_.kT.at(middle_of_step(system) - 1.0)};
}

} // namespace shadow
