// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/nose_poincare_andersen.hpp"

#include <numbers>

namespace shadow {

NosePoincareAndersen::NosePoincareAndersen(const NosePoincare& method,
                                           const BarostatSettings& settings, int dimension)
    : method_(method), settings_(settings), dimension_(dimension) {}

AndersenBox NosePoincareAndersen::box(double step) const {
    return {dimension_, settings_.pressure.at(step), settings_.min_volume, settings_.max_volume};
}

void NosePoincareAndersen::prepare(System& system) {
    method_.prepare(system);
    system.measure_virial();
    const double volume = system.scalar(Scalar::volume), d = dimension_,
                 time = settings_.period / (2.0 * std::numbers::pi),
                 mass = (system.degrees_of_freedom() + d) * *bath_kT() * time * time;
    system.set_scalar(Scalar::box_momentum, 0.0);
    system.set_scalar(Scalar::box_mass, mass / (d * d * volume * volume));
    const double pressure = settings_.pressure.at(middle_of_step(system) - 1.0);
    system.set_scalar(Scalar::energy_0, system.scalar(Scalar::energy_0) + pressure * volume);
}

void NosePoincareAndersen::change(System& system, double step) const {
    const double hotter = *method_.bath_kT_at(step) - *method_.bath_kT_at(step - 1.0),
                 more = settings_.pressure.at(step) - settings_.pressure.at(step - 1.0);
    if (hotter != 0.0 || more != 0.0)
        system.advance(NosePoincareChange{system.degrees_of_freedom() * hotter, more});
}

/// Momenta belong to the box after the step: their factor is applied after the drift.
void NosePoincareAndersen::step(System& system) {
    const double now = middle_of_step(system), kT = *method_.bath_kT_at(now),
                 mass = method_.bath_mass(system), g = system.degrees_of_freedom();
    change(system, now);
    system.kick({0.5 * dt(), Scalar::s});
    system.measure_kinetic();
    system.advance(NosePoincareFirst{dt(), mass, kT, g, box(now)});
    system.drift({dt(), Scalar::drift_scale});
    system.scale_box(Scalar::strain);
    system.scale_momenta(Scalar::box_friction);
    system.measure_potential();
    system.measure_virial();
    system.advance(NosePoincareSecond{dt(), mass, kT, g, box(now)});
    system.kick({0.5 * dt(), Scalar::s});
    system.end_step(dt());
}

Claims NosePoincareAndersen::claims() const {
    Claims claims = method_.claims();
    claims.citation = "Sturgeon and Laird 2000, J. Chem. Phys. 112, 3474";
    return claims;
}

ExtendedEnergy NosePoincareAndersen::extended_energy(const System& system) const {
    ExtendedEnergy energy = method_.extended_energy(system);
    energy.andersen = box(middle_of_step(system) - 1.0);
    return energy;
}

} // namespace shadow
