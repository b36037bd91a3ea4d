// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/macros.hpp"

#include <cstdint>

/// Self energies of particles, by species: constants, which enter only sums.
namespace shadow {

struct AddSelfEnergy {
    const std::uint16_t* species;
    const double* self;  ///< by species
    double* energy;      ///< by particle,
    std::int64_t stride; ///< at this distance from each other

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        energy[i * stride] += self[species[i]];
    }
};

} // namespace shadow
