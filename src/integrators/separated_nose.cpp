// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/separated_nose.hpp"

namespace shadow {

SeparatedNose::SeparatedNose(const MethodSettings& settings) : NoseMethod(settings) {}

void SeparatedNose::prepare(System& system) {
    system.begin_clock();
    for (const Scalar of_one : {Scalar::step_factor, Scalar::step_weight})
        system.set_scalar(of_one, 1.0);
    for (const Scalar of_zero : {Scalar::step_shortest, Scalar::step_longest, Scalar::step_count})
        system.set_scalar(of_zero, 0.0);
    system.set_scalar(Scalar::energy_0, begin(system));
}

/// The kick at the end of a step is merged with the one that begins the next.
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
    return symplectic(
        "Leimkuhler 2002, Comput. Phys. Commun. 148, 206; Leimkuhler and Reich 2004, section "
        "11.4");
}

} // namespace shadow
