// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/generalized_nose.hpp"

#include <cmath>
#include <vector>

namespace shadow {

GeneralizedNose::GeneralizedNose(const MethodSettings& settings, Bath bath)
    : NoseMethod(settings), bath_(bath) {}

GeneralizedBath GeneralizedNose::bath(const System& system, double step) const {
    const bool balls = bath_ == Bath::balls;
    return {balls, balls ? 9 : 2, bath_mass(system), settings().kT.at(step),
            system.degrees_of_freedom()};
}

void GeneralizedNose::prepare(System& system) {
    const GeneralizedBath bath = this->bath(system, middle_of_step(system) - 1.0);
    std::vector<double> position{1.0, 0.5}, momentum{0.3, -0.7};
    if (bath.balls) {
        position = {1.0, 0.0, 0.0, 0.0, 1.1, 0.0, 0.0, 0.0, -1.05};
        momentum.clear();
        for (int i = 0; i < bath.size; ++i) momentum.push_back(0.3 * (i - 4));
    }
    const double unit = std::sqrt(bath.kT * bath.mass_of(0));
    std::vector<double> numbers(Scalar::count);
    const Scalars x{numbers.data()};
    x[Scalar::s] = 1.0;
    for (int i = 0; i < bath.size; ++i) {
        const auto k = static_cast<std::size_t>(i);
        x[of_row(Scalar::bath_position, i)] = position[k];
        x[of_row(Scalar::bath_momentum, i)] = unit * momentum[k];
        for (const Scalar row : {Scalar::bath_position, Scalar::bath_momentum})
            system.set_scalar(of_row(row, i), x[of_row(row, i)]);
    }
    system.set_scalar(Scalar::bath_size, bath.size);
    system.set_scalar(Scalar::energy_0, begin(system) + bath.energy(x));
}

void GeneralizedNose::step(System& system) {
    const double now = middle_of_step(system), dt = settings().dt;
    const GeneralizedBath bath = this->bath(system, now);
    const double change = bath.kT - settings().kT.at(now - 1.0);
    if (change != 0.0) system.advance(GeneralizedBathChange{change, bath});
    for (const double part : parts())
        leapfrog(system, all_levels, part * dt, GeneralizedBathFirst{part * dt, bath},
                 GeneralizedBathSecond{part * dt, bath});
    system.end_step(dt);
}

Claims GeneralizedNose::claims() const {
    return symplectic("Leimkuhler and Reich 2004, section 11.4, examples 3 and 4");
}

ExtendedEnergy GeneralizedNose::extended_energy(const System& system) const {
    return {.generalized = bath(system, middle_of_step(system) - 1.0)};
}

} // namespace shadow
