// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/density_nose.hpp"

namespace shadow {

DensityNose::DensityNose(const MethodSettings& settings)
    : NoseMethod(settings), density_(settings.density) {
    density_.kT = settings.kT.last();
    density_.of_total = true;
}

DensityBath DensityNose::bath(const System& system) const {
    return {bath_mass(system), system.degrees_of_freedom() * density_.kT, density_};
}

void DensityNose::prepare(System& system) {
    system.set_boost(density_);
    const double energy = begin(system);
    system.set_scalar(Scalar::energy_0, energy + density_.energy(energy));
    system.set_scalar(Scalar::boost_reference, density_.of_density(energy));
}

/// Also here, because `prepare` is not called when a run is resumed.
void DensityNose::step(System& system) {
    system.set_boost(density_);
    move_explicitly(system, bath(system));
    system.end_step(dt());
}

Claims DensityNose::claims() const {
    return symplectic(
        "Barth, Laird and Leimkuhler 2003, J. Chem. Phys. 118, 5759; Leimkuhler and Reich "
        "2004, section 11.4.2");
}

ExtendedEnergy DensityNose::extended_energy(const System& system) const {
    return {.bath_mass = bath_mass(system), .g_kT = bath(system).g_kT, .density = density_};
}

} // namespace shadow
