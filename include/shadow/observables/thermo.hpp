// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/observables/observable.hpp"

#include "kernels/ops/thermo.hpp"

#include <optional>

namespace shadow {

/// Energies, temperature, pressure and momentum of the whole system: totals, with the mean-field
/// corrections of the forces. The pressure is omitted in a box that is not periodic in every
/// direction, where it is not defined. Where total momentum is conserved, temperature and pressure
/// exclude the motion of the centre of mass, which is then not a degree of freedom.
template <int Dim>
class Thermo final : public Observable<Dim> {
  public:
    /// `boltzmann`: energy per temperature; `levels`: names of the levels of forces in use, for
    /// potential_energy_NAME of each, or empty; `with_bath`: also nose_s and nose_pi, the variables
    /// of a Nosé bath; `barostat`: its pressure, energy/length^dimension, for volume, density and
    /// enthalpy; `shape_changes`: also the lengths of the box; `adapted_step`: dt of a method with
    /// adaptive steps, for step_length, otherwise 0; `boosted`: with boost_energy.
    Thermo(const Box<Dim>& box, double boltzmann, const ConservedMass<Dim>& conserved_mass,
           std::vector<std::string> levels = {}, bool with_bath = false,
           std::optional<double> barostat = {}, bool shape_changes = false,
           double adapted_step = 0.0, bool boosted = false);

    [[nodiscard]] std::vector<Quantity> quantities() const override;
    [[nodiscard]] bool needs_energy() const override { return true; }
    [[nodiscard]] bool follows_box() const override { return true; }
    [[nodiscard]] bool follows_shear() const override { return true; }
    void set_extended_energy(const ExtendedEnergy& extended) override { extended_ = extended; }
    void enqueue(ParticleSystem<Dim>& system, double* row) override;

  private:
    void measure_levels(ParticleSystem<Dim>& system, FinishThermo<Dim>& finish);

    bool with_pressure_;
    double boltzmann_;
    ConservedMass<Dim> conserved_mass_;
    std::vector<std::string> levels_;
    bool with_bath_;
    std::optional<double> barostat_;
    bool shape_changes_;
    double adapted_step_;
    bool boosted_;
    ExtendedEnergy extended_;
    Array<ThermoSums<Dim>> sums_;
    Array<double> potential_; ///< by level
};

/// Total angular momentum about the origin, with periodic images undone: one number in two
/// dimensions, (yz, zx, xy) in three. It is conserved in open boxes.
template <int Dim>
class AngularMomentum final : public Observable<Dim> {
  public:
    [[nodiscard]] std::vector<Quantity> quantities() const override;
    [[nodiscard]] bool needs_velocities() const override { return true; }
    void enqueue(ParticleSystem<Dim>& system, double* row) override;
};

} // namespace shadow
