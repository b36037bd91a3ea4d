// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cpu/tile_kernel.hpp"
#include "kernels/pack_math.hpp"

/// Instantiates the tile kernels of all interactions for one dimension and precision.
namespace shadow::SHADOW_ISA {

template <class List>
struct TileKernelTable;
template <class... I>
struct TileKernelTable<InteractionList<I...>> {
    template <int Dim, class Pair>
    static TileKernel<Dim, Pair> find(int interaction, bool energy) {
        static constexpr TileKernel<Dim, Pair> kernels[][2] = {
            {tile_kernel<I, false, Dim, Pair>, tile_kernel<I, true, Dim, Pair>}...};
        return kernels[interaction][energy];
    }
};

#define SHADOW_TILE_KERNELS(Dim, Pair)                                                             \
    template <>                                                                                    \
    TileKernel<Dim, Pair> find_tile_kernel<Dim, Pair>(int interaction, bool energy) {              \
        return TileKernelTable<Interactions>::find<Dim, Pair>(interaction, energy);                \
    }

} // namespace shadow::SHADOW_ISA
