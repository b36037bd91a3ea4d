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
    static TileKernel<Dim, Pair> find(int interaction, cpu::TileWork work) {
        using enum cpu::TileWork;
        static constexpr TileKernel<Dim, Pair> kernels[][3] = {
            {tile_kernel<I, forces, Dim, Pair>, tile_kernel<I, energies, Dim, Pair>,
             tile_kernel<I, shares, Dim, Pair>}...};
        return kernels[interaction][static_cast<int>(work)];
    }
};

#define SHADOW_TILE_KERNELS(Dim, Pair)                                                             \
    template <>                                                                                    \
    TileKernel<Dim, Pair> find_tile_kernel<Dim, Pair>(int interaction, cpu::TileWork work) {       \
        return TileKernelTable<Interactions>::find<Dim, Pair>(interaction, work);                  \
    }

} // namespace shadow::SHADOW_ISA
