// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cpu/pair_force_driver.hpp"
#include "kernels/pack_math.hpp"

/// Instantiates the block kernels of all interactions for one dimension and precision.
namespace shadow::SHADOW_ISA {

template <class List>
struct KernelTable;
template <class... I>
struct KernelTable<InteractionList<I...>> {
    template <int Dim, class Pair>
    static BlockKernel<Dim, Pair> find(int interaction, bool energy) {
        static constexpr BlockKernel<Dim, Pair> kernels[][2] = {
            {block_kernel<I, false, Dim, Pair>, block_kernel<I, true, Dim, Pair>}...};
        return kernels[interaction][energy];
    }
};

#define SHADOW_BLOCK_KERNELS(Dim, Pair)                                                            \
    template <>                                                                                    \
    BlockKernel<Dim, Pair> find_block_kernel<Dim, Pair>(int interaction, bool energy) {            \
        return KernelTable<Interactions>::find<Dim, Pair>(interaction, energy);                    \
    }

} // namespace shadow::SHADOW_ISA
