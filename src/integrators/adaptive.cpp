// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/adaptive.hpp"

#include "shadow/core/error.hpp"

namespace shadow {

void AdaptiveSteps::prepare(System& system) {
    system.mollify({});
    system.begin_clock();
    if (of_potential()) system.measure_potential();
    system.measure_motion();
    system.advance(BeginSteps{objective(), settings_.steps.reference});
    if (system.scalar(Scalar::failed) == 0.0) return;
    throw SimulationError("no first step (what steps follow is zero at the start, or has another "
                          "sign than its reference); give reference, or of an energy an offset "
                          "that keeps its sign");
}

/// A potential energy is measured before the kick, so that forces are evaluated once.
void AdaptiveVerlet::step(System& system) {
    system.drift(part(0.5));
    if (of_potential()) system.measure_potential();
    system.kick(part(0.5));
    if (!of_potential()) system.measure_motion();
    system.advance(AdaptStep{objective(), settings_.steps.rule, settings_.dt});
    system.kick(part(0.5));
    system.drift(part(0.5));
    system.end_step();
}

Claims AdaptiveVerlet::claims() const {
    return {2,
            true,
            false,
            false,
            true,
            "Huang and Leimkuhler 1997, SIAM J. Sci. Comput. 18, 239; Leimkuhler and Reich 2004, "
            "eqs. 9.19 and 9.20"};
}

void StepDensityVerlet::step(System& system) {
    system.advance(StepDensityFirst{settings_.dt});
    system.kick(part(0.5));
    system.drift(part(1.0));
    system.arrive();
    if (of_potential()) system.measure_potential();
    system.kick(part(0.5));
    system.measure_motion();
    system.advance(StepDensitySecond{objective(), settings_.dt});
    system.end_step();
}

Claims StepDensityVerlet::claims() const {
    return {
        2,     true,
        false, false,
        true,  "Hairer and Söderlind 2005, SIAM J. Sci. Comput. 26, 1838; Modin 2009, Paper III"};
}

void EnergyScaledVerlet::prepare(System& system) {
    if (!of_potential()) system.measure_potential();
    AdaptiveSteps::prepare(system);
    system.set_scalar(Scalar::energy_0, 0.5 * system.scalar(Scalar::motion_kinetic) +
                                            system.scalar(Scalar::potential));
}

void EnergyScaledVerlet::step(System& system) {
    const double dt = settings_.dt;
    const ScaleByEnergy kick{objective(), StepMeasure::potential_energy, dt},
        drift{objective(), StepMeasure::kinetic_energy, dt};
    system.advance(kick);
    system.kick(part(0.5));
    system.measure_kinetic();
    system.advance(drift);
    system.drift(part(1.0));
    system.measure_potential();
    system.advance(kick);
    system.kick(part(0.5));
    system.end_step();
}

Claims EnergyScaledVerlet::claims() const {
    return {2, true, true, false, true, "Modin 2009, thesis, Paper III"};
}

} // namespace shadow
