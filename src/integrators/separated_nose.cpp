// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/separated_nose.hpp"

#include <cmath>

namespace shadow {

SeparatedNose::SeparatedNose(const MethodSettings& settings) : NoseMethod(settings) {}

void SeparatedNose::prepare(System& system) {
    system.mollify({});
    system.begin_clock();
    for (const Scalar of_one : {Scalar::s, Scalar::step_factor, Scalar::step_weight})
        system.set_scalar(of_one, 1.0);
    for (const Scalar of_zero : {Scalar::pi, Scalar::work, Scalar::step_shortest,
                                 Scalar::step_longest, Scalar::step_count})
        system.set_scalar(of_zero, 0.0);
    system.measure_kinetic();
    system.measure_potential();
    system.set_scalar(Scalar::energy_0,
                      0.5 * system.scalar(Scalar::kinetic) + system.scalar(Scalar::potential));
}

/// The kick at the end of a step is flown with the one that begins the next.
void SeparatedNose::step(System& system) {
    const double now = middle_of_step(system), dt = settings().dt, g = system.degrees_of_freedom(),
                 kT = settings().kT.at(now), change = kT - settings().kT.at(now - 1.0);
    if (change != 0.0) system.advance(NosePoincareChange{g * change});
    const SeparatedBath bath{bath_mass(system), g * kT};
    system.advance(SeparatedNoseKick{0.5 * dt, bath});
    system.kick({0.5 * dt, Scalar::kick_scale});
    system.advance(SeparatedNoseDrift{dt, bath});
    system.drift(dt);
    system.measure_potential();
    system.advance(SeparatedNoseKick{0.5 * dt, bath});
    system.kick({0.5 * dt, Scalar::kick_scale});
    system.end_step();
}

Claims SeparatedNose::claims() const {
    return {2,
            true,
            true,
            false,
            true,
            "Leimkuhler 2002, Comput. Phys. Commun. 148, 206; Leimkuhler and Reich 2004, section "
            "11.4"};
}

ExtendedEnergy SeparatedNose::extended_energy(const System& system) const {
    return {.bath_mass = bath_mass(system),
            .g_kT = system.degrees_of_freedom() * settings().kT.at(middle_of_step(system) - 1.0)};
}

} // namespace shadow
