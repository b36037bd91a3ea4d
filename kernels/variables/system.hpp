// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace shadow {

/// What is measured and drawn for methods, and what they all report.
template <int first>
struct SystemVariables {
    enum Variable : int {
        one = first,     ///< always 1
        failed,          ///< not 0: a flow met a condition without a solution (1: of a bath)
        potential,       ///< V(q), or that of a level, by System::measure_potential
        mollified,       ///< energy at averages of levels with mollified kicks, when last measured,
        unmollified,     ///< and that where particles are
        bath_heat,       ///< what a thermostat with noise, or one that rescales momenta, has given
        kinetic,         ///< sum p.M^-1 p, by System::measure_kinetic
        normal,          ///< a normal number, by System::draw,
        uniform,         ///< one between 0 and 1
        squares,         ///< and the sum of the squares of normal ones
        momentum_factor, ///< by a thermostat that rescales all momenta
        end
    };
    static constexpr int of_stage = bath_heat, of_step = kinetic;
};

/// Values of Scalar::failed, beside 1, which is a bath's.
inline constexpr double no_step_length = 2.0;

} // namespace shadow
