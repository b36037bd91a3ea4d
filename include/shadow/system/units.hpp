// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shadow {

/// A system of units. The engine computes in one that is consistent: lengths, energies, charges and
/// times are those of the input, and a unit of mass is energy time^2 / length^2, so that the
/// equations of motion have no factor. Masses of "metal" and "real" are converted where a system is
/// made and where they are written, pressures where they are written; nothing else differs.
struct Units {
    std::string name;                       ///< as in `system.units`
    double boltzmann = 1.0;                 ///< energy per temperature
    double coulomb = 1.0;                   ///< energy * length per charge squared
    std::string length, energy, mass, time; ///< names for people and files
    std::string temperature, charge;        ///< likewise
    double femtoseconds = 0.0;              ///< one unit of time in fs; 0: reduced units
    double inertia = 1.0;                   ///< one unit of mass in energy time^2 / length^2
    std::string pressure = {};              ///< in 3D; empty: energy/length^3
    double pressures = 1.0;                 ///< units of pressure in one energy/length^3

    /// The unit of a quantity given by dimension, as `Quantity::unit`, in lowest terms:
    /// "energy/(length^3 temperature)" becomes "kcal mol-1/(Angstrom^3 K)" or "k_B/sigma^3",
    /// "length^2/time" becomes "Angstrom^2/(48.88821 fs)" or "sigma sqrt(epsilon/m)". A `/` is
    /// followed by one factor, or several in parentheses; powers are integers. Words that are not
    /// dimensions stay. A mass is one of the engine: "mass length/time" is "eV ps/Angstrom".
    [[nodiscard]] std::string express(std::string_view dimension) const;
    /// The factor by which a number of this dimension is multiplied when it is written: a power of
    /// `pressures`, 1 if "pressure" does not occur in it.
    [[nodiscard]] double factor(std::string_view dimension) const;
};

/// "lj": everything in units of a particle's mass, a length sigma and an energy epsilon; k_B = 1
/// and 1/(4 pi eps_0) = 1. The others have Angstrom, elementary charge, kelvin, g/mol; "akma" and
/// "real" kcal/mol and pressures in atm, "metal" eV and bar. "akma" measures time in Angstrom
/// sqrt(u mol/kcal) = 48.88821 fs (20.45483 of them make 1 ps), "real" in fs, "metal" in ps.
/// Throws InputError for any other name.
[[nodiscard]] const Units& units_named(std::string_view name);

/// Their names, the default first.
[[nodiscard]] const std::vector<std::string>& unit_systems();

/// The dimension of a pressure in so many dimensions.
[[nodiscard]] std::string pressure_dimension(int dimension);

} // namespace shadow
