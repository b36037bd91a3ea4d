// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace shadow {

/// Measured and random numbers for methods, and numbers that all methods report.
template <int first>
struct SystemVariables {
    enum Variable : int {
        one = first, ///< always 1
        failed,      ///< not 0: the equation of a flow had no solution (1: of a bath)
        potential,   ///< V(q), or that of a level, by System::measure_potential
        mollified, ///< energy at averages of levels with mollified kicks, at the last measurement,
        unmollified,     ///< and that at the positions
        bath_heat,       ///< given by a thermostat with noise, or one that rescales momenta
        kinetic,         ///< sum p.M^-1 p, by System::measure_kinetic
        normal,          ///< a normal number, by System::draw,
        uniform,         ///< one between 0 and 1
        squares,         ///< and the sum of the squares of normal ones
        momentum_factor, ///< by a thermostat that rescales all momenta
        end
    };
    static constexpr int of_stage = bath_heat, of_step = kinetic;
};

/// Values of Scalar::failed other than 1, which is a bath's.
inline constexpr double no_step_length = 2.0;

} // namespace shadow
