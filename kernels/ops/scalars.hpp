// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/by_level.hpp"
#include "kernels/macros.hpp"

namespace shadow {

/// Thermostats of a Nosé-Hoover chain at most.
inline constexpr int max_chain = 8;
/// Groups of directions in which the lengths of a box change apart from each other, at most.
inline constexpr int max_groups = 3;
/// Species that have a chain of their own at most.
inline constexpr int max_species_chains = 8;
/// Variables of a generalized Nosé bath at most.
inline constexpr int max_bath = 9;

/// Numbers which feed back into the dynamics; they live in backend memory beside the particles.
/// Each has a row in src/system/scalar_groups.cpp; what is new comes last, as older checkpoints go
/// by order.
enum class Scalar : int {
    one = 0,        ///< always 1
    s,              ///< time scaling of a Nosé bath; physical momentum = canonical momentum / s
    pi,             ///< momentum of s
    drift_scale,    ///< factor of the next drift
    kinetic,        ///< sum p.M^-1 p, by System::measure_kinetic
    potential,      ///< V(q), or that of a level, by System::measure_potential
    energy_0,       ///< the constant E of the Nosé-Poincaré Hamiltonian
    failed,         ///< not 0: a flow met a condition without a solution (1: of a bath)
    work,           ///< given to a Nosé bath by a temperature that changes
    mollified,      ///< energy at averages of levels with mollified kicks, when last measured,
    unmollified,    ///< and that where particles are
    level_energy_0, ///< what a slow level has of energy_0, one after the other
    /// `kinetic` as a Nosé-Hoover chain has left it at the end of a step.
    chain_kinetic = level_energy_0 + max_levels - 1,
    chain_first,    ///< factors of the momenta by a chain: at the beginning of a step
    chain_last,     ///< and at its end
    chain_position, ///< of thermostats, one after the other
    chain_velocity = chain_position + max_chain,
    strain = chain_velocity + max_chain, ///< factor of the lengths of the box
    volume,                              ///< of the box, by System::measure_virial
    virial,                              ///< sum of r f, likewise
    normal,                              ///< a normal number, by System::draw,
    uniform,                             ///< one between 0 and 1
    squares,                             ///< and the sum of the squares of normal ones
    box_volume,                          ///< before a step of the volume
    box_drift,                           ///< of that step
    box_energy,                          ///< potential, before it
    box_work,                            ///< what steps of the volume have given
    box_tried,                           ///< their number,
    box_accepted,                        ///< and how many were accepted
    momentum_factor,                     ///< by a thermostat that rescales all momenta,
    bath_heat,                           ///< and what it has given
    box_least,                           ///< 1: a step would have led below the least volume, 2:
                                         ///< above the largest
    box_chain_position, ///< of the thermostats of a box with a mass, one after the other
    box_chain_velocity = box_chain_position + max_chain,
    /// Of such a box by group of directions, of lengths L: d ln L / dt,
    box_velocity = box_chain_velocity + max_chain,
    box_strain = box_velocity + max_groups,    ///< factors of lengths,
    box_friction = box_strain + max_groups,    ///< and of momenta along them.
    kinetic_along = box_friction + max_groups, ///< `kinetic` by direction, and `virial`
    virial_along = kinetic_along + max_groups,
    elapsed = virial_along + max_groups, ///< time, where steps are of different lengths
    step_factor,                         ///< of dt: the length of what is flown next,
    step_weight,                         ///< and how fast time goes now: the weight of averages;
                                         ///< beside a boost the logarithm of theirs
    step_density,                        ///< of steps that follow such a one,
    step_rate,                           ///< and how fast it changes
    step_reference,                      ///< what an objective of steps is compared with
    step_shortest,                       ///< lengths so far
    step_longest,
    motion_kinetic,      ///< by System::measure_motion: sum p.M^-1 p,
    motion_power,        ///< F.v,
    motion_speed,        ///< and means of v^2, of
    motion_acceleration, ///< a^2 and
    motion_largest,      ///< a^16, of accelerations
    box_momentum,        ///< of a box whose volume is a coordinate,
    box_mass,            ///< and its mass, energy time^2/volume^2
    shear_work,          ///< what the shear of the box has done against forces
    bath_size,           ///< how many variables a generalized Nosé bath has beside s,
    bath_position,       ///< these, one after the other, and their momenta
    bath_momentum = bath_position + max_bath,
    boost =
        bath_momentum + max_bath, ///< what the potential energy has more, of one that is flatter
    boosted_kick,                 ///< the factor of its forces, and of a kick
    boost_reference,              ///< its boost where it began: with a weight of one
    kick_scale,                   ///< factor of a kick that is flown later
    action,                       ///< of a step with variables of a bath: p dq - H dt
    species_kinetic,              ///< `kinetic` by species,
    /// as its chain has left it at the end of a step,
    species_held = species_kinetic + max_species_chains,
    species_first = species_held + max_species_chains, ///< factors by chains: at the beginning
    species_last = species_first + max_species_chains, ///< and at the end of a step
    /// Of thermostats, one after the other, chain by chain.
    species_position = species_last + max_species_chains,
    species_velocity = species_position + max_species_chains * max_chain,
    species_end = species_velocity + max_species_chains * max_chain - 1,
    step_sum,     ///< X, a sum over pairs that steps follow, by System::measure_slope,
    slope_power,  ///< and sums f.v and
    slope_square, ///< f.M^-1 f of f = -grad X, or of all forces
    step_count,   ///< of steps that follow the motion
    /// Of a minimisation, by System::measure_descent: sums F.p,
    descent_power,
    descent_speed,    ///< p.p and
    descent_force,    ///< F.F,
    descent_largest,  ///< and the largest F.F of a particle;
    descent_step,     ///< its step,
    descent_mixing,   ///< how much of momenta turns towards forces,
    descent_downhill, ///< for how many steps the energy has fallen,
    descent_keep,     ///< and factors of the next move: of momenta
    descent_turn,     ///< and forces
    count
};

/// Values of Scalar::failed, beside 1, which is a bath's.
inline constexpr double no_step_length = 2.0;

/// The k-th of a row of scalars that begins with `first`.
SHADOW_INLINE constexpr Scalar of_row(Scalar first, int k) {
    return static_cast<Scalar>(static_cast<int>(first) + k);
}

/// Scalar::kinetic of physical momenta.
SHADOW_INLINE constexpr double physical_kinetic(double kinetic, double s) {
    return kinetic / (s * s);
}

/// level > 1
SHADOW_INLINE constexpr Scalar level_energy_0(int level) {
    return of_row(Scalar::level_energy_0, level - 2);
}

/// Scalars as a functor sees them.
struct Scalars {
    double* value;
    SHADOW_INLINE double& operator[](Scalar which) const { return value[static_cast<int>(which)]; }
    /// What slow levels leave of energy_0.
    [[nodiscard]] SHADOW_INLINE double fast_energy_0() const {
        double left = (*this)[Scalar::energy_0];
        for (int level = 2; level <= max_levels; ++level) left -= (*this)[level_energy_0(level)];
        return left;
    }
};

} // namespace shadow
