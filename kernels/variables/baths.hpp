// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/by_level.hpp"

namespace shadow {

/// Thermostats of a Nosé-Hoover chain at most.
inline constexpr int max_chain = 8;
/// Species that have a chain of their own at most.
inline constexpr int max_species_chains = 8;
/// Variables of a generalized Nosé bath at most.
inline constexpr int max_bath = 9;

/// Nosé baths (kernels/ops/nose_poincare.hpp and others that have s).
template <int first>
struct NoseVariables {
    enum Variable : int {
        s = first, ///< time scaling of a Nosé bath; physical momentum = canonical momentum / s
        energy_0,  ///< the constant E of the Nosé-Poincaré Hamiltonian
        level_energy_0, ///< what a slow level has of energy_0, one after the other
        work = level_energy_0 + max_levels - 1, ///< given to a bath by a temperature that changes
        action,                                 ///< of a step with variables of a bath: p dq - H dt
        bath_position, ///< of a generalized bath beside s, one after the other, and their momenta
        bath_momentum = bath_position + max_bath,
        pi = bath_momentum + max_bath, ///< momentum of s
        bath_size,                     ///< how many variables a generalized bath has beside s
        drift_scale,                   ///< factor of the next drift,
        kick_scale,                    ///< and of a kick that is flown later
        end
    };
    static constexpr int of_stage = pi, of_step = drift_scale;
};

/// A Nosé-Hoover chain (kernels/ops/nose_hoover.hpp).
template <int first>
struct ChainVariables {
    enum Variable : int {
        chain_kinetic = first, ///< `kinetic` as it has left it at the end of a step
        chain_position,        ///< of thermostats, one after the other
        chain_velocity = chain_position + max_chain,
        chain_first = chain_velocity + max_chain, ///< factors of the momenta: at the beginning
        chain_last,                               ///< and at the end of a step
        end
    };
    static constexpr int of_stage = chain_first, of_step = chain_first;
};

/// Chains of species (kernels/ops/species_chains.hpp).
template <int first>
struct SpeciesChainVariables {
    enum Variable : int {
        species_held = first, ///< `kinetic` by species, as its chain has left it
        /// Of thermostats, one after the other, chain by chain.
        species_position = species_held + max_species_chains,
        species_velocity = species_position + max_species_chains * max_chain,
        /// `kinetic` by species, by System::measure_kinetic_by_species
        species_kinetic = species_velocity + max_species_chains * max_chain,
        species_first = species_kinetic + max_species_chains, ///< factors: at the beginning
        species_last = species_first + max_species_chains,    ///< and at the end of a step
        end = species_last + max_species_chains
    };
    static constexpr int of_stage = species_kinetic, of_step = species_kinetic;
};

} // namespace shadow
