// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/tile_kernel_table.hpp"

#include "kernels/potentials/list.hpp"

namespace shadow::SHADOW_ISA {

template <class List>
struct TileKernelTable;
template <class... I>
struct TileKernelTable<InteractionList<I...>> {
    template <int Dim, class Pair>
    static TileKernel<Dim, Pair> find(int interaction, TileWork work) {
        using enum TileWork;
        static constexpr TileKernel<Dim, Pair> kernels[][3] = {
            {tile_kernel<I, forces, Dim, Pair>, tile_kernel<I, energies, Dim, Pair>,
             tile_kernel<I, shares, Dim, Pair>}...};
        return kernels[interaction][static_cast<int>(work)];
    }
};

template <int Dim, class Pair>
TileKernel<Dim, Pair> find_tile_kernel(int interaction, TileWork work) {
    return TileKernelTable<Interactions>::find<Dim, Pair>(interaction, work);
}

template TileKernel<2, float> find_tile_kernel(int, TileWork);
template TileKernel<2, double> find_tile_kernel(int, TileWork);
template TileKernel<3, float> find_tile_kernel(int, TileWork);
template TileKernel<3, double> find_tile_kernel(int, TileWork);

} // namespace shadow::SHADOW_ISA
