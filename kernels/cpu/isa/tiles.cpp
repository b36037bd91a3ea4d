// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/cluster_cutter.hpp"
#include "kernels/cpu/supercluster_lister.hpp"
#include "kernels/cpu/tile_driver.hpp"

namespace shadow::SHADOW_ISA {

#define SHADOW_TILES(Dim, State, Pair)                                                             \
    template float gather_superclusters(const TileTask<Dim, State, Pair>&, std::int32_t,           \
                                        std::int32_t);                                             \
    template void compute_chunk(const TileTask<Dim, State, Pair>&, const TileChunkView&, Pair*);   \
    template void collect_superclusters(const TileTask<Dim, State, Pair>&, const TileBatchView&,   \
                                        std::int32_t, std::int32_t);
#define SHADOW_CUT(Dim, Real)                                                                      \
    template void cut_clusters(const VectorView<Dim, Real>&, const PairListView&, std::int64_t,    \
                               std::int64_t, float, std::int32_t*, std::uint8_t*, std::int32_t*);
#define SHADOW_DIMENSION(Dim)                                                                      \
    SHADOW_TILES(Dim, double, double)                                                              \
    SHADOW_TILES(Dim, double, float)                                                               \
    SHADOW_CUT(Dim, double)                                                                        \
    template void bound_superclusters(const TileBounds<Dim>&, std::int32_t, std::int32_t);         \
    template void list_supercluster(const TileGeometry<Dim>&, const BlockRoom<Dim>&, std::int32_t, \
                                    const cpu::TileCandidate*, std::int32_t, TileOutput&);
SHADOW_DIMENSION(2)
SHADOW_DIMENSION(3)

} // namespace shadow::SHADOW_ISA
