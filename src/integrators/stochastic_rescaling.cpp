// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/stochastic_rescaling.hpp"

#include <cmath>

namespace shadow {

StochasticRescaling::StochasticRescaling(const MethodSettings& settings, bool multiple)
    : settings_(settings), word_(verlet_or_respa(settings, multiple)) {}

void StochasticRescaling::prepare(System& system) {
    system.mollify({});
}

void StochasticRescaling::step(System& system) {
    const double kT = settings_.kT.at(middle_of_step(system));
    apply_word(system, word_, settings_.dt, 0.0, kT);
    // Factors of momenta multiply what rounding leaves of their sum, without bound: the logarithm
    // of their product walks at random, by (t / g time)^1/2.
    constexpr std::int64_t often = 1000;
    if (system.step() % often == 0) system.stop_centre();
    system.measure_kinetic();
    system.draw(RandomStream::rescaling, system.degrees_of_freedom() - 1.0);
    system.advance(RescaleMomenta{kT, std::exp(-settings_.dt / settings_.time)});
    system.scale_momenta(Scalar::momentum_factor);
    system.end_step(settings_.dt);
}

Claims StochasticRescaling::claims() const {
    return {2,    false, false,
            true, true,  "Bussi, Donadio and Parrinello 2007, J. Chem. Phys. 126, 014101"};
}

} // namespace shadow
