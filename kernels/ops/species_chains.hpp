// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/nose_hoover.hpp"

namespace shadow {

/// A chain of thermostats for each species, with its own mass and degrees of freedom. Numbers of
/// species k are the k-th of their rows.
struct SpeciesChains {
    int species = 0; ///< 0: there are none
    int length = 1;
    double kT = 0.0;
    double mass[max_species_chains] = {}; ///< of a thermostat for one degree of freedom
    double g[max_species_chains] = {};

    [[nodiscard]] SHADOW_INLINE NoseHooverChain chain(int k) const {
        return {length,
                g[k] * mass[k],
                mass[k],
                kT,
                g[k],
                of_row(Scalar::species_position, k * max_chain),
                of_row(Scalar::species_velocity, k * max_chain)};
    }
    [[nodiscard]] SHADOW_INLINE double energy(const Scalars& x) const {
        double sum = 0.0;
        for (int k = 0; k < species; ++k) sum += chain(k).energy(x);
        return sum;
    }
    /// Over `dt`, from the kinetic energies after the last action of the chains; writes the factors
    /// of momenta into a row.
    SHADOW_INLINE void flow(const Scalars& x, double dt, Scalar factors) const {
        for (int k = 0; k < species; ++k)
            x[of_row(factors, k)] = chain(k).flow(x, dt, x[of_row(Scalar::species_held, k)]);
    }
};

/// As NoseHooverFirst.
struct SpeciesChainsFirst {
    static constexpr bool independent = true;
    double dt;
    SpeciesChains chains;

    SHADOW_INLINE void operator()(const Scalars& x) const {
        chains.flow(x, dt, Scalar::species_first);
    }
};

/// As NoseHooverSecond, with Scalar::species_kinetic.
struct SpeciesChainsSecond {
    double dt;
    SpeciesChains chains;

    SHADOW_INLINE void operator()(const Scalars& x) const {
        for (int k = 0; k < chains.species; ++k)
            x[of_row(Scalar::species_held, k)] = x[of_row(Scalar::species_kinetic, k)];
        chains.flow(x, dt, Scalar::species_last);
    }
};

/// As NoseHooverTemperature.
struct SpeciesChainsTemperature {
    double change; ///< of kT
    SpeciesChains chains;

    SHADOW_INLINE void operator()(const Scalars& x) const {
        for (int k = 0; k < chains.species; ++k) NoseHooverTemperature{change, chains.chain(k)}(x);
    }
};

} // namespace shadow
