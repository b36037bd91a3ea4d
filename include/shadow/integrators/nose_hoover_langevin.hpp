// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/composition.hpp"
#include "shadow/integrators/integrator.hpp"

namespace shadow {

/// Constant temperature by one Nosé-Hoover thermostat with its own friction and noise,
///
///     p' = F - v p,
///     Q dv = (sum p^2/m - g kT) dt - friction Q v dt + (2 friction Q kT)^1/2 dW
///
/// (Samoletov, Dettmann and Chaplain 2007, J. Stat. Phys. 128, 1321; Leimkuhler, Noorizadeh and
/// Theil 2009, J. Stat. Phys. 135, 261). Momenta are multiplied by one number, so that the dynamics
/// is hardly perturbed, and even a single oscillator is sampled canonically.
///
/// The thermostat acts for half a step before and after one of Verlet, and its noise for a full
/// step in between, where nothing else changes v: symmetric, of second order. The energy that noise
/// and friction give to v is in Scalar::bath_heat, the change of its energy by a changing
/// temperature in Scalar::work. Q is that of NoseHoover, g 2 kT (t / 2 pi)^2 with the last
/// temperature.
class NoseHooverLangevin final : public Integrator {
  public:
    /// Uses dt, kT > 0, the period t > 0 and the friction, 0 for none.
    explicit NoseHooverLangevin(const MethodSettings& settings);

    /// Sets the thermostat at rest. Waits for the device.
    void prepare(System& system) override;
    void step(System& system) override;
    [[nodiscard]] double dt() const override { return settings_.dt; }
    [[nodiscard]] const Word& word() const override { return word_; }
    [[nodiscard]] Claims claims() const override;
    [[nodiscard]] ExtendedEnergy extended_energy(const System& system) const override;
    [[nodiscard]] std::optional<double> bath_kT() const override { return settings_.kT.last(); }
    [[nodiscard]] std::optional<double> bath_kT_at(double step) const override {
        return settings_.kT.at(step);
    }
    /// The temperature of free particles is an oscillator with this friction: half the rate at
    /// which it relaxes, since friction f reduces the kinetic energy at the rate 2 f.
    [[nodiscard]] double bath_rate() const override;
    [[nodiscard]] double bath_period(double) const override { return settings_.period; }
    [[nodiscard]] std::int64_t steady_from() const override;
    /// The logarithm of the product of all factors walks at random, because of the noise.
    [[nodiscard]] bool rescales() const override { return true; }
    [[nodiscard]] std::string conserved_name() const override {
        return "Nosé-Hoover energy minus bath heat";
    }

  private:
    [[nodiscard]] NoseHooverChain thermostat(const System& system, double kT) const;

    MethodSettings settings_;
    Word word_;
};

} // namespace shadow
