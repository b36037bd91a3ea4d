// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/nose_hoover_langevin.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace shadow {

NoseHooverLangevin::NoseHooverLangevin(const MethodSettings& settings)
    : settings_(settings), word_(verlet_or_respa(settings, false)) {}

NoseHooverChain NoseHooverLangevin::thermostat(const System& system, double kT) const {
    const double time = settings_.period / (2.0 * std::numbers::pi),
                 g = system.degrees_of_freedom(),
                 mass = 2.0 * g * settings_.kT.last() * time * time;
    return {1, mass, mass, kT, g};
}

void NoseHooverLangevin::prepare(System& system) {
    system.mollify({});
    system.set_scalar(Scalar::work, 0.0);
    system.set_scalar(Scalar::chain_position, 0.0);
    system.set_scalar(Scalar::chain_velocity, 0.0);
    system.measure_kinetic();
    system.set_scalar(Scalar::chain_kinetic, system.scalar(Scalar::kinetic));
}

void NoseHooverLangevin::step(System& system) {
    const double dt = settings_.dt, now = middle_of_step(system), kT = settings_.kT.at(now),
                 change = kT - settings_.kT.at(now - 1.0);
    const NoseHooverChain bath = thermostat(system, kT);
    if (change != 0.0) system.advance(NoseHooverTemperature{change, bath});
    system.advance(NoseHooverFirst{0.5 * dt, bath});
    system.scale_momenta(Scalar::chain_first);
    system.draw(RandomStream::nose_hoover);
    system.advance(NoseHooverNoise{settings_.friction.at(now) * dt, bath});
    apply_word(system, word_, dt);
    // Factors amplify the rounding error of total momentum, as in MomentumRescaling.
    constexpr std::int64_t often = 1000;
    if (system.step() % often == 0) system.stop_centre();
    system.measure_kinetic();
    system.advance(NoseHooverSecond{0.5 * dt, bath});
    system.scale_momenta(Scalar::chain_last);
    system.end_step(dt);
}

Claims NoseHooverLangevin::claims() const {
    return {2,
            true,
            false,
            true,
            true,
            "Samoletov, Dettmann and Chaplain 2007, J. Stat. Phys. 128, 1321; Leimkuhler, "
            "Noorizadeh and Theil 2009, J. Stat. Phys. 135, 261"};
}

ExtendedEnergy NoseHooverLangevin::extended_energy(const System& system) const {
    const double kT = settings_.kT.at(middle_of_step(system) - 1.0);
    return {.chain = thermostat(system, kT)};
}

/// From the slower root of r^2 - friction r + omega^2, or the real part of both.
double NoseHooverLangevin::bath_rate() const {
    const double half = 0.5 * settings_.friction.last(),
                 omega = 2.0 * std::numbers::pi / settings_.period,
                 overdamped = half * half - omega * omega;
    const double rate = overdamped > 0.0 ? omega * omega / (half + std::sqrt(overdamped)) : half;
    return 0.5 * rate;
}

std::int64_t NoseHooverLangevin::steady_from() const {
    return std::max(settings_.kT.steady_from(), settings_.friction.steady_from());
}

} // namespace shadow
