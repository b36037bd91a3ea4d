// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/variables/baths.hpp"

namespace shadow {

/// Maximum number of groups of directions along which the lengths of a box change independently.
inline constexpr int max_groups = 3;

/// A box that changes: by steps of its volume (kernels/ops/barostat.hpp), with a mass
/// (box_motion.hpp, nose_poincare.hpp) or in a shear (shear.hpp).
template <int first>
struct BoxVariables {
    enum Variable : int {
        volume = first, ///< of the box, by System::measure_virial
        virial,         ///< sum of r f, likewise
        kinetic_along,  ///< `kinetic` by direction, and `virial`
        virial_along = kinetic_along + max_groups,
        box_least = virial_along + max_groups, ///< 1: a step would have fallen below the minimum
                                               ///< volume, 2: exceeded the maximum
        box_mass,           ///< of a box whose volume is a coordinate, energy time^2/volume^2
        box_chain_position, ///< of the thermostats of a box with a mass, one after another
        box_chain_velocity = box_chain_position + max_chain,
        box_work = box_chain_velocity + max_chain, ///< done by steps of the volume
        box_tried,                                 ///< their number,
        box_accepted,                              ///< and how many were accepted
        shear_work,                                ///< done by the shear of the box against forces
        box_momentum,                              ///< of a box whose volume is a coordinate
        box_velocity,                       ///< by group of directions, for lengths L: d ln L / dt
        strain = box_velocity + max_groups, ///< factor of the lengths of the box
        box_strain,                         ///< factors of lengths by group of directions,
        box_friction = box_strain + max_groups, ///< and of momenta along them
        box_volume = box_friction + max_groups, ///< before a step of the volume
        box_drift,                              ///< of that step
        box_energy,                             ///< potential, before it
        end
    };
    static constexpr int of_stage = box_work, of_step = strain;
};

} // namespace shadow
