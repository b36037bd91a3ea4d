// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/composition.hpp"
#include "shadow/integrators/integrator.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace shadow {

/// What methods with the variables s and pi of a Nosé bath of mass Q have in common: particles move
/// by Verlet's method or a composition of it, with canonical momenta.
class NoseMethod : public Integrator {
  public:
    [[nodiscard]] double dt() const override { return settings_.dt; }
    [[nodiscard]] const Word& word() const override { return word_; }
    [[nodiscard]] bool has_bath_variables() const override { return true; }
    [[nodiscard]] std::optional<double> bath_kT() const override { return settings_.kT.last(); }
    [[nodiscard]] std::optional<double> bath_kT_at(double step) const override {
        return settings_.kT.at(step);
    }
    [[nodiscard]] double bath_period(double degrees_of_freedom) const override {
        const double g_kT = degrees_of_freedom * settings_.kT.last();
        return 2.0 * std::numbers::pi * std::sqrt(0.5 * bath_mass(degrees_of_freedom) / g_kT);
    }
    /// Q: the given mass, or the mass for oscillations of the given period.
    [[nodiscard]] double bath_mass(double degrees_of_freedom) const {
        const double time = settings_.period / (2.0 * std::numbers::pi);
        return settings_.mass > 0.0 ? settings_.mass
                                    : 2.0 * degrees_of_freedom * settings_.kT.last() * time * time;
    }
    [[nodiscard]] double bath_mass(const System& system) const {
        return bath_mass(system.degrees_of_freedom());
    }
    [[nodiscard]] std::int64_t steady_from() const override { return settings_.kT.steady_from(); }
    [[nodiscard]] ExtendedEnergy extended_energy(const System& system) const override {
        const double kT = settings_.kT.at(middle_of_step(system) - 1.0);
        return {.bath_mass = bath_mass(system), .g_kT = system.degrees_of_freedom() * kT};
    }
    [[nodiscard]] std::string conserved_name() const override { return "Nosé energy"; }

  protected:
    /// `multiple`: with forces by level.
    explicit NoseMethod(MethodSettings settings, bool multiple = false)
        : settings_(std::move(settings)), parts_(parts_of_step(settings_.order)),
          word_(verlet_or_respa(settings_, multiple)) {}

    [[nodiscard]] const MethodSettings& settings() const { return settings_; }
    /// The parts of a step.
    [[nodiscard]] const std::vector<double>& parts() const { return parts_; }
    /// Symplectic, symmetric, of the order of `settings`.
    [[nodiscard]] Claims symplectic(const char* citation) const {
        return {settings_.order, true, true, false, true, citation};
    }
    /// Sets s = 1 and pi = 0, and returns the current energy of the particles. Waits for the
    /// device.
    static double begin(System& system) {
        system.mollify({});
        system.set_scalar(Scalar::s, 1.0);
        system.set_scalar(Scalar::pi, 0.0);
        system.set_scalar(Scalar::work, 0.0);
        system.measure_kinetic();
        system.measure_potential();
        return 0.5 * system.scalar(Scalar::kinetic) + system.scalar(Scalar::potential);
    }
    /// A step of the generalized leapfrog method under the forces of a level, with the flows of the
    /// bath before and after its drift.
    template <class First, class Second>
    static void leapfrog(System& system, ForceLevel level, double dt, const First& first,
                         const Second& second) {
        system.kick({0.5 * dt, Scalar::s}, level);
        system.measure_kinetic();
        system.advance(first);
        system.drift({dt, Scalar::drift_scale});
        system.measure_potential(level);
        system.advance(second);
        system.kick({0.5 * dt, Scalar::s}, level);
    }
    /// All parts of a step, as flows of s times the energies of particles and of the bath, without
    /// the kick at the end of the step, which is merged with the one that begins the next.
    template <class Bath>
    void move_explicitly(System& system, const Bath& bath) const {
        for (std::size_t k = 0; k < parts_.size(); ++k) {
            const double dt = parts_[k] * settings_.dt;
            system.advance(ExplicitNoseFirst<Bath>{dt, bath, k == 0});
            system.kick({0.5 * dt, Scalar::s});
            system.measure_kinetic();
            system.advance(ExplicitNoseDrift<Bath>{dt, bath});
            system.drift({dt, Scalar::drift_scale});
            system.measure_potential();
            system.kick({0.5 * dt, Scalar::kick_scale});
            system.advance(ExplicitNoseSecond<Bath>{dt, bath});
        }
    }

  private:
    MethodSettings settings_;
    std::vector<double> parts_;
    Word word_;
};

} // namespace shadow
