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
/// differently, so a return to a state repeats the one that was used.
using Evaluated = std::array<std::int32_t, max_levels>;

/// Everything of a run that a restart needs, beside the input.
template <int Dim>
struct SystemState {
    Snapshot<Dim> snapshot;
    std::vector<std::array<double, Dim>> reference; ///< positions at the last list build
    std::vector<double> reference_lengths;          ///< of the box then; none: as now
    double reference_slide = 0.0;                   ///< of its images then
    std::array<double, 2> reference_third{};        ///< and its third edge
    std::int64_t rebuilds = 0;
    EnsembleState ensemble;
    std::vector<double> bath_heat; ///< per particle, in id order
    Evaluated evaluated{};
};

} // namespace shadow
