// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/explicit_nose.hpp"

#include <cmath>

namespace shadow {

ExplicitNose::ExplicitNose(const MethodSettings& settings) : NoseMethod(settings) {}

RecursiveBath ExplicitNose::bath(const System& system, double step) const {
    return {settings().chain, bath_mass(system), settings().kT.at(step),
            system.degrees_of_freedom()};
}

void ExplicitNose::prepare(System& system) {
    const RecursiveBath bath = this->bath(system, middle_of_step(system) - 1.0);
    system.set_scalar(Scalar::bath_size, bath.further());
    const double thermal = std::sqrt(bath.kT * bath.mass);
    for (int j = 0; j < bath.further(); ++j) {
        system.set_scalar(of_row(Scalar::bath_position, j), 1.0);
        system.set_scalar(of_row(Scalar::bath_momentum, j), j % 2 == 0 ? -thermal : thermal);
    }
    const double of_bath = 0.5 * bath.kT * bath.further();
    system.set_scalar(Scalar::energy_0, begin(system) + of_bath);
}

void ExplicitNose::step(System& system) {
    const double now = middle_of_step(system);
    const RecursiveBath bath = this->bath(system, now);
    const double change = bath.kT - settings().kT.at(now - 1.0);
    if (change != 0.0) system.advance(ExplicitNoseChange{change, bath});
    move_explicitly(system, bath);
    system.end_step(dt());
}

Claims ExplicitNose::claims() const {
    return symplectic(
        "Nosé 2001, J. Phys. Soc. Jpn. 70, 75; Leimkuhler and Sweet 2005, SIAM J. Appl. Dyn. "
        "Syst. 4, 187");
}

ExtendedEnergy ExplicitNose::extended_energy(const System& system) const {
    const RecursiveBath bath = this->bath(system, middle_of_step(system) - 1.0);
    return {.bath_mass = bath.mass, .g_kT = bath.g * bath.kT, .recursive = bath};
}

} // namespace shadow
