// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/nose_hoover.hpp"

#include <numbers>

namespace shadow {

NoseHoover::NoseHoover(const MethodSettings& settings, bool multiple)
    : settings_(settings), word_(verlet_or_respa(settings, multiple)) {}

NoseHooverChain NoseHoover::chain(const System& system, double kT) const {
    const double time = settings_.period / (2.0 * std::numbers::pi),
                 g = system.degrees_of_freedom(), mass = 2.0 * settings_.kT.last() * time * time;
    return {settings_.chain, g * mass, mass, kT, g};
}

void NoseHoover::prepare(System& system) {
    system.mollify({});
    system.set_scalar(Scalar::work, 0.0);
    for (int k = 0; k < max_chain; ++k) {
        system.set_scalar(of_row(Scalar::chain_position, k), 0.0);
        system.set_scalar(of_row(Scalar::chain_velocity, k), 0.0);
    }
    system.measure_kinetic();
    system.set_scalar(Scalar::chain_kinetic, system.scalar(Scalar::kinetic));
}

void NoseHoover::step(System& system) {
    const double now = middle_of_step(system);
    const double kT = settings_.kT.at(now), change = kT - settings_.kT.at(now - 1.0);
    const NoseHooverChain chain = this->chain(system, kT);
    if (change != 0.0) system.advance(NoseHooverTemperature{change, chain});
    system.advance(NoseHooverFirst{0.5 * settings_.dt, chain});
    system.scale_momenta(Scalar::chain_first);
    apply_word(system, word_, settings_.dt);
    system.measure_kinetic();
    system.advance(NoseHooverSecond{0.5 * settings_.dt, chain});
    system.scale_momenta(Scalar::chain_last);
    system.end_step(settings_.dt);
}

Claims NoseHoover::claims() const {
    return {
        2,
        true,
        false,
        false,
        true,
        "Martyna, Klein and Tuckerman 1992, J. Chem. Phys. 97, 2635; Martyna, Tuckerman, Tobias "
        "and Klein 1996, Mol. Phys. 87, 1117"};
}

ExtendedEnergy NoseHoover::extended_energy(const System& system) const {
    return {.chain = chain(system, settings_.kT.at(middle_of_step(system) - 1.0))};
}

} // namespace shadow
