// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace shadow {

/// A consistent system of units: with masses, lengths and energies in it, time follows as
/// length * sqrt(mass / energy) and no conversion factor stands in the equations of motion.
struct Units {
    std::string name;                       ///< as in `system.units`
    double boltzmann = 1.0;                 ///< energy per temperature
    double coulomb = 1.0;                   ///< energy * length per charge squared
    std::string length, energy, mass, time; ///< names for people and files
    std::string temperature, charge;        ///< likewise
    double femtoseconds = 0.0;              ///< one unit of time in fs; 0: reduced units
    double kelvins = 0.0, angstroms = 0.0;  ///< likewise; 0: reduced units

    /// The unit of a quantity given by dimension, as `Quantity::unit`, in lowest terms:
    /// "energy/(length^3 temperature)" becomes "kcal mol-1/(Angstrom^3 K)" or "k_B/sigma^3",
    /// "length^2/time" becomes "Angstrom^2/(48.88821 fs)" or "sigma sqrt(epsilon/m)". After a `/`
    /// stands one factor, or several in parentheses; powers are whole. Words that are not
    /// dimensions stay.
    [[nodiscard]] std::string express(std::string_view dimension) const;
};

/// "lj": everything in units of a particle's mass, a length sigma and an energy epsilon; k_B = 1
/// and 1/(4 pi eps_0) = 1. "akma": Angstrom, kcal/mol, atomic mass unit, elementary charge, kelvin;
/// time is measured in Angstrom * sqrt(amu mol/kcal) = 48.88821 fs (20.45483 of them make 1 ps).
/// Throws InputError for any other name.
[[nodiscard]] const Units& units_named(std::string_view name);

} // namespace shadow
