// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/pack.hpp"
#include "kernels/potentials/truncation.hpp"

#include <cstdint>

namespace shadow::SHADOW_ISA {

/// What the inner loops of the CPU pair force need of the interaction.
template <class Pair>
struct BlockTask {
    const Pair* table; ///< as in PairForcePayload
    std::int32_t species_count;
    Ending ending;
};

} // namespace shadow::SHADOW_ISA
