// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/momentum_rescaling.hpp"

#include <algorithm>
#include <cmath>

namespace shadow {

MomentumRescaling::MomentumRescaling(const MethodSettings& settings, bool multiple)
    : settings_(settings), word_(verlet_or_respa(settings, multiple)) {}

void MomentumRescaling::prepare(System& system) {
    system.mollify({});
}

void MomentumRescaling::step(System& system) {
    const double kT = settings_.kT.at(middle_of_step(system));
    apply_word(system, word_, settings_.dt);
    // Factors of momenta multiply what rounding leaves of their sum, without bound: the logarithm
    // of their product walks at random, by (t / g time)^1/2, or grows as heat is taken away.
    constexpr std::int64_t often = 1000;
    if (system.step() % often == 0) system.stop_centre();
    system.measure_kinetic();
    choose_factor(system, kT);
    system.scale_momenta(Scalar::momentum_factor);
    system.end_step(settings_.dt);
}

void StochasticRescaling::choose_factor(System& system, double kT) {
    system.draw(RandomStream::rescaling, system.degrees_of_freedom() - 1.0);
    system.advance(RescaleMomenta{kT, std::exp(-settings_.dt / settings_.time)});
}

Claims StochasticRescaling::claims() const {
    return {2,    false, false,
            true, true,  "Bussi, Donadio and Parrinello 2007, J. Chem. Phys. 126, 014101"};
}

void WeakCoupling::choose_factor(System& system, double kT) {
    system.advance(CoupleWeakly{system.degrees_of_freedom() * kT,
                                std::min(1.0, settings_.dt / settings_.time)});
}

Claims WeakCoupling::claims() const {
    return {1, false, false, false, true, "Berendsen et al. 1984, J. Chem. Phys. 81, 3684, eq. 11"};
}

} // namespace shadow
