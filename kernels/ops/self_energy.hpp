// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/heat_flux.hpp"

/// Energies that particles have by themselves, by species: constants, of which only sums know.
namespace shadow {

struct AddSelfEnergy {
    const std::uint16_t* species;
    const double* self; ///< by species
    double* energy;     ///< by particle

    SHADOW_FUNCTION void operator()(std::int64_t i) const { energy[i] += self[species[i]]; }
};

/// What they add to the flux of heat, and what there is of it already.
template <int Dim, class Real>
struct CarrySelfEnergy : FluxSum<Dim> {
    ThermalVelocity<Dim, Real> velocity;
    const double* self; ///< by species
    const Flux<Dim>* so_far;

    SHADOW_FUNCTION Flux<Dim> operator()(std::int64_t i) const {
        Flux<Dim> flux;
        const double energy = self[velocity.particles.species[i]];
        for (int d = 0; d < Dim; ++d) flux.component[d] = energy * velocity(i, d);
        return i == 0 ? this->combine(flux, *so_far) : flux;
    }
};

} // namespace shadow
