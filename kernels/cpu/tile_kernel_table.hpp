// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cpu/tile_pairs.hpp"
#include "kernels/pair_force.hpp"

namespace shadow::SHADOW_ISA {

/// The kernel of one interaction (tile_kernel.hpp), compiled separately.
template <class Interaction, TileWork work, int Dim, class Pair>
__attribute__((flatten)) void tile_kernel(const TileBlock<Dim, Pair>& block,
                                          const PairForcePayload<Dim, Pair>& payload);

/// `interaction`: index in `Interactions`. Defined in isa/.
template <int Dim, class Pair>
using TileKernel = void (*)(const TileBlock<Dim, Pair>& block,
                            const PairForcePayload<Dim, Pair>& payload);
template <int Dim, class Pair>
TileKernel<Dim, Pair> find_tile_kernel(int interaction, TileWork work);

} // namespace shadow::SHADOW_ISA
