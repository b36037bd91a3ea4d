// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cpu/density_modes.hpp"
#include "kernels/launch.hpp"

#include <cstddef>

/// Density modes on any backend: by loops on the CPU, or by reductions.
namespace shadow {

/// The number of partial sums that `density_modes` needs for this many species and wave vectors.
[[nodiscard]] inline std::size_t mode_sums(const Backend& backend, std::size_t species,
                                           std::size_t count) {
    constexpr std::size_t each = SomeModes::max_modes;
    return backend.is_cuda() ? species * ((count + each - 1) / each) : 0;
}

/// Writes rho(k) of each species: real parts at [species * count + k], then imaginary parts.
template <int Dim>
void density_modes(const Backend& backend, const DensityModes<Dim>& modes, std::int32_t species,
                   SomeModes* sums, double* row) {
    if (!backend.is_cuda()) return cpu::density_modes(backend, modes, species, row);
    SomeModes* next = sums;
    for (std::int32_t s = 0; s < species; ++s)
        for (std::int32_t first = 0; first < modes.count; first += SomeModes::max_modes)
            reduce(backend, SumModes<Dim>{modes, first, species > 1 ? s : -1}, modes.particles,
                   next++);
    launch(backend, TakeModes{sums, modes.count, species, row},
           std::int64_t{species} * modes.count);
}

} // namespace shadow
