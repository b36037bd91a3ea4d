// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/by_level.hpp"

namespace shadow {

/// Maximum number of thermostats of a Nosé-Hoover chain.
inline constexpr int max_chain = 8;
/// Maximum number of species with their own chain.
inline constexpr int max_species_chains = 8;
/// Maximum number of variables of a generalized Nosé bath.
inline constexpr int max_bath = 9;

/// Nosé baths (kernels/ops/nose_poincare.hpp and others that have s).
template <int first>
struct NoseVariables {
    enum Variable : int {
        s = first, ///< time scaling of a Nosé bath; physical momentum = canonical momentum / s
        energy_0,  ///< the constant E of the Nosé-Poincaré Hamiltonian
        level_energy_0, ///< the part of energy_0 of each slow level, one after another
        work = level_energy_0 + max_levels - 1, ///< done on a bath by a changing temperature
        action,                                 ///< of a step with variables of a bath: p dq - H dt
        bath_position, ///< of a generalized bath in addition to s, one after another, and their
                       ///< momenta
        bath_momentum = bath_position + max_bath,
        pi = bath_momentum + max_bath, ///< momentum of s
        bath_size,   ///< number of variables of a generalized bath in addition to s
        drift_scale, ///< factor of the next drift,
        kick_scale,  ///< and of a later kick
        end
    };
    static constexpr int of_stage = pi, of_step = drift_scale;
};

/// A Nosé-Hoover chain (kernels/ops/nose_hoover.hpp).
template <int first>
struct ChainVariables {
    enum Variable : int {
        chain_kinetic = first, ///< `kinetic` after the chain has acted at the end of a step
        chain_position,        ///< of thermostats, one after another
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
        species_held = first, ///< `kinetic` by species, after its chain has acted
        /// Of thermostats, one after another, chain by chain.
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
