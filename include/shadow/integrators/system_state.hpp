// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/system.hpp"
#include "shadow/system/ensemble.hpp"
#include "shadow/system/particles.hpp"

#include "kernels/by_level.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace shadow {

/// By level: 0 no valid forces, 1 forces, 2 forces with energies. The two kernels may round
/// differently, so that restoring a state repeats the kernel that was used.
using Evaluated = std::array<std::int32_t, max_levels>;

/// Everything that a restart needs besides the input.
template <int Dim>
struct SystemState {
    Snapshot<Dim> snapshot;
    std::vector<std::array<double, Dim>> reference; ///< positions at the last list build
    std::vector<double> reference_lengths;          ///< of the box at that build; none: as now
    double reference_slide = 0.0;                   ///< of its images at that build
    std::array<double, 2> reference_third{};        ///< and its third edge
    std::int64_t rebuilds = 0;
    EnsembleState ensemble;
    std::vector<double> bath_heat; ///< per particle, in id order
    Evaluated evaluated{};
};

} // namespace shadow
